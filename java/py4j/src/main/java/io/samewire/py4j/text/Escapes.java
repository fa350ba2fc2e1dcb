package io.samewire.py4j.text;

/** Texts within a line: a backslash stands before itself, {@code n} and {@code r}. */
public final class Escapes {
    private Escapes() {}

    /** Returns a text as it stands in a line; null for null. */
    public static String escape(String text) {
        if (text == null || text.indexOf('\\') < 0 && text.indexOf('\n') < 0 && text.indexOf('\r') < 0) {
            return text;
        }
        return text.replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n");
    }

    /** Returns the text that stands in a line. */
    public static String unescape(String line) {
        if (line.indexOf('\\') < 0) {
            return line;
        }
        StringBuilder text = new StringBuilder(line.length());
        boolean escaped = false;
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (!escaped && next == '\\') {
                escaped = true;
                continue;
            }
            text.append(escaped && next == 'n' ? '\n' : escaped && next == 'r' ? '\r' : next);
            escaped = false;
        }
        return text.toString();
    }
}
