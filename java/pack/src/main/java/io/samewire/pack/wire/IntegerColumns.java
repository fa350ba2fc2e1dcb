package io.samewire.pack.wire;

import io.samewire.pack.schema.Cells;

/**
 * Columns of integers ({@code spec/columns.md} section 3) of every type, as arrays of longs: those of {@code u64} hold
 * its bits. An array that is read belongs to the reader's scratch and may be longer than the column.
 */
public final class IntegerColumns {
    private static final long[] NONE = {};

    private IntegerColumns() {}

    /** Integers of a type of that many bits. */
    public static long[] read(Reader in, int m, int bits, boolean signed) {
        long least = signed ? -1L << bits - 1 : 0;
        long most = signed ? ~least : -1L >>> Long.SIZE - bits;
        return read(in, m, bits, signed, least, most);
    }

    /** {@code date}: days since 1970. */
    public static long[] readDates(Reader in, int m) {
        return read(in, m, Integer.SIZE, true, Times.DATE_MIN, Times.DATE_MAX);
    }

    /** {@code time}: nanoseconds since midnight. */
    public static long[] readTimes(Reader in, int m) {
        return read(in, m, Long.SIZE, false, 0, Times.TIME_MAX);
    }

    /** Indices below {@code bound}. */
    public static long[] readIndices(Reader in, int m, int bound) {
        return read(in, m, Integer.SIZE, false, 0, bound - 1);
    }

    /** Integers as they stand in a column of that type, each from {@code least} to {@code most}. */
    static long[] read(Reader in, int m, int bits, boolean signed, long least, long most) {
        if (m == 0) {
            return NONE;
        }
        int mode = in.u8();
        if (mode == ColumnForm.RAW) {
            in.need((long) m * (bits >>> 3));
            long[] values = in.scratch().longs(m);
            readRaw(in, values, m, bits, signed);
            if (most - least != (bits == Long.SIZE ? -1 : (1L << bits) - 1)) {
                check(values, 0, m, least, most);
            }
            return values;
        } else if (mode != ColumnForm.FROM_LEAST && mode != ColumnForm.FROM_PREVIOUS) {
            throw Fault.FAULT;
        }
        in.need(m + 7L >>> 3);
        long base = single(in, bits, signed);
        if (isOutside(base, least, most)) {
            throw Fault.FAULT;
        }
        long[] values = in.scratch().longs(m);
        if (mode == ColumnForm.FROM_LEAST) {
            readFromLeast(in, values, m, base, least, most);
        } else {
            values[0] = base;
            readFromPrevious(in, values, m, least, most);
        }
        return values;
    }

    private static void readFromLeast(Reader in, long[] values, int m, long base, long least, long most) {
        BitUnpacking blocks = in.blocks();
        for (int from = 0; from < m; from += BitPacking.BLOCK) {
            int size = Math.min(BitPacking.BLOCK, m - from);
            long highest = blocks.readFrom(base, values, from, size);
            if (Long.compareUnsigned(highest, most - base) > 0) {
                check(values, from, from + size, least, most);
            }
        }
    }

    private static void readFromPrevious(Reader in, long[] values, int m, long least, long most) {
        BitUnpacking blocks = in.blocks();
        for (int from = 1; from < m; from += BitPacking.BLOCK) {
            int size = Math.min(BitPacking.BLOCK, m - from);
            long before = values[from - 1];
            long furthest = blocks.readSteps(values, from, size);
            if (Long.compareUnsigned(furthest, before - least) > 0
                || Long.compareUnsigned(furthest, most - before) > 0) {
                check(values, from, from + size, least, most);
            }
        }
    }

    /** Whether a value lies outside a range; for unsigned ones of 64 bits, too, as their bits are. */
    private static boolean isOutside(long value, long least, long most) {
        return Long.compareUnsigned(value - least, most - least) > 0;
    }

    private static void check(long[] values, int from, int to, long least, long most) {
        long span = most - least;
        if (span == -1) {
            return;
        }
        boolean outside = false;
        for (int i = from; i < to; i++) {
            outside |= Long.compareUnsigned(values[i] - least, span) > 0;
        }
        if (outside) {
            throw Fault.FAULT;
        }
    }

    /** An integer as it stands in a slot. */
    private static long single(Reader in, int bits, boolean signed) {
        if (bits == Byte.SIZE) {
            int value = in.u8();
            return signed ? value : value & 0xff;
        }
        long raw = in.varint(bits);
        return signed ? raw >>> 1 ^ -(raw & 1) : raw;
    }

    private static void readRaw(Reader in, long[] values, int m, int bits, boolean signed) {
        byte[] buf = in.buf;
        int at = in.take(m * (bits >>> 3));
        Memory memory = Memory.MEMORY;
        switch (bits) {
            case Byte.SIZE -> {
                for (int i = 0; i < m; i++) {
                    values[i] = signed ? buf[at + i] : buf[at + i] & 0xff;
                }
            }
            case Short.SIZE -> {
                for (int i = 0; i < m; i++) {
                    char value = memory.getChar(buf, at + 2 * i);
                    values[i] = signed ? (short) value : value;
                }
            }
            case Integer.SIZE -> {
                for (int i = 0; i < m; i++) {
                    int value = memory.getInt(buf, at + 4 * i);
                    values[i] = signed ? value : value & 0xffff_ffffL;
                }
            }
            default -> memory.getRow(buf, at, values, m);
        }
    }

    /**
     * The counts of {@code m} lists, sets or maps: where the elements of each begin, and behind them where all end.
     *
     * @param columns how many columns stand within: 2 for a map
     * @param cells of an element
     */
    public static long[] readBounds(Reader in, int m, int columns, int cells) {
        long[] bounds = in.scratch().longs(m + 1);
        if (m == 0) {
            bounds[0] = 0;
            return bounds;
        }
        long[] counts = read(in, m, Integer.SIZE, false, 0, Integer.MAX_VALUE);
        long sum = 0;
        for (int i = 0; i < m; i++) {
            bounds[i] = sum;
            sum += counts[i];
        }
        bounds[m] = sum;
        in.claimColumns(m, sum, columns, cells);
        return bounds;
    }

    /** The lengths of {@code m} values of {@code bytes}: where each begins behind them, from 0, and where all end. */
    public static long[] readLengthBounds(Reader in, int m) {
        long[] bounds = in.scratch().longs(m + 1);
        long[] lengths = read(in, m, Integer.SIZE, false, 0, Integer.MAX_VALUE);
        bounds[0] = 0;
        for (int i = 0; i < m; i++) {
            bounds[i + 1] = bounds[i] + lengths[i];
        }
        return bounds;
    }

    /** Writes integers of a type of that many bits. */
    public static void write(Writer out, long[] values, int m, int bits, boolean signed) {
        if (m == 0) {
            return;
        }
        // Added to numbers of 64 bits without a sign, this gives them the order of those with one.
        long flip = bits == Long.SIZE && !signed ? Long.MIN_VALUE : 0;
        int start = out.pos;
        int end = (int) Math.min(Integer.MAX_VALUE, start + 1 + (long) m * (bits >>> 3));
        BitPacking packing = out.packing();
        if (isLongerFromLeast(values, m, flip, packing.longs)) {
            out.u8(ColumnForm.FROM_PREVIOUS);
            writeSingle(out, values[0], bits, signed);
            for (int from = 1; from < m && out.pos < end; from += BitPacking.BLOCK) {
                packing.writeSteps(out, values, from, Math.min(BitPacking.BLOCK, m - from));
            }
        } else {
            long least = least(values, m, flip);
            out.u8(ColumnForm.FROM_LEAST);
            writeSingle(out, least, bits, signed);
            for (int from = 0; from < m && out.pos < end; from += BitPacking.BLOCK) {
                packing.writeAbove(out, values, from, Math.min(BitPacking.BLOCK, m - from), least);
            }
        }
        if (out.pos >= end) {
            out.pos = start;
            writeRaw(out, values, m, bits);
        }
    }

    private static long least(long[] values, int m, long flip) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < m; i++) {
            least = Math.min(least, values[i] + flip);
        }
        return least - flip;
    }

    /**
     * Whether the values of a sample have more bits above the least of them than in steps.
     *
     * @param sample an array for it
     */
    private static boolean isLongerFromLeast(long[] values, int m, long flip, long[] sample) {
        int size = Math.min(m, ColumnForm.SAMPLE);
        long least = sample[0] = values[0] + flip;
        int longer = Long.SIZE;
        for (int i = 1; i < size; i++) {
            int at = ColumnForm.sampled(i, m);
            longer += Long.numberOfLeadingZeros(zigzag(values[at] - values[at - 1]));
            sample[i] = values[at] + flip;
            least = Math.min(least, sample[i]);
        }
        for (int i = 0; i < size; i++) {
            longer -= Long.numberOfLeadingZeros(sample[i] - least);
        }
        return longer > 0;
    }

    static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    private static void writeSingle(Writer out, long value, int bits, boolean signed) {
        if (bits == Byte.SIZE) {
            out.u8((int) value);
        } else {
            out.u64(signed ? zigzag(value) : value);
        }
    }

    private static void writeRaw(Writer out, long[] values, int m, int bits) {
        int width = bits >>> 3;
        long bytes = (long) m * width;
        if (bytes > Integer.MAX_VALUE - 64) {
            throw Fault.TOO_LONG;
        }
        out.u8(ColumnForm.RAW);
        out.reserve((int) bytes);
        byte[] buf = out.buf;
        int at = out.pos;
        Memory memory = Memory.MEMORY;
        switch (bits) {
            case Byte.SIZE -> {
                for (int i = 0; i < m; i++) {
                    buf[at + i] = (byte) values[i];
                }
            }
            case Short.SIZE -> {
                for (int i = 0; i < m; i++) {
                    memory.putChar(buf, at + 2 * i, (char) values[i]);
                }
            }
            case Integer.SIZE -> {
                for (int i = 0; i < m; i++) {
                    memory.putInt(buf, at + 4 * i, (int) values[i]);
                }
            }
            default -> {
                for (int i = 0; i < m; i++) {
                    memory.putLong(buf, at + 8 * i, values[i]);
                }
            }
        }
        out.pos = at + (int) bytes;
    }

    /**
     * The number of all elements of lists of which {@code total} have been counted, and {@code more} come. Where the
     * same list occurs again and again they can be too many for memory long before they are written; but each takes a
     * bit at least.
     */
    public static int sum(Writer out, int total, int more) {
        long sum = (long) total + more;
        if (sum > Integer.MAX_VALUE - 8 || sum >>> 3 > out.frameBytes) {
            throw Fault.TOO_LONG;
        }
        return (int) sum;
    }

    /**
     * Writes the counts of {@code m} lists, sets or maps.
     *
     * @param total the sum of the counts
     * @param each cells of an element
     */
    public static void writeCounts(Writer out, long[] counts, int m, int total, int each) {
        out.charge(m, Cells.CONTAINER);
        out.claim(total, each);
        writeLengths(out, counts, m);
    }

    /** Writes the lengths of bytes. */
    static void writeLengths(Writer out, long[] lengths, int m) {
        write(out, lengths, m, Integer.SIZE, false);
    }
}
