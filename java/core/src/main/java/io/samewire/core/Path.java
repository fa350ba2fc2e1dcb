package io.samewire.core;

import java.util.regex.Pattern;

/**
 * The steps of a path like {@code $.books[3].year}, which says where in a value an error is: the notation of
 * {@code spec/errors.md}, the same in every language.
 */
public final class Path {
    /** The value itself, where every path begins. */
    public static final String ROOT = "$";

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private Path() {}

    /** Returns the step to a field: {@code .year}, or {@code ["first name"]} if the name is not an identifier. */
    public static String field(String name) {
        return IDENTIFIER.matcher(name).matches() ? "." + name : "[" + quoted(name) + "]";
    }

    /** Returns the step to an element of a list, set or tuple: {@code [3]}. */
    public static String element(int index) {
        return "[" + index + "]";
    }

    /** Returns the step to the key of a map's entry: {@code [3].key}. */
    public static String key(int index) {
        return "[" + index + "].key";
    }

    /** Returns the step to the value of a map's entry: {@code [3].value}. */
    public static String value(int index) {
        return "[" + index + "].value";
    }

    /** Returns a name in double quotes. Quotes, backslashes and control characters are escaped as in JSON. */
    public static String quoted(String name) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < 0x20) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.append('"').toString();
    }
}
