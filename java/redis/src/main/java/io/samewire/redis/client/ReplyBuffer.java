package io.samewire.redis.client;

import io.samewire.core.Limits;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyScanner;
import io.samewire.redis.resp.ReplyType;
import io.samewire.redis.resp.Utf8;
import java.util.Arrays;

/**
 * The bytes that a server has sent, and the replies in them. Without I/O: bytes are put at {@link #to} of
 * {@link #array}, {@link #next} finds a reply, {@link #reader} reads it, {@link #consume} goes behind it. The array
 * grows with what has come, never with what a reply announces.
 */
final class ReplyBuffer {
    private static final int INITIAL = 16_384;
    /** A larger array is released when it is empty. */
    private static final int MOST_IDLE = 1 << 20;

    private final ReplyScanner scanner;
    private final ReplyReader reader;
    private byte[] array = new byte[INITIAL];
    private int from;
    private int to;
    /** The length of the reply at {@code from}; 0 if none was found yet. */
    private int length;

    ReplyBuffer(Limits limits) {
        scanner = new ReplyScanner(limits);
        reader = new ReplyReader(limits, Utf8.STRICT);
    }

    byte[] array() {
        return array;
    }

    int to() {
        return to;
    }

    /** Makes room, and returns how much there is behind {@link #to}. */
    int room() {
        if (from == to && array.length > MOST_IDLE) {
            array = new byte[INITIAL];
            from = 0;
            to = 0;
        } else if (from == to) {
            from = 0;
            to = 0;
        } else if (to == array.length) {
            // Moves only if that frees as much as it copies: else many small replies would make every read copy.
            if (from >= to - from) {
                System.arraycopy(array, from, array, 0, to - from);
            } else {
                long larger = Math.min(2L * array.length, Integer.MAX_VALUE - 8);
                byte[] grown = new byte[(int) larger];
                System.arraycopy(array, from, grown, 0, to - from);
                array = grown;
            }
            to -= from;
            from = 0;
        }
        return array.length - to;
    }

    /** Says that so many bytes were put at {@link #to}. */
    void received(int bytes) {
        to += bytes;
    }

    /** Returns whether a complete reply is there, which stays the same one until it is consumed. */
    boolean next() {
        if (length == 0 && from < to) {
            length = Math.max(0, scanner.scan(array, from, to));
        }
        return length > 0;
    }

    /**
     * Returns the reader on a reply that may not be complete, which saves looking for its end: 20 of 45 ns for an OK.
     * Null if the next thing is not a plain reply, or a part of it was looked at. {@link #passed} must follow.
     */
    ReplyReader direct() {
        if (from == to || length > 0 || scanner.isInside()) {
            return null;
        }
        byte type = array[from];
        return type == '-' || type == '!' || type == '|' || type == '>' ? null : reader.reset(array, from, to);
    }

    /** Goes behind the reply that was read directly. Returns false if it was not read to its end. */
    boolean passed() {
        if (!reader.isDone()) {
            return false;
        }
        int bytes = reader.position() - from;
        scanner.skip(bytes);
        from += bytes;
        return true;
    }

    /** Returns whether bytes are there that no reply has taken. */
    boolean isEmpty() {
        return from == to;
    }

    /** Returns the reader at the start of the reply. It lasts until the next reply is read. */
    ReplyReader reader() {
        return reader.reset(array, from, from + length);
    }

    /** Returns whether the reply was not asked for, in RESP3. */
    boolean isPush() {
        byte type = array[from];
        return type == '>' || type == '|' && reader().type() == ReplyType.PUSH;
    }

    /** Returns whether what is there, which may not be complete, can be a push, or attributes of the next thing. */
    boolean beginsPush() {
        return array[from] == '>' || array[from] == '|';
    }

    /** Returns whether what has come begins as an alert of TLS does. */
    boolean beginsTlsAlert() {
        return to - from >= 2 && array[from] == 21 && array[from + 1] == 3;
    }

    /** Returns a copy of the reply's bytes. */
    byte[] copy() {
        return Arrays.copyOfRange(array, from, from + length);
    }

    /** Returns whether the reply is an error. */
    boolean isError() {
        byte type = array[from];
        return type == '-' || type == '!' || type == '|' && reader().type() == ReplyType.ERROR;
    }

    /** Goes behind the reply. */
    void consume() {
        from += length;
        length = 0;
    }
}
