package io.samewire.pack;

/**
 * The one exception of this library: a coded error ({@code spec/errors.md}). Code, offset and path are contract and the same in
 * every language; the message is free.
 */
public final class PackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

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
        super(code + (at < 0 ? "" : " at " + at) + (path == null ? "" : " in " + path) + ": " + text, cause);
        this.code = code;
        this.at = at;
        this.path = path;
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
