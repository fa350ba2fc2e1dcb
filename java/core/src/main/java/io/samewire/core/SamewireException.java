package io.samewire.core;

/**
 * The exception of every part of Samewire: an error with a code ({@code spec/errors.md}). Code, offset and path are the
 * same in every language; the message may differ.
 */
public class SamewireException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_PATH = 256;
    private static final int MAX_TEXT = 1024;

    private final Code code;
    private final long at;
    private final String path;
    private final String text;

    /**
     * Creates an error.
     *
     * @param code what kind of error
     * @param at offset in bytes from the start of the message, schema text or stream, or -1 if there is none
     * @param path the place in the value, like {@code $.books[3].year}, or null if there is none
     * @param text what was expected, what came, what to do
     */
    public SamewireException(Code code, long at, String path, String text) {
        this(code, at, path, text, null);
    }

    /**
     * Creates an error that another exception caused.
     *
     * @param code what kind of error
     * @param at offset in bytes, or -1 if there is none
     * @param path the place in the value, or null if there is none
     * @param text what was expected, what came, what to do
     * @param cause what the code of a native type threw
     */
    public SamewireException(Code code, long at, String path, String text, Throwable cause) {
        super(null, cause);
        this.code = code;
        this.at = at;
        this.path = path;
        this.text = shortened(text);
    }

    /**
     * A text may name what came in a message, which may be megabytes, and an exception may be kept for long: a client
     * of a gateway holds references to those that it caused.
     */
    private static String shortened(String text) {
        return text == null || text.length() <= MAX_TEXT ? text
            : text.substring(0, MAX_TEXT) + "… (" + text.length() + " characters)";
    }

    /** Returns code, offset, path and text. It is put together here, since few errors are ever printed. */
    @Override
    public String getMessage() {
        StringBuilder message = new StringBuilder().append(code);
        if (at >= 0) {
            message.append(" at ").append(at);
        }
        if (path != null) {
            appendEscaped(message.append(" in "), path, MAX_PATH);
        }
        String said = String.valueOf(text);
        appendEscaped(message.append(": "), said, said.length());
        return message.toString();
    }

    /**
     * Appends text that may come from a message: at most so many characters of it, and with control characters escaped,
     * since they could forge lines of a log.
     */
    private static void appendEscaped(StringBuilder message, String text, int max) {
        int end = Math.min(text.length(), max);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (isPrintable(Character.getType(c))) {
                message.append(c);
            } else {
                message.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
            }
        }
        if (end < text.length()) {
            message.append("… (").append(text.length()).append(" characters)");
        }
    }

    private static boolean isPrintable(int type) {
        return type != Character.CONTROL && type != Character.FORMAT && type != Character.LINE_SEPARATOR
            && type != Character.PARAGRAPH_SEPARATOR;
    }

    /** Returns what kind of error this is. */
    public Code code() {
        return code;
    }

    /** Returns the offset in bytes from the start of the message, schema text or stream, or -1 if there is none. */
    public long at() {
        return at;
    }

    /** Returns the place in the value as a {@link Path}, like {@code $.books[3].year}, or null if there is none. */
    public String path() {
        return path;
    }

    /**
     * Returns what was expected, what came and what to do: the message without code, offset and path. Of a text of over
     * 1,024 characters it is the first 1,024, and how many there were.
     */
    public String text() {
        return text;
    }
}
