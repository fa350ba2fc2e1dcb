package io.samewire.pack.wire;

/**
 * Something is wrong with a message or value. The fast path does not know more: the code that catches it walks the
 * message again, slowly, to say what and where. Without a stack trace, so that refusing hostile input costs nothing.
 */
public final class Fault extends RuntimeException {
    /** Something is wrong. */
    public static final Fault FAULT = new Fault();
    /**
     * A message gets longer than it may. The value is not walked again: where parts occur in it again and again it may
     * have no end.
     */
    public static final Fault TOO_LONG = new Fault();
    private static final long serialVersionUID = 1L;

    private Fault() {
        super("a message or value is wrong", null, false, false);
    }
}
