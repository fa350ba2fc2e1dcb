package io.samewire.pack.wire;

import java.util.Arrays;

/** Reads the blocks of packed integers ({@code spec/pack.md} section 9) of one row, or of the columns of a message. */
final class BitUnpacking {
    private static final int GROUP = 8;
    /** The widest values of which four are in a {@code long} if the first begins at a byte or in its middle. */
    private static final int FOUR_IN_LONG = 16;
    /** The widest values of which two are in a {@code long} wherever in a byte the first begins. */
    private static final int TWO_IN_LONG = 28;

    private final Reader in;
    private final boolean zigzag;
    /** The bits that a value may have in the form that it is written in. */
    private final int room;
    /** The low bits of the values of a block. */
    private final int[] low = new int[BitPacking.BLOCK];
    private int width;
    private int exceptions;

    BitUnpacking(Reader in, boolean zigzag, int room) {
        this.in = in;
        this.zigzag = zigzag;
        this.room = room;
    }

    /** Reads a block of {@code m} values of 16 bits. */
    void read(short[] row, int from, int m) {
        block(m, null, from);
        for (int i = 0; i < m; i++) {
            row[from + i] = (short) (zigzag ? low[i] >>> 1 ^ -(low[i] & 1) : low[i]);
        }
    }

    /** Reads a block of {@code m} values of 32 bits. */
    void read(int[] row, int from, int m) {
        block(m, null, from);
        if (zigzag) {
            for (int i = 0; i < m; i++) {
                row[from + i] = low[i] >>> 1 ^ -(low[i] & 1);
            }
        } else {
            System.arraycopy(low, 0, row, from, m);
        }
    }

    /** Reads a block of {@code m} values of 64 bits. */
    void read(long[] row, int from, int m) {
        block(m, row, from);
        if (zigzag) {
            for (int i = from; i < from + m; i++) {
                row[i] = row[i] >>> 1 ^ -(row[i] & 1);
            }
        }
    }

    /**
     * Reads a block of a column of integers, each of which is added to {@code base}. Returns a bound, as an unsigned
     * number, of what was added.
     */
    long readFrom(long base, long[] row, int from, int m) {
        head(m);
        low(m);
        int[] u = low;
        if (exceptions == 0) {
            for (int i = 0; i < m; i++) {
                row[from + i] = base + (u[i] & 0xffff_ffffL);
            }
            return (1L << width) - 1;
        }
        widened(row, from, m);
        for (int i = from; i < from + m; i++) {
            row[i] += base;
        }
        return -1;
    }

    /**
     * Reads a block of a column of integers, each a step from the one before it in {@code row}. Returns a bound of how
     * far they are from that before the block; -1 if there is none.
     */
    long readSteps(long[] row, int from, int m) {
        head(m);
        low(m);
        long previous = row[from - 1];
        int[] u = low;
        if (exceptions == 0) {
            for (int i = 0; i < m; i++) {
                previous += u[i] >>> 1 ^ -(u[i] & 1);
                row[from + i] = previous;
            }
            return (long) m << width;
        }
        widened(row, from, m);
        for (int i = from; i < from + m; i++) {
            previous += row[i] >>> 1 ^ -(row[i] & 1);
            row[i] = previous;
        }
        return -1;
    }

    private void widened(long[] row, int from, int m) {
        for (int i = 0; i < m; i++) {
            row[from + i] = low[i] & 0xffff_ffffL;
        }
        patch(m, row, from);
    }

    /**
     * Reads a block and leaves its values, as they are written, in {@code row} if there is one, else in {@link #low}.
     */
    private void block(int m, long[] row, int from) {
        head(m);
        low(m);
        long all = 0;
        if (width > room) {
            for (int i = 0; i < m; i++) {
                all |= low[i] & 0xffff_ffffL;
            }
        }
        if (row != null) {
            for (int i = 0; i < m; i++) {
                row[from + i] = low[i] & 0xffff_ffffL;
            }
        }
        if (exceptions != 0) {
            all |= patch(m, row, from);
        }
        if (room < Long.SIZE && all >>> room != 0) {
            throw Fault.FAULT;
        }
    }

    private void head(int m) {
        int head = in.u8();
        width = head & 0x3f;
        if ((head & 0x40) != 0 || width == 0 || width > BitPacking.WIDEST) {
            throw Fault.FAULT;
        }
        exceptions = 0;
        if ((head & BitPacking.EXCEPTIONS) != 0) {
            exceptions = in.u8() & 0xff;
            if (exceptions == 0 || exceptions > m) {
                throw Fault.FAULT;
            }
        }
    }

    /** Reads the low bits; what stands in {@link #low} behind the last one does not matter. */
    private void low(int m) {
        int at = in.take(m * width + 7 >>> 3);
        byte[] buf = in.buf;
        // Whole groups are read, and words of eight bytes; where the array ends too early for that they are taken from
        // a copy.
        int reach = (m + GROUP - 1) / GROUP * width + Long.BYTES;
        if (buf.length - at < reach) {
            buf = Arrays.copyOfRange(buf, at, at + reach);
            at = 0;
        }
        if (width <= FOUR_IN_LONG) {
            narrow(buf, at, low, m, width);
        } else {
            wide(buf, at, low, m, width);
        }
    }

    private static void narrow(byte[] buf, int at, int[] u, int m, int width) {
        Memory memory = Memory.MEMORY;
        int mask = (1 << width) - 1;
        int half = 4 * width >>> 3;
        int shift = 4 * width & 7;
        for (int i = 0; i < m; i += GROUP, at += width) {
            long word = memory.getLong(buf, at);
            u[i] = (int) word & mask;
            u[i + 1] = (int) (word >>>= width) & mask;
            u[i + 2] = (int) (word >>>= width) & mask;
            u[i + 3] = (int) (word >>> width) & mask;
            word = memory.getLong(buf, at + half) >>> shift;
            u[i + 4] = (int) word & mask;
            u[i + 5] = (int) (word >>>= width) & mask;
            u[i + 6] = (int) (word >>>= width) & mask;
            u[i + 7] = (int) (word >>> width) & mask;
        }
    }

    private static void wide(byte[] buf, int at, int[] u, int m, int width) {
        Memory memory = Memory.MEMORY;
        int mask = -1 >>> Integer.SIZE - width;
        int i = 0;
        int bit = 0;
        if (width <= TWO_IN_LONG) {
            for (; i < m - 1; i += 2, bit += 2 * width) {
                long word = memory.getLong(buf, at + (bit >>> 3)) >>> (bit & 7);
                u[i] = (int) word & mask;
                u[i + 1] = (int) (word >>> width) & mask;
            }
        }
        for (; i < m; i++, bit += width) {
            u[i] = (int) (memory.getLong(buf, at + (bit >>> 3)) >>> (bit & 7)) & mask;
        }
    }

    /** Adds the high bits of the exceptions. Returns all of those bits. */
    private long patch(int m, long[] row, int from) {
        int positions = in.take(exceptions);
        int before = -1;
        for (int i = 0; i < exceptions; i++) {
            int position = in.buf[positions + i] & 0xff;
            if (position <= before || position >= m) {
                throw Fault.FAULT;
            }
            before = position;
        }
        byte[] buf = in.buf;
        int end = in.end;
        int at = in.pos;
        long all = 0;
        for (int i = 0; i < exceptions; i++) {
            int position = buf[positions + i];
            long high;
            if (at < end && buf[at] > 0) {
                high = buf[at++];
            } else {
                in.pos = at;
                high = in.u64();
                at = in.pos;
            }
            if (high == 0 || high >>> Long.SIZE - width != 0) {
                throw Fault.FAULT;
            }
            high <<= width;
            all |= high;
            if (row == null) {
                low[position] |= (int) high;
            } else {
                row[from + position] |= high;
            }
        }
        in.pos = at;
        return all;
    }
}
