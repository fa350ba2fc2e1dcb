package io.samewire.pack;

import java.util.Arrays;
import java.util.Objects;

/**
 * Cuts a stream of frames into messages ({@code spec/pack.md} section 14): feed bytes as they come, then ask for messages
 * until there is none. A length over {@link Limits#frameBytes()} is refused before any of its payload is kept. After an error
 * the scanner is dead and answers the same error again. Not thread-safe.
 */
public final class FrameScanner {
    private static final int MOST_LENGTH_BYTES = 5;
    private static final int FIRST = 256;
    /** A longer buffer is not kept once nothing is in it. */
    private static final int MOST_KEPT = 1 << 20;
    private static final int MOST_ARRAY = Integer.MAX_VALUE - 8;

    private final Limits limits;
    /** What was fed and not taken, {@code held[from, to)}. */
    byte[] held = new byte[FIRST];
    private int from;
    private int to;
    /** Offset in the stream of {@code held[from]}. */
    private long at;
    private boolean ended;
    private PackException dead;

    /** A scanner with the default limits. */
    public FrameScanner() {
        this(Limits.DEFAULT);
    }

    /** A scanner with those limits, of which {@code frameBytes} and {@code bufferedBytes} count. */
    public FrameScanner(Limits limits) {
        this.limits = Objects.requireNonNull(limits);
    }

    /** Hands over the next bytes of the stream; they are copied. */
    public void feed(byte[] bytes) {
        feed(bytes, 0, bytes.length);
    }

    /**
     * Hands over the next bytes of the stream, {@code bytes[start, end)}; they are copied.
     *
     * @throws PackException the error that the scanner died of; {@code misuse} after {@link #end()}, for a part that is not in
     *     the array, and for more bytes than an array holds if no message is taken: the scanner is then as it was
     */
    public void feed(byte[] bytes, int start, int end) {
        if (dead != null) {
            throw dead;
        }
        if (ended) {
            throw new PackException(Code.MISUSE, -1, null, "bytes after the end of the stream");
        }
        if (start < 0 || end < start || end > bytes.length) {
            throw new PackException(Code.MISUSE, -1, null, "no part " + start + " … " + end + " of " + bytes.length + " bytes");
        }
        int more = end - start;
        if (more > held.length - to) {
            makeRoom(more);
        }
        System.arraycopy(bytes, start, held, to, more);
        to += more;
    }

    private void makeRoom(int more) {
        int waiting = to - from;
        long wanted = (long) waiting + more;
        if (wanted > MOST_ARRAY) {
            throw new PackException(Code.MISUSE, -1, null, wanted + " bytes are held: take the messages before feeding more");
        }
        // Moved within the array only where that frees as much as it moves, or who leaves many messages would wait for each.
        boolean enough = wanted <= held.length && (from >= waiting || held.length == MOST_ARRAY);
        byte[] room = enough ? held : new byte[(int) Math.min(Math.max(2L * held.length, wanted), MOST_ARRAY)];
        System.arraycopy(held, from, room, 0, waiting);
        held = room;
        from = 0;
        to = waiting;
    }

    /**
     * The next whole message.
     *
     * @return the message, or null if more bytes are needed
     * @throws PackException {@code limit_size}, {@code malformed} or {@code bad_number} at the length of a frame
     */
    public byte[] next() {
        if (dead != null) {
            throw dead;
        }
        int length = wholeLength();
        if (length < 0) {
            return null;
        }
        int begin = from + lengthBytes(length);
        byte[] message = Arrays.copyOfRange(held, begin, begin + length);
        at += begin + length - from;
        from = begin + length;
        if (from == to) {
            from = 0;
            to = 0;
            held = held.length > MOST_KEPT ? new byte[FIRST] : held;
        }
        return message;
    }

    /**
     * Declares the end of the stream. All whole messages must have been taken.
     *
     * @throws PackException {@code truncated} inside a frame; otherwise what {@link #next()} would throw, {@code misuse} if it
     *     would answer a message: the end is then not declared
     */
    public void end() {
        if (dead != null) {
            throw dead;
        }
        if (wholeLength() >= 0) {
            throw new PackException(Code.MISUSE, -1, null, "messages are left: call next until it answers null");
        }
        if (to > from) {
            throw die(Code.TRUNCATED, at + to - from, "the stream ends inside a frame");
        }
        ended = true;
    }

    private static int lengthBytes(int length) {
        return length == 0 ? 1 : (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 6) / 7;
    }

    /** The length of the message that begins at {@code from}, or -1 if it is not whole. */
    private int wholeLength() {
        int length = checkLength();
        return length < 0 || to - from - lengthBytes(length) < length ? -1 : length;
    }

    /** The length that begins at {@code from}, or -1 if not all of its bytes are there. */
    private int checkLength() {
        long length = 0;
        for (int i = 0; i < MOST_LENGTH_BYTES; i++) {
            if (from + i == to) {
                return -1;
            }
            int part = held[from + i];
            length |= (long) (part & 0x7f) << 7 * i;
            if (part >= 0) {
                if (part == 0 && i > 0 || length > Integer.MAX_VALUE) {
                    throw die(Code.BAD_NUMBER, at, "a length that is not in its shortest form, or 2^31 or more");
                } else if (length == 0) {
                    throw die(Code.MALFORMED, at, "a frame without a message");
                } else if (length > limits.frameBytes() || length + i + 1 > limits.bufferedBytes()) {
                    throw die(Code.LIMIT_SIZE, at, "a message of " + length + " bytes");
                }
                return (int) length;
            }
        }
        throw die(Code.BAD_NUMBER, at, "a length of more than 5 bytes");
    }

    private PackException die(Code code, long where, String text) {
        dead = new PackException(code, where, "$", text);
        held = new byte[0];
        from = 0;
        to = 0;
        return dead;
    }
}
