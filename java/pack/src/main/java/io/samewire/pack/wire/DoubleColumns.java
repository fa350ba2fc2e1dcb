package io.samewire.pack.wire;

/**
 * Columns of floats of 8 bytes ({@code spec/columns.md} section 5), as arrays of their bits. An array that is read
 * belongs to the reader's scratch and may be longer than the column.
 */
public final class DoubleColumns {
    private static final long[] NONE = {};
    private static final double[] TENS = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
        1e15};
    /** No digits of a decimal number. */
    private static final long NOT_DECIMAL = Long.MIN_VALUE;
    private static final long HALF_EXACT = 1L << 51;
    /** Around this, doubles are the integers. */
    private static final double ABOVE = 3L << 51;
    private static final long ABOVE_BITS = Double.doubleToRawLongBits(ABOVE);

    private DoubleColumns() {}

    /** The bits of the numbers of a column. */
    public static long[] read(Reader in, int m) {
        if (m == 0) {
            return NONE;
        }
        return switch (in.u8()) {
            case ColumnForm.RAW -> readRaw(in, m);
            case ColumnForm.DECIMAL -> readDecimals(in, m);
            case ColumnForm.DOUBLES -> readDictionary(in, m);
            default -> throw Fault.FAULT;
        };
    }

    private static long[] readRaw(Reader in, int m) {
        in.need(8L * m);
        long[] bits = in.scratch().longs(m);
        Memory.MEMORY.getRow(in.buf, in.take(8 * m), bits, m);
        return bits;
    }

    private static long[] readDictionary(Reader in, int m) {
        int size = TextColumn.readSize(in, m);
        long[] known = readRaw(in, size);
        long[] bits = IntegerColumns.readIndices(in, m, size);
        for (int i = 0; i < m; i++) {
            bits[i] = known[(int) bits[i]];
        }
        return bits;
    }

    private static long[] readDecimals(Reader in, int m) {
        int exponent = in.u8();
        if (exponent < 0 || exponent > ColumnForm.MOST_DECIMALS) {
            throw Fault.FAULT;
        }
        int exceptions = in.length();
        if (exceptions > m) {
            throw Fault.FAULT;
        }
        long most = ColumnForm.MOST_DIGITS;
        long[] bits = IntegerColumns.read(in, m, Long.SIZE, true, -most, most);
        double ten = TENS[exponent];
        for (int i = 0; i < m; i++) {
            bits[i] = Double.doubleToRawLongBits(number(bits[i]) / ten);
        }
        if (exceptions > 0) {
            long[] positions = IntegerColumns.readIndices(in, exceptions, m);
            long[] raw = readRaw(in, exceptions);
            long before = -1;
            for (int i = 0; i < exceptions; i++) {
                if (positions[i] <= before) {
                    throw Fault.FAULT;
                }
                before = positions[i];
                bits[(int) before] = raw[i];
            }
        }
        return bits;
    }

    /**
     * Digits as a double. The instruction that converts a long waits, where HotSpot emits it, for the division of the
     * number before, which triples the time: so smaller ones, which are nearly all, become the low bits of a double
     * that is taken away again.
     */
    private static double number(long digits) {
        return digits + HALF_EXACT >>> 52 == 0 ? Double.longBitsToDouble(ABOVE_BITS + digits) - ABOVE : digits;
    }

    /** Writes numbers by their bits. */
    public static void write(Writer out, long[] bits, int m) {
        if (m == 0 || writeDecimals(out, bits, m)) {
            return;
        }
        int mark = out.mark();
        long[] indices = out.longs(m);
        long[] distinct = out.longs(m);
        int size = out.scratch().doubles().find(bits, m, distinct, indices);
        if (size < 0) {
            out.u8(ColumnForm.RAW);
            writeRaw(out, bits, m);
        } else {
            out.u8(ColumnForm.DOUBLES);
            out.u32(size);
            writeRaw(out, distinct, size);
            IntegerColumns.write(out, indices, m, Integer.SIZE, false);
        }
        out.release(mark);
    }

    private static void writeRaw(Writer out, long[] bits, int m) {
        if (8L * m > Integer.MAX_VALUE - 64) {
            throw Fault.TOO_LONG;
        }
        out.reserve(8 * m);
        byte[] buf = out.buf;
        int at = out.pos;
        for (int i = 0; i < m; i++) {
            Memory.MEMORY.putLong(buf, at + 8 * i, bits[i]);
        }
        out.pos = at + 8 * m;
    }

    /** Writes a column in mode 1 if it is one of decimal numbers. */
    private static boolean writeDecimals(Writer out, long[] bits, int m) {
        int mark = out.mark();
        long[] digits = out.longs(m);
        int exponent = exponent(bits, m, out.packing().longs, digits);
        if (exponent < 0) {
            out.release(mark);
            return false;
        }
        int most = m >>> 3;
        long[] positions = out.longs(most + 1);
        int exceptions = 0;
        double ten = TENS[exponent];
        for (int i = stretch(bits, 0, m, ten, digits); i < m; i = stretch(bits, i + 1, m, ten, digits)) {
            digits[i] = farDecimal(bits[i], ten);
            if (digits[i] == NOT_DECIMAL) {
                positions[exceptions] = i;
                if (++exceptions > most) {
                    out.release(mark);
                    return false;
                }
                digits[i] = i == 0 ? 0 : digits[i - 1];
            }
        }
        out.u8(ColumnForm.DECIMAL);
        out.u8(exponent);
        out.u32(exceptions);
        IntegerColumns.write(out, digits, m, Long.SIZE, true);
        if (exceptions > 0) {
            IntegerColumns.write(out, positions, exceptions, Integer.SIZE, false);
            for (int i = 0; i < exceptions; i++) {
                out.fixed64(bits[(int) positions[i]]);
            }
        }
        out.release(mark);
        return true;
    }

    /**
     * Finds the digits of numbers from {@code i} on, up to one that has too many or is not decimal. Returns its
     * position, or {@code m}. With those numbers inside the loop, lists of decimal
     * numbers took 8 % more time to encode.
     */
    private static int stretch(long[] bits, int i, int m, double ten, long[] digits) {
        for (; i < m; i++) {
            // Where the sum is rounded to an integer, that is the one of floor(x + 0.5), or no number is decimal here.
            double sum = Double.longBitsToDouble(bits[i]) * ten + ABOVE;
            long rounded = Double.doubleToRawLongBits(sum) - ABOVE_BITS;
            long other = Double.doubleToRawLongBits((sum - ABOVE) / ten) ^ bits[i];
            if ((other | rounded + HALF_EXACT >>> 52) != 0) {
                break;
            }
            digits[i] = rounded;
        }
        return i;
    }

    /**
     * The digits of a number that {@link #stretch} ended at, or {@link #NOT_DECIMAL}. Not by {@link Math#floor}, whose
     * instruction would wait for a division, too, as {@link #number} says.
     */
    private static long farDecimal(long bits, double ten) {
        double scaled = Double.longBitsToDouble(bits) * ten + 0.5;
        // Those below were decided, and a NaN is not decimal.
        if (!(Math.abs(scaled) >= HALF_EXACT)) {
            return NOT_DECIMAL;
        }
        long digits = (long) scaled;
        digits -= number(digits) > scaled ? 1 : 0;
        return Math.abs(digits) <= ColumnForm.MOST_DIGITS && Double.doubleToRawLongBits(number(digits) / ten) == bits
            ? digits : NOT_DECIMAL;
    }

    /** The least exponent with which most of a sample are decimal, or -1. */
    private static int exponent(long[] bits, int m, long[] sample, long[] digits) {
        int size = Math.min(m, ColumnForm.SAMPLE);
        for (int i = 0; i < size; i++) {
            sample[i] = bits[ColumnForm.sampled(i, m)];
        }
        int bearable = size - (7 * size + 7) / 8;
        for (int exponent = 0; exponent <= ColumnForm.MOST_DECIMALS; exponent++) {
            double ten = TENS[exponent];
            int left = bearable;
            for (int i = stretch(sample, 0, size, ten, digits); i < size && left >= 0;
                i = stretch(sample, i + 1, size, ten, digits)) {
                left -= farDecimal(sample[i], ten) == NOT_DECIMAL ? 1 : 0;
            }
            if (left >= 0) {
                return exponent;
            }
        }
        return -1;
    }
}
