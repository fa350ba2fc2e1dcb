package io.samewire.bridge.transport;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** Tells that there was no memory for a message, which was passed over: the stream goes on with the next one. */
public final class PassedOver extends SamewireException {
    private static final long serialVersionUID = 1L;

    private final int message;
    private final int length;

    /**
     * Creates it for a message that begins with a byte, and has so many.
     *
     * @param full what said that there was no memory
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
     * Returns the error for who waits for the message.
     *
     * @param consequence what has not happened
     */
    public OutOfMemoryError error(String consequence) {
        return new OutOfMemoryError(text(length, getCause().getMessage()) + ". " + consequence);
    }
}
