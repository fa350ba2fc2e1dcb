package io.samewire.py4j.commands;

import io.samewire.py4j.Elements;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.List;
import py4j.Protocol;
import py4j.Py4JException;
import py4j.reflection.TypeUtil;

/** Arrays: {@code c}reates one, {@code g}ets and {@code s}ets elements, s{@code l}ices, and tells its length. */
public final class ArrayCommand extends TextCommand {
    /** Creates one. */
    public ArrayCommand() {
        super("a");
    }

    @Override
    Answer read(Request request) throws IOException {
        String kind = request.line();
        List<String> lines = request.rest();
        return () -> carryOut(kind, lines, request);
    }

    private String carryOut(String kind, List<String> lines, Request request) throws ClassNotFoundException {
        switch (kind) {
            case "c":
                return answer(create((String) request.value(lines.get(0)), request.indices(lines)));
            case "g":
                return answer(Array.get(array(lines), request.indices(lines)[0]));
            case "s":
                Elements.arraySet(array(lines), (Integer) request.value(lines.get(1)), request.value(lines.get(2)));
                return Protocol.VOID_COMMAND;
            case "l":
                return answer(Elements.arraySlice(array(lines), request.indices(lines)));
            case "e":
                return answer(Array.getLength(array(lines)));
            default:
                return Protocol.getOutputErrorCommand("Unknown Array SubCommand Name: " + kind);
        }
    }

    private Object array(List<String> lines) {
        Object array = gateway.getObject(lines.get(0));
        if (array == null) {
            throw new Py4JException("Target Object ID does not exist for this gateway :" + lines.get(0));
        }
        return array;
    }

    private static Object create(String type, int[] dimensions) throws ClassNotFoundException {
        return Array.newInstance(TypeUtil.forName(type), dimensions);
    }
}
