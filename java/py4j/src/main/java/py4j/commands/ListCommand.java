package py4j.commands;

import io.samewire.py4j.Elements;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import py4j.Protocol;
import py4j.Py4JException;

/** What Python does with lists in one command: sorting, slices, sums, and so on. */
public class ListCommand extends TextCommand {
    /** The first line of such commands. */
    public static final String LIST_COMMAND_NAME = "l";
    /** Sorts. */
    public static final char LIST_SORT_SUB_COMMAND_NAME = 's';
    /** Reverses. */
    public static final char LIST_REVERSE_SUB_COMMAND_NAME = 'r';
    /** Returns the greatest element. */
    public static final char LIST_MAX_SUB_COMMAND_NAME = 'x';
    /** Returns the least element. */
    public static final char LIST_MIN_SUB_COMMAND_NAME = 'n';
    /** Copies elements. */
    public static final char LIST_SLICE_SUB_COMMAND_NAME = 'l';
    /** Joins two lists. */
    public static final char LIST_CONCAT_SUB_COMMAND_NAME = 'a';
    /** Repeats the elements in a new list. */
    public static final char LIST_MULT_SUB_COMMAND_NAME = 'm';
    /** Repeats the elements in place. */
    public static final char LIST_IMULT_SUB_COMMAND_NAME = 'i';
    /** Counts an element. */
    public static final char LIST_COUNT_SUB_COMMAND_NAME = 'f';
    /** The answer without a value. */
    public static final String RETURN_VOID = Protocol.VOID_COMMAND;

    /** Creates one. */
    public ListCommand() {
        super(LIST_COMMAND_NAME);
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
                return answer(Elements.slice(list, request.indices(lines)));
            case 'a':
                return answer(Elements.concatenated(list, list(lines.get(1))));
            case 'm':
                return answer(Elements.repeated(list, Protocol.getInteger(lines.get(1))));
            case 'i':
                Elements.repeat(list, Protocol.getInteger(lines.get(1)));
                return Protocol.VOID_COMMAND;
            case 'f':
                return answer(Elements.count(list, request.value(lines.get(1))));
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
                    Elements.sort(list);
                    return Protocol.VOID_COMMAND;
                case 'r':
                    Elements.reverse(list);
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
}
