package py4j.commands;

import io.samewire.py4j.Elements;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.List;
import py4j.Protocol;
import py4j.Py4JException;
import py4j.reflection.TypeUtil;

/** Arrays: {@code c}reates one, {@code g}ets and {@code s}ets elements, s{@code l}ices, and tells its length. */
public class ArrayCommand extends TextCommand {
    /** The first line of such commands. */
    public static final String ARRAY_COMMAND_NAME = "a";
    /** Gets an element. */
    public static final char ARRAY_GET_SUB_COMMAND_NAME = 'g';
    /** Sets an element. */
    public static final char ARRAY_SET_SUB_COMMAND_NAME = 's';
    /** Copies elements. */
    public static final char ARRAY_SLICE_SUB_COMMAND_NAME = 'l';
    /** Tells the length. */
    public static final char ARRAY_LEN_SUB_COMMAND_NAME = 'e';
    /** Creates an array. */
    public static final char ARRAY_CREATE_SUB_COMMAND_NAME = 'c';
    /** The answer without a value. */
    public static final String RETURN_VOID = Protocol.VOID_COMMAND;

    /** Creates one. */
    public ArrayCommand() {
        super(ARRAY_COMMAND_NAME);
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
