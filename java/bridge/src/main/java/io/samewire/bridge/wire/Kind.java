package io.samewire.bridge.wire;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.List;

/** The kind of an argument or a result ({@code spec/bridge.md} section 4): its text, parsed. */
public final class Kind {
    /** The forms of kinds. */
    public enum Form {
        /** No value at all. */
        VOID,
        /** Null. */
        NULL,
        /** A truth value. */
        BOOL,
        /** An integer of 8 bits. */
        I8,
        /** An integer of 16 bits. */
        I16,
        /** An integer of 32 bits. */
        I32,
        /** An integer of 64 bits. */
        I64,
        /** A float of 32 bits. */
        F32,
        /** A float of 64 bits. */
        F64,
        /** A unit of UTF-16. */
        CHAR,
        /** A text. */
        STRING,
        /** Bytes. */
        BYTES,
        /** A row of values of fixed width, {@code list<N>} or {@code array<N>}; {@link Kind#element()} is N. */
        ROW,
        /** {@code list<string>}. */
        STRINGS,
        /** {@code option<K>}; {@link Kind#element()} is K. */
        OPTION,
        /** A reference; {@link Kind#number()} is the number of its class, or 0. */
        OBJECT,
        /** An object of the sender's that is called back; {@link Kind#interfaces()} are what it implements. */
        PEER,
        /** The result of an earlier call of the batch. */
        RESULT,
        /** A tagged value. */
        ANY,
        /** A list of tagged values. */
        LIST,
        /** A set of tagged values. */
        SET,
        /** A tuple of tagged values. */
        TUPLE,
        /** A map of tagged values. */
        MAP,
        /** The description of a class. */
        CLASS,
        /** A pack message; the text is its schema. */
        PACK
    }

    private static final String[] PLAIN = {"void", "null", "bool", "i8", "i16", "i32", "i64", "f32", "f64", "char",
        "string", "bytes"};
    private static final Form[] FORMS = Form.values();
    private static final String OPTION = "option<";
    /** The length of {@code "peer "}, behind which its interfaces or numbers begin. */
    private static final int PEER_NAME = 5;
    /** In place of the most arguments of a callable: it takes any number. */
    private static final int ANY_NUMBER = 255;
    /** The most characters of a kind. */
    private static final int MOST = 1 << 20;

    private final Form form;
    private final String text;
    private final Kind element;
    private final int number;
    private final List<String> interfaces;

    private Kind(Form form, String text, Kind element, int number, List<String> interfaces) {
        this.form = form;
        this.text = text;
        this.element = element;
        this.number = number;
        this.interfaces = interfaces;
    }

    private Kind(Form form, String text) {
        this(form, text, null, 0, List.of());
    }

    /**
     * Reads the text of a kind. A text that is not another kind is taken for the schema of a pack message, and not
     * checked here.
     *
     * @throws SamewireException {@code malformed} if the text is empty, or has an invalid class number
     */
    public static Kind parse(String text) {
        return parse(text, -1);
    }

    /**
     * Reads the text of a kind at an offset of a message.
     *
     * @throws SamewireException {@code malformed} at the offset, as {@link #parse(String)}
     */
    public static Kind parse(String text, int at) {
        for (int i = 0; i < PLAIN.length; i++) {
            if (text.equals(PLAIN[i])) {
                return new Kind(FORMS[i], PLAIN[i]);
            }
        }
        switch (text) {
            case "object": return new Kind(Form.OBJECT, text);
            case "peer": return new Kind(Form.PEER, text);
            case "result": return new Kind(Form.RESULT, text);
            case "any": return new Kind(Form.ANY, text);
            case "list": return new Kind(Form.LIST, text);
            case "set": return new Kind(Form.SET, text);
            case "tuple": return new Kind(Form.TUPLE, text);
            case "map": return new Kind(Form.MAP, text);
            case "class": return new Kind(Form.CLASS, text);
            case "list<string>": return new Kind(Form.STRINGS, text);
            case "": throw malformed(at, "a kind without a text");
            default: return compound(text, at);
        }
    }

    /**
     * Reads the text of a kind that a result may have.
     *
     * @throws SamewireException {@code malformed} at the offset if it is another
     */
    public static Kind parseResult(String text, int at) {
        Kind kind = parse(text, at);
        boolean argument = kind.form == Form.NULL || kind.form == Form.PEER || kind.form == Form.RESULT
            || kind.form == Form.OBJECT && kind.number != 0;
        if (argument) {
            throw malformed(at, "a result is of no kind '" + text + "'");
        }
        return kind;
    }

    private static Kind scalar(String text) {
        for (int i = Form.BOOL.ordinal(); i <= Form.CHAR.ordinal(); i++) {
            if (text.equals(PLAIN[i])) {
                return new Kind(FORMS[i], PLAIN[i]);
            }
        }
        return null;
    }

    private static Kind compound(String text, int at) {
        if (text.startsWith("object ")) {
            return new Kind(Form.OBJECT, text, null, classNumber(text, at), List.of());
        }
        if (text.startsWith("peer ")) {
            return text.length() > PEER_NAME && Character.isDigit(text.charAt(PEER_NAME))
                ? new Kind(Form.PEER, text, null, positional(text, at), List.of())
                : new Kind(Form.PEER, text, null, 0, names(text, at));
        }
        int options = options(text);
        if (options > 0) {
            Kind element = parse(text.substring(options * OPTION.length(), text.length() - options), at);
            int order = element.form.ordinal();
            if (options == 1 && order > Form.NULL.ordinal() && order < Form.OPTION.ordinal()) {
                return new Kind(Form.OPTION, text, element, 0, List.of());
            }
            // An option of a type that only pack has is a pack schema.
            if (element.form != Form.PACK) {
                throw malformed(at, "'" + element + "' cannot be null, nor '" + text + "' be a kind");
            }
        } else if ((text.startsWith("list<") || text.startsWith("array<")) && text.endsWith(">")) {
            Kind element = scalar(text.substring(text.indexOf('<') + 1, text.length() - 1));
            if (element != null) {
                return new Kind(Form.ROW, text, element, 0, List.of());
            }
            if (text.charAt(0) == 'a') {
                // Pack has no arrays: nothing else can be meant.
                throw malformed(at, "'" + text + "' is not an array of values of fixed width");
            }
        }
        if (text.length() > MOST) {
            throw malformed(at, "a kind of " + text.length() + " characters");
        }
        return new Kind(Form.PACK, text);
    }

    /** Counts the options around a kind in a loop, not by recursion: a frame may be full of them. */
    private static int options(String text) {
        int count = 0;
        int left = text.length();
        while (left > OPTION.length() && text.startsWith(OPTION, count * OPTION.length())
            && text.charAt(text.length() - count - 1) == '>') {
            count++;
            left -= OPTION.length() + 1;
        }
        return count;
    }

    private static int classNumber(String text, int at) {
        long number = 0;
        for (int i = 7; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || number == 0 && digit == 0) {
                throw malformed(at, "'" + text + "' is not a class number");
            }
            number = number * 10 + digit;
            if (number > Integer.MAX_VALUE) {
                throw malformed(at, "'" + text + "' is not a class number");
            }
        }
        if (number == 0) {
            throw malformed(at, "'" + text + "' lacks a class number");
        }
        return (int) number;
    }

    /** How many arguments a callable takes, by {@code peer N M}: the fewest, and above 8 bits the most, plus one. */
    private static int positional(String text, int at) {
        int space = text.indexOf(' ', PEER_NAME);
        int least = space < 0 ? -1 : count(text, PEER_NAME, space);
        int most = space < 0 ? -1 : count(text, space + 1, text.length());
        if (least < 0 || most < least) {
            throw malformed(at, "'" + text + "' does not say how many arguments a callable takes");
        }
        return least | (most + 1) << 8;
    }

    /** Returns a number of 0 to 255, written without zeros in front; -1 for anything else. */
    private static int count(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || i > from && number == 0) {
                return -1;
            }
            number = 10 * number + digit;
            if (number > ANY_NUMBER) {
                return -1;
            }
        }
        return from == to ? -1 : number;
    }

    private static List<String> names(String text, int at) {
        List<String> names = new ArrayList<>();
        int from = PEER_NAME;
        while (from <= text.length()) {
            int end = text.indexOf(' ', from);
            end = end < 0 ? text.length() : end;
            if (end == from) {
                throw malformed(at, "an interface without a name in '" + text + "'");
            }
            names.add(text.substring(from, end));
            from = end + 1;
        }
        return List.copyOf(names);
    }

    private static SamewireException malformed(int at, String text) {
        return new SamewireException(Code.MALFORMED, at, null, text);
    }

    /** Returns whether a callable may take so many arguments; true if that is not known. */
    public boolean takes(int arguments) {
        int most = (number >>> 8) - 1;
        return form != Form.PEER || number == 0
            || arguments >= (number & ANY_NUMBER) && (arguments <= most || most == ANY_NUMBER);
    }

    /** Returns the form. */
    public Form form() {
        return form;
    }

    /** Returns the text. */
    public String text() {
        return text;
    }

    /** Returns the kind of a row's elements, or of an option's value; null for other forms. */
    public Kind element() {
        return element;
    }

    /** Returns the class number of {@code object C}; 0 if it has none, and for other forms. */
    public int number() {
        return number;
    }

    /** Returns the names of a {@code peer}'s interfaces; empty for a callable, and for other forms. */
    public List<String> interfaces() {
        return interfaces;
    }

    /** Returns the bytes of a value of fixed width, 1 to 8; 0 for other forms. */
    public int width() {
        switch (form) {
            case BOOL: case I8: return 1;
            case I16: case CHAR: return 2;
            case I32: case F32: return 4;
            case I64: case F64: return 8;
            default: return 0;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Kind && ((Kind) other).text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
