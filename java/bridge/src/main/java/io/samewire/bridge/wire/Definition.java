package io.samewire.bridge.wire;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.List;

/**
 * The definition of a call site ({@code spec/bridge.md} section 5).
 *
 * @param action one of the constants
 * @param className the binary name of a class, or {@code #} and its number; empty if there is none
 * @param member the name of a method or field; empty if there is none
 * @param arguments the kinds of the arguments, the receiver first
 * @param result the requested kind, or empty
 */
public record Definition(int action, String className, String member, List<Kind> arguments, String result) {
    /** Makes an object. */
    public static final int CONSTRUCT = 0;
    /** Calls a method of an object. */
    public static final int METHOD = 1;
    /** Calls a method of a class. */
    public static final int STATIC = 2;
    /** Reads a field of an object. */
    public static final int GET = 3;
    /** Writes a field of an object. */
    public static final int SET = 4;
    /** Reads a field of a class. */
    public static final int STATIC_GET = 5;
    /** Writes a field of a class. */
    public static final int STATIC_SET = 6;
    /** Describes a class. */
    public static final int DESCRIBE = 7;

    /** The most arguments: those of a method of the JVM, and the receiver. */
    private static final int MOST_ARGUMENTS = 256;

    /** Copies the arguments' kinds. */
    public Definition {
        arguments = List.copyOf(arguments);
    }

    /**
     * Reads a definition.
     *
     * @throws SamewireException {@code malformed}, {@code limit_items}, {@code bad_utf8}, {@code truncated} or {@code
     *     bad_number} at an offset of the message
     */
    public static Definition read(Input in) {
        int at = in.at();
        int action = in.u8();
        if (action > DESCRIBE) {
            throw new SamewireException(Code.MALFORMED, at, null, "an action is 0 to 7, not " + action);
        }
        String className = in.name();
        String member = in.name();
        at = in.at();
        int count = in.count();
        if (count > MOST_ARGUMENTS) {
            throw new SamewireException(Code.LIMIT_ITEMS, at, null, count + " arguments, 256 are the most: pass an"
                + " array or a list");
        }
        List<Kind> arguments = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            at = in.at();
            Kind kind = Kind.parse(in.name(), at);
            if (kind.form() == Kind.Form.VOID) {
                throw new SamewireException(Code.MALFORMED, at, null, "an argument is of no kind 'void'");
            }
            arguments.add(kind);
        }
        at = in.at();
        String result = in.name();
        if (!result.isEmpty() && !result.equals("value")) {
            Kind.parseResult(result, at);
        }
        return new Definition(action, className, member, arguments, result);
    }

    // Written out: a record's generated methods are linked at their first call, which takes 10 ms.
    @Override
    public boolean equals(Object other) {
        return other instanceof Definition && equals((Definition) other);
    }

    private boolean equals(Definition other) {
        return action == other.action && className.equals(other.className) && member.equals(other.member)
            && arguments.equals(other.arguments) && result.equals(other.result);
    }

    @Override
    public int hashCode() {
        return ((action * 31 + className.hashCode()) * 31 + member.hashCode()) * 31 + arguments.hashCode();
    }

    /** Returns how many characters its texts have. */
    public int length() {
        int length = className.length() + member.length() + result.length();
        for (int i = 0; i < arguments.size(); i++) {
            length += arguments.get(i).text().length();
        }
        return length;
    }

    /** Writes this definition. */
    public void write(Output out) {
        out.u8(action);
        out.string(className);
        out.string(member);
        out.varint(arguments.size());
        for (int i = 0; i < arguments.size(); i++) {
            out.string(arguments.get(i).text());
        }
        out.string(result);
    }
}
