package io.samewire.pack.wire;

/**
 * Something is wrong with a message or value. The hot path knows no more than that: whoever catches it walks the message again,
 * slowly, to say what and where. Without a stack trace, so that refusing hostile input costs nothing.
 */
public final class Fault extends RuntimeException {
    /** The only one. */
    public static final Fault FAULT = new Fault();
    private static final long serialVersionUID = 1L;

    private Fault() {
        super("a message or value is wrong", null, false, false);
    }
}
