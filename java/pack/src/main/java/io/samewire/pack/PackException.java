package io.samewire.pack;

/**
 * The one exception of this library: a coded error ({@code spec/errors.md}). Code, offset and path are contract and the same in
 * every language; the message is free.
 */
public final class PackException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_PATH = 256;
    private static final int MOST_TEXT = 1024;

    private final Code code;
    private final long at;
    private final String path;

    /**
     * An error.
     *
     * @param code what kind of error
     * @param at offset in bytes from the start of the message, schema text or stream, or -1 where there is none
     * @param path where in the value, like {@code $.books[3].year}, or null where there is none
     * @param text what was expected, what came, what to do
     */
    public PackException(Code code, long at, String path, String text) {
        this(code, at, path, text, null);
    }

    /**
     * An error that another exception caused.
     *
     * @param code what kind of error
     * @param at offset in bytes, or -1 where there is none
     * @param path where in the value, or null where there is none
     * @param text what was expected, what came, what to do
     * @param cause what a native type's own code threw
     */
    public PackException(Code code, long at, String path, String text, Throwable cause) {
        super(message(code, at, path, text), cause);
        this.code = code;
        this.at = at;
        this.path = path;
    }

    private static String message(Code code, long at, String path, String text) {
        StringBuilder message = new StringBuilder().append(code);
        if (at >= 0) {
            message.append(" at ").append(at);
        }
        if (path != null) {
            show(message.append(" in "), path, MOST_PATH);
        }
        show(message.append(": "), String.valueOf(text), MOST_TEXT);
        return message.toString();
    }

    /** What came may be megabytes, or be meant to pass for other lines of a log: it is cut, and what does not show is escaped. */
    private static void show(StringBuilder message, String text, int most) {
        int end = Math.min(text.length(), most);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (shows(Character.getType(c))) {
                message.append(c);
            } else {
                message.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
            }
        }
        if (end < text.length()) {
            message.append("… (").append(text.length()).append(" characters)");
        }
    }

    private static boolean shows(int type) {
        return type != Character.CONTROL && type != Character.FORMAT && type != Character.LINE_SEPARATOR
            && type != Character.PARAGRAPH_SEPARATOR;
    }

    /** What kind of error. */
    public Code code() {
        return code;
    }

    /** Offset in bytes from the start of the message, schema text or stream; -1 where there is none. */
    public long at() {
        return at;
    }

    /** Where in the value, in the notation of {@code spec/pack.md} section 12; null where there is none. */
    public String path() {
        return path;
    }
}
