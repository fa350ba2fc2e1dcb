package io.samewire.pack;

import java.util.Arrays;

/** Writes frames: a message's length, then the message ({@code spec/pack.md} section 14). */
public final class Frames {
    private Frames() {}

    /**
     * The frame of a message.
     *
     * @throws PackException {@code misuse} for a message without bytes
     */
    public static byte[] frame(byte[] message) {
        byte[] head = head(message.length);
        byte[] frame = Arrays.copyOf(head, head.length + message.length);
        System.arraycopy(message, 0, frame, head.length, message.length);
        return frame;
    }

    /** What stands before a message of that length, for those who write it apart from the message. */
    public static byte[] head(int length) {
        if (length < 1) {
            throw new PackException(Code.MISUSE, -1, null, "a frame holds a message");
        }
        byte[] head = new byte[5];
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
