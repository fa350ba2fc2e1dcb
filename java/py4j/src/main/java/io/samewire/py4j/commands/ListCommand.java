package io.samewire.py4j.commands;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import py4j.Protocol;
import py4j.Py4JException;

/** What Python does with lists in one command: sorting, slices, sums, and so on. */
public final class ListCommand extends TextCommand {
    /** Creates one. */
    public ListCommand() {
        super("l");
    }

    @Override
    Answer read(Request request) throws IOException {
        String kind = request.line();
        List<String> lines = request.rest();
        return () -> carryOut(kind.isEmpty() ? ' ' : kind.charAt(0), lines, request);
    }

    @SuppressWarnings("unchecked")
    private List<Object> list(String id) {
        Object list = gateway.getObject(id);
        if (list == null) {
            throw new Py4JException("Target Object ID does not exist for this gateway :" + id);
        }
        return (List<Object>) list;
    }

    private String carryOut(char kind, List<String> lines, Request request) {
        List<Object> list = list(lines.get(0));
        switch (kind) {
            case 'l':
                return answer(slice(list, request.values(lines.subList(1, lines.size()))));
            case 'a':
                return answer(concatenated(list, list(lines.get(1))));
            case 'm':
                return answer(repeated(list, Protocol.getInteger(lines.get(1))));
            case 'i':
                repeat(list, Protocol.getInteger(lines.get(1)));
                return Protocol.VOID_COMMAND;
            case 'f':
                return answer(Collections.frequency(list, request.value(lines.get(1))));
            default:
                return ordered(kind, list);
        }
    }

    /** These fail without a text, as Python's client expects it. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private String ordered(char kind, List<Object> list) {
        try {
            switch (kind) {
                case 's':
                    Collections.sort((List) list);
                    return Protocol.VOID_COMMAND;
                case 'r':
                    Collections.reverse(list);
                    return Protocol.VOID_COMMAND;
                case 'x':
                    return answer(Collections.max((Collection) list));
                case 'n':
                    return answer(Collections.min((Collection) list));
                default:
                    return Protocol.ERROR_COMMAND;
            }
        } catch (RuntimeException error) {
            return Protocol.ERROR_COMMAND;
        }
    }

    private static List<Object> slice(List<Object> list, List<Object> indices) {
        List<Object> slice = new ArrayList<>(indices.size());
        for (Object index : indices) {
            slice.add(list.get((Integer) index));
        }
        return slice;
    }

    private static List<Object> concatenated(List<Object> list, List<Object> other) {
        List<Object> both = new ArrayList<>(list);
        both.addAll(other);
        return both;
    }

    private static List<Object> repeated(List<Object> list, int times) {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            all.addAll(list);
        }
        return all;
    }

    private static void repeat(List<Object> list, int times) {
        List<Object> once = new ArrayList<>(list);
        if (times <= 0) {
            list.clear();
        }
        for (int i = 1; i < times; i++) {
            list.addAll(once);
        }
    }
}
