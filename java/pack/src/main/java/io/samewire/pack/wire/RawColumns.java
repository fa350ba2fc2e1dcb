package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.UUID;

/**
 * Columns of values of one width, one after the other ({@code spec/columns.md} section 2): a bit for each, 4 bytes, or
 * 16. Those that are read stay in the message until they are used.
 */
public final class RawColumns {
    private RawColumns() {}

    /** Moves over {@code m} values of that many bytes. Returns where they begin. */
    public static int take(Reader in, int m, int width) {
        in.need((long) m * width);
        return in.take(m * width);
    }

    /** {@code f32} number {@code i} of those that begin at {@code at}. */
    public static float single(Reader in, int at, int i) {
        return Float.intBitsToFloat(Memory.MEMORY.getInt(in.buf, at + Float.BYTES * i));
    }

    /** How many flags are set of {@code m} that begin at {@code at}, those that are unused not counted. */
    public static int count(Reader in, int at, int m) {
        byte[] buf = in.buf;
        int end = at + (m + 7 >>> 3);
        int count = 0;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            count += Long.bitCount(Memory.MEMORY.getLong(buf, at));
        }
        for (; at < end; at++) {
            count += Integer.bitCount(buf[at] & 0xff);
        }
        return count;
    }

    /** {@code uuid} number {@code i} of those that begin at {@code at}. */
    public static UUID uuid(Reader in, int at, int i) {
        int from = at + 2 * Long.BYTES * i;
        return new UUID(Long.reverseBytes(Memory.MEMORY.getLong(in.buf, from)),
            Long.reverseBytes(Memory.MEMORY.getLong(in.buf, from + Long.BYTES)));
    }

    /** An array for a bit for each of {@code m} values, all 0, in use until {@link Writer#release}. */
    public static long[] bits(Writer out, int m) {
        int words = words(m);
        long[] bits = out.longs(words);
        Arrays.fill(bits, 0, words, 0);
        return bits;
    }

    private static int words(int m) {
        return (m >>> 6) + 1;
    }

    /** Sets bit {@code i}. */
    public static void set(long[] bits, int i) {
        bits[i >>> 6] |= 1L << i;
    }

    /** Writes bits. */
    public static void writeBits(Writer out, long[] bits, int m) {
        int words = words(m);
        out.reserve(Long.BYTES * words);
        for (int i = 0; i < words; i++) {
            Memory.MEMORY.putLong(out.buf, out.pos + Long.BYTES * i, bits[i]);
        }
        out.pos += m + 7 >>> 3;
    }

    /** Writes floats of 4 bytes by their bits. */
    public static void writeSingles(Writer out, long[] bits, int m) {
        int at = room(out, m, Float.BYTES);
        for (int i = 0; i < m; i++) {
            Memory.MEMORY.putInt(out.buf, at + Float.BYTES * i, (int) bits[i]);
        }
    }

    /** An array for the halves of {@code m} UUIDs, in use until {@link Writer#release}. */
    public static long[] halves(Writer out, int m) {
        if (m > Integer.MAX_VALUE / 16 - 64) {
            throw Fault.TOO_LONG;
        }
        return out.longs(2 * m);
    }

    /** Puts the halves of UUID number {@code i}. */
    public static void put(long[] halves, int i, UUID value) {
        halves[2 * i] = value.getMostSignificantBits();
        halves[2 * i + 1] = value.getLeastSignificantBits();
    }

    /** Writes {@code m} UUIDs by their halves, the higher one first. */
    public static void writeUuids(Writer out, long[] halves, int m) {
        int at = room(out, m, 2 * Long.BYTES);
        for (int i = 0; i < 2 * m; i++) {
            Memory.MEMORY.putLong(out.buf, at + Long.BYTES * i, Long.reverseBytes(halves[i]));
        }
    }

    private static int room(Writer out, int m, int width) {
        long bytes = (long) m * width;
        if (bytes > Integer.MAX_VALUE - 64) {
            throw Fault.TOO_LONG;
        }
        out.reserve((int) bytes);
        int at = out.pos;
        out.pos = at + (int) bytes;
        return at;
    }
}
