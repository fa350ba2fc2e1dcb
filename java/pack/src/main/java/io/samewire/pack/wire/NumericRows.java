package io.samewire.pack.wire;

import java.util.Arrays;

/**
 * Rows of fixed-width numbers ({@code spec/pack.md} section 9) as arrays of primitives: {@code short[]}, {@code int[]}
 * and {@code long[]} hold the bits of signed and unsigned numbers alike. Rows of 8 bits are plain bytes. Written out
 * for each width: loops over arrays of one kind are what the JIT makes fast.
 */
public final class NumericRows {
    private static final int RAW = 0;
    private static final int PLAIN = 1;
    private static final int ZIGZAG = 2;

    private NumericRows() {}

    /** {@code i8}, {@code u8}. */
    public static byte[] readBytes(Reader in, int n) {
        int at = in.take(n);
        return Arrays.copyOfRange(in.buf, at, at + n);
    }

    /** {@code i8}, {@code u8}. */
    public static void writeBytes(Writer out, byte[] row) {
        out.raw(row, 0, row.length);
    }

    /** Moves over a raw run and the padding before it. Returns where it begins. */
    private static int run(Reader in, int n, int width) {
        long bytes = (long) n * width;
        if (bytes >= Header.ALIGNED_RUN) {
            if (!in.aligned) {
                throw Fault.FAULT;
            }
            in.padding(0);
        }
        if (bytes > in.end - in.pos) {
            throw Fault.FAULT;
        }
        return in.take((int) bytes);
    }

    /** {@code f32}. */
    public static float[] readFloats(Reader in, int n) {
        int at = run(in, n, Float.BYTES);
        return ScratchRows.FLOATS.row(in.buf, at, n);
    }

    /** {@code f64}. Pairs, such as coordinates, come without the calls that a copy of any length needs. */
    public static double[] readDoubles(Reader in, int n) {
        if (n == 2) {
            int at = in.take(2 * Double.BYTES);
            return new double[] {real(in.buf, at), real(in.buf, at + Double.BYTES)};
        }
        int at = run(in, n, Double.BYTES);
        return ScratchRows.DOUBLES.row(in.buf, at, n);
    }

    private static double real(byte[] bytes, int at) {
        return Double.longBitsToDouble(Memory.MEMORY.getLong(bytes, at));
    }

    /** {@code f32}. */
    public static void writeFloats(Writer out, float[] row) {
        int at = out.room(row.length, Float.BYTES);
        Memory.MEMORY.putRow(out.buf, at, row);
    }

    /** {@code f64}, bits as they are. */
    public static void writeDoubles(Writer out, double[] row) {
        if (row.length == 2) {
            out.reserve(2 * Double.BYTES);
            Memory.MEMORY.putLong(out.buf, out.pos, Double.doubleToRawLongBits(row[0]));
            Memory.MEMORY.putLong(out.buf, out.pos + Double.BYTES, Double.doubleToRawLongBits(row[1]));
            out.pos += 2 * Double.BYTES;
            return;
        }
        int at = out.room(row.length, Double.BYTES);
        Memory.MEMORY.putRow(out.buf, at, row);
    }

    private static boolean few(int n) {
        return n < Header.FEW;
    }

    private static int mode(Reader in, boolean signed) {
        int mode = in.u8();
        if (mode < RAW || mode > (signed ? ZIGZAG : PLAIN)) {
            throw Fault.FAULT;
        }
        return mode;
    }

    private static BitUnpacking unpacking(Reader in, int mode, int bits, boolean signed) {
        return new BitUnpacking(in, mode == ZIGZAG, mode == PLAIN && signed ? bits - 1 : bits);
    }

    /** {@code i16} or {@code u16}. */
    public static short[] readShorts(Reader in, int n, boolean signed) {
        short[] row;
        if (few(n)) {
            row = new short[n];
            for (int i = 0; i < n; i++) {
                row[i] = signed ? in.i16() : in.u16();
            }
            return row;
        }
        int mode = mode(in, signed);
        if (mode == RAW) {
            int at = run(in, n, Short.BYTES);
            row = new short[n];
            Memory.MEMORY.getRow(in.buf, at, row, n);
            return row;
        }
        row = new short[n];
        BitUnpacking blocks = unpacking(in, mode, Short.SIZE, signed);
        for (int from = 0; from < n; from += BitPacking.BLOCK) {
            blocks.read(row, from, Math.min(BitPacking.BLOCK, n - from));
        }
        return row;
    }

    /** {@code i32} or {@code u32}. */
    public static int[] readInts(Reader in, int n, boolean signed) {
        int[] row;
        if (few(n)) {
            row = new int[n];
            for (int i = 0; i < n; i++) {
                row[i] = signed ? in.i32() : in.u32();
            }
            return row;
        }
        int mode = mode(in, signed);
        if (mode == RAW) {
            int at = run(in, n, Integer.BYTES);
            return ScratchRows.INTS.row(in.buf, at, n);
        }
        row = new int[n];
        BitUnpacking blocks = unpacking(in, mode, Integer.SIZE, signed);
        for (int from = 0; from < n; from += BitPacking.BLOCK) {
            blocks.read(row, from, Math.min(BitPacking.BLOCK, n - from));
        }
        return row;
    }

    /** {@code i64} or {@code u64}. */
    public static long[] readLongs(Reader in, int n, boolean signed) {
        long[] row;
        if (few(n)) {
            row = new long[n];
            for (int i = 0; i < n; i++) {
                row[i] = signed ? in.i64() : in.u64();
            }
            return row;
        }
        int mode = mode(in, signed);
        if (mode == RAW) {
            int at = run(in, n, Long.BYTES);
            return ScratchRows.LONGS.row(in.buf, at, n);
        }
        row = new long[n];
        BitUnpacking blocks = unpacking(in, mode, Long.SIZE, signed);
        for (int from = 0; from < n; from += BitPacking.BLOCK) {
            blocks.read(row, from, Math.min(BitPacking.BLOCK, n - from));
        }
        return row;
    }

    /** {@code i16} or {@code u16}. */
    public static void writeShorts(Writer out, short[] row, boolean signed) {
        int n = row.length;
        if (few(n)) {
            for (short value : row) {
                if (signed) {
                    out.i16(value);
                } else {
                    out.u16(value);
                }
            }
            return;
        }
        int start = out.pos;
        if (out.compact) {
            int any = 0;
            for (short value : row) {
                any |= value;
            }
            boolean zigzag = signed && any < 0;
            out.u8(zigzag ? ZIGZAG : PLAIN);
            BitPacking packing = out.packing();
            int[] u = packing.ints;
            int from = 0;
            for (; from < n && out.pos - start - 1 < (long) n * Short.BYTES; from += BitPacking.BLOCK) {
                int m = Math.min(BitPacking.BLOCK, n - from);
                for (int i = 0; i < m; i++) {
                    int value = row[from + i];
                    u[i] = (zigzag ? value << 1 ^ value >> 31 : value) & 0xffff;
                }
                packing.writeInts(out, m);
            }
            if (from >= n && out.pos - start - 1 < (long) n * Short.BYTES) {
                return;
            }
            out.pos = start;
        }
        out.u8(RAW);
        int at = out.room(n, Short.BYTES);
        Memory.MEMORY.putRow(out.buf, at, row);
    }

    /** {@code i32} or {@code u32}. */
    public static void writeInts(Writer out, int[] row, boolean signed) {
        int n = row.length;
        if (few(n)) {
            for (int value : row) {
                if (signed) {
                    out.i32(value);
                } else {
                    out.u32(value);
                }
            }
            return;
        }
        int start = out.pos;
        if (out.compact) {
            boolean zigzag = signed && hasNegative(row);
            out.u8(zigzag ? ZIGZAG : PLAIN);
            BitPacking packing = out.packing();
            int[] u = packing.ints;
            int from = 0;
            for (; from < n && out.pos - start - 1 < (long) n * Integer.BYTES; from += BitPacking.BLOCK) {
                int m = Math.min(BitPacking.BLOCK, n - from);
                if (zigzag) {
                    for (int i = 0; i < m; i++) {
                        u[i] = row[from + i] << 1 ^ row[from + i] >> 31;
                    }
                } else {
                    System.arraycopy(row, from, u, 0, m);
                }
                packing.writeInts(out, m);
            }
            if (from >= n && out.pos - start - 1 < (long) n * Integer.BYTES) {
                return;
            }
            out.pos = start;
        }
        out.u8(RAW);
        int at = out.room(n, Integer.BYTES);
        Memory.MEMORY.putRow(out.buf, at, row);
    }

    /** Four at a time: the JIT keeps the order of the operations, and each waits for the one before. */
    private static boolean hasNegative(int[] row) {
        int all = 0;
        int i = 0;
        for (; i < row.length - 3; i += 4) {
            all |= row[i] | row[i + 1] | row[i + 2] | row[i + 3];
        }
        for (; i < row.length; i++) {
            all |= row[i];
        }
        return all < 0;
    }

    /** {@code i64} or {@code u64}. */
    public static void writeLongs(Writer out, long[] row, boolean signed) {
        int n = row.length;
        if (few(n)) {
            for (long value : row) {
                if (signed) {
                    out.i64(value);
                } else {
                    out.u64(value);
                }
            }
            return;
        }
        int start = out.pos;
        if (out.compact) {
            long any = 0;
            for (long value : row) {
                any |= value;
            }
            boolean zigzag = signed && any < 0;
            out.u8(zigzag ? ZIGZAG : PLAIN);
            BitPacking packing = out.packing();
            long[] u = packing.longs;
            int from = 0;
            for (; from < n && out.pos - start - 1 < (long) n * Long.BYTES; from += BitPacking.BLOCK) {
                int m = Math.min(BitPacking.BLOCK, n - from);
                for (int i = 0; i < m; i++) {
                    long value = row[from + i];
                    u[i] = zigzag ? value << 1 ^ value >> 63 : value;
                }
                packing.writeLongs(out, m);
            }
            if (from >= n && out.pos - start - 1 < (long) n * Long.BYTES) {
                return;
            }
            out.pos = start;
        }
        out.u8(RAW);
        int at = out.room(n, Long.BYTES);
        Memory.MEMORY.putRow(out.buf, at, row);
    }
}
