package io.samewire.core;

import java.util.Arrays;
import java.util.Objects;

/**
 * Cuts a stream of frames into messages ({@code spec/pack.md} section 14). Feed bytes as they arrive, then call {@link
 * #next()} until it returns null. A length over {@link Limits#frameBytes()} is refused before any byte of its message
 * is buffered. After an error every call throws the same error again. Not thread-safe.
 */
public final class FrameScanner {
    private static final int MAX_LENGTH_BYTES = 5;
    private static final int INITIAL_CAPACITY = 256;
    /** A larger buffer is released once it is empty. */
    private static final int MAX_IDLE_CAPACITY = 1 << 20;
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

    private final Limits limits;
    /** The bytes fed and not yet returned are {@code buffer[from, to)}. */
    byte[] buffer = new byte[INITIAL_CAPACITY];
    private int from;
    private int to;
    /** Offset in the stream of {@code buffer[from]}. */
    private long at;
    private boolean ended;
    private SamewireException failure;

    /** Creates a scanner with the default limits. */
    public FrameScanner() {
        this(Limits.DEFAULT);
    }

    /** Creates a scanner with the given limits, of which it uses {@code frameBytes} and {@code bufferedBytes}. */
    public FrameScanner(Limits limits) {
        this.limits = Objects.requireNonNull(limits);
    }

    /** Appends the next bytes of the stream. They are copied. */
    public void feed(byte[] bytes) {
        feed(bytes, 0, bytes.length);
    }

    /**
     * Appends the next bytes of the stream, {@code bytes[start, end)}. They are copied.
     *
     * @throws SamewireException the error that this scanner failed with; {@code misuse} after {@link #end()}, for a
     *     range outside the array, and if more bytes would be buffered than an array holds: these leave the scanner
     *     unchanged
     */
    public void feed(byte[] bytes, int start, int end) {
        if (failure != null) {
            throw failure;
        }
        if (ended) {
            throw new SamewireException(Code.MISUSE, -1, null, "bytes are fed after the end of the stream");
        }
        if (start < 0 || end < start || end > bytes.length) {
            throw new SamewireException(Code.MISUSE, -1, null,
                "range " + start + " to " + end + " is outside the " + bytes.length + " bytes");
        }
        int more = end - start;
        if (more > buffer.length - to) {
            reserve(more);
        }
        System.arraycopy(bytes, start, buffer, to, more);
        to += more;
    }

    private void reserve(int more) {
        int buffered = to - from;
        long wanted = (long) buffered + more;
        if (wanted > MAX_ARRAY) {
            throw new SamewireException(Code.MISUSE, -1, null,
                wanted + " bytes would be buffered: call next before feeding more");
        }
        // Compacts in place only if that frees as much as it moves: otherwise many small messages in the buffer would
        // make every feed move all of them.
        boolean compact = wanted <= buffer.length && (from >= buffered || buffer.length == MAX_ARRAY);
        byte[] target = compact ? buffer : new byte[(int) Math.min(Math.max(2L * buffer.length, wanted), MAX_ARRAY)];
        System.arraycopy(buffer, from, target, 0, buffered);
        buffer = target;
        from = 0;
        to = buffered;
    }

    /**
     * Returns the next complete message, or null if more bytes are needed.
     *
     * @throws SamewireException {@code limit_size}, {@code malformed} or {@code bad_number} at the length of a frame
     */
    public byte[] next() {
        if (failure != null) {
            throw failure;
        }
        int length = completeLength();
        if (length < 0) {
            return null;
        }
        int begin = from + lengthBytes(length);
        byte[] message = Arrays.copyOfRange(buffer, begin, begin + length);
        at += begin + length - from;
        from = begin + length;
        if (from == to) {
            from = 0;
            to = 0;
            buffer = buffer.length > MAX_IDLE_CAPACITY ? new byte[INITIAL_CAPACITY] : buffer;
        }
        return message;
    }

    /**
     * Declares the end of the stream. All complete messages must have been taken.
     *
     * @throws SamewireException {@code truncated} inside a frame; what {@link #next()} would throw; {@code misuse} if
     *     {@link #next()} would return a message, which leaves the scanner unchanged
     */
    public void end() {
        if (failure != null) {
            throw failure;
        }
        if (completeLength() >= 0) {
            throw new SamewireException(Code.MISUSE, -1, null, "messages are left: call next until it returns null");
        }
        if (to > from) {
            throw fail(Code.TRUNCATED, at + to - from, "the stream ends inside a frame");
        }
        ended = true;
    }

    private static int lengthBytes(int length) {
        return length == 0 ? 1 : (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 6) / 7;
    }

    /** Returns the length of the message at {@code from}, or -1 if the message is not complete. */
    private int completeLength() {
        int length = readLength();
        return length < 0 || to - from - lengthBytes(length) < length ? -1 : length;
    }

    /** Returns the length at {@code from}, or -1 if its own bytes are not complete. */
    private int readLength() {
        long length = 0;
        for (int i = 0; i < MAX_LENGTH_BYTES; i++) {
            if (from + i == to) {
                return -1;
            }
            int part = buffer[from + i];
            length |= (long) (part & 0x7f) << 7 * i;
            if (part >= 0) {
                if (part == 0 && i > 0 || length > Integer.MAX_VALUE) {
                    throw fail(Code.BAD_NUMBER, at, "a length that is not in its shortest form, or 2^31 or more");
                } else if (length == 0) {
                    throw fail(Code.MALFORMED, at, "a frame without a message");
                } else if (length > limits.frameBytes() || length + i + 1 > limits.bufferedBytes()) {
                    throw fail(Code.LIMIT_SIZE, at, "a message of " + length + " bytes exceeds the limits of "
                        + limits.frameBytes() + " bytes for a frame and " + limits.bufferedBytes() + " buffered");
                }
                return (int) length;
            }
        }
        throw fail(Code.BAD_NUMBER, at, "a length of more than 5 bytes");
    }

    private SamewireException fail(Code code, long where, String text) {
        failure = new SamewireException(code, where, Path.ROOT, text);
        buffer = new byte[0];
        from = 0;
        to = 0;
        return failure;
    }
}
