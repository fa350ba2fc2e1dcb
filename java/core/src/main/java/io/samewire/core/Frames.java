package io.samewire.core;

import java.util.Arrays;

/** Writes frames: the length of a message, then the message ({@code spec/pack.md} section 14). */
public final class Frames {
    private static final int MAX_LENGTH_BYTES = 5;

    private Frames() {}

    /**
     * Returns the frame of a message.
     *
     * @throws SamewireException {@code misuse} if the message is empty
     */
    public static byte[] frame(byte[] message) {
        byte[] head = head(message.length);
        byte[] frame = Arrays.copyOf(head, head.length + message.length);
        System.arraycopy(message, 0, frame, head.length, message.length);
        return frame;
    }

    /**
     * Returns the bytes that precede a message of that length in its frame, 1 to 5, for callers that write the message
     * separately.
     *
     * @throws SamewireException {@code misuse} if the length is below 1
     */
    public static byte[] head(int length) {
        if (length < 1) {
            throw new SamewireException(Code.MISUSE, -1, null, "a frame holds a message of at least 1 byte, not "
                + length);
        }
        byte[] head = new byte[MAX_LENGTH_BYTES];
        int at = 0;
        int rest = length;
        while (rest >>> 7 != 0) {
            head[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        head[at++] = (byte) rest;
        return Arrays.copyOf(head, at);
    }
}
