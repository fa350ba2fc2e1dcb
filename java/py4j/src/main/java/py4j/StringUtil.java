package py4j;

import io.samewire.py4j.text.Escapes;

/** Texts within a line. */
public final class StringUtil {
    /** Stands before what is escaped. */
    public static final char ESCAPE_CHAR = '\\';

    private StringUtil() {}

    /** Returns a text as it stands in a line; null for null. */
    public static String escape(String original) {
        return Escapes.escape(original);
    }

    /** Returns the text that stands in a line. */
    public static String unescape(String escaped) {
        return Escapes.unescape(escaped);
    }
}
