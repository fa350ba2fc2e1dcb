package io.samewire.bridge.transport;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** Thrown if there was no memory for a message, which was skipped: the stream continues with the next one. */
public final class PassedOver extends SamewireException {
    private static final long serialVersionUID = 1L;

    private final int message;
    private final int length;

    /**
     * Creates it for a message with this first byte and length.
     *
     * @param full the error of the allocation
     */
    public PassedOver(int message, int length, OutOfMemoryError full) {
        super(Code.CLOSED, -1, null, text(length, full.getMessage()), full);
        this.message = message;
        this.length = length;
    }

    private static String text(int length, String why) {
        return (why == null ? "no memory" : why) + ": there is no room for a message of " + length
            + " bytes in this JVM; send less at once, large values as arrays or bytes, or give the JVM more memory"
            + " (launch(options='-Xmx...'))";
    }

    /** Returns the first byte of the message. */
    public int message() {
        return message;
    }

    /**
     * Returns the error for the caller that waits for the message.
     *
     * @param consequence the effect, as {@code "The call has not run"}
     */
    public OutOfMemoryError error(String consequence) {
        return new OutOfMemoryError(text(length, getCause().getMessage()) + ". " + consequence);
    }
}
