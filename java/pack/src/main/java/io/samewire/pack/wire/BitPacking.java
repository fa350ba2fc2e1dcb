package io.samewire.pack.wire;

import java.util.Arrays;

/**
 * Writes blocks of at most 128 packed integers ({@code spec/pack.md} section 9). The values are handed over in {@link
 * #ints}, or in {@link #longs} if they have 64 bits, as the u of that section: plain or zigzag, unsigned.
 */
final class BitPacking {
    static final int BLOCK = 128;
    static final int WIDEST = 32;
    static final int EXCEPTIONS = 0x80;
    private static final int MOST_BLOCK_BYTES = 2 + BLOCK * (4 + 1 + 10);
    /** So many values take whole bytes, as many as a value has bits. */
    private static final int GROUP = 8;
    /** The widest values of which four fit in a {@code long}. */
    private static final int FOUR_IN_LONG = 16;
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = EACH_BYTE << 7;
    /** By which the high bits of eight bytes are multiplied to stand side by side in the highest byte. */
    private static final long GATHER = 0x0002_0408_1020_4081L;

    /** The values of a block, or the low halves of {@link #longs}. */
    final int[] ints = new int[BLOCK];
    final long[] longs = new long[BLOCK];

    /**
     * The leading zeros of each value, a byte each, eight bytes in a word: so that a few instructions compare eight.
     */
    private final long[] zeros = new long[BLOCK / GROUP];
    /** Bytes of the exceptions' varints if the width were the index; the recurrence reaches 7 beyond 64. */
    private final int[] rest = new int[65 + 7];

    /** Writes one block of {@code m} values of at most 32 bits. */
    void writeInts(Writer out, int m) {
        int all = 0;
        for (int i = 0; i < m; i++) {
            all |= ints[i];
        }
        writeInts(out, m, all);
    }

    /** Writes one block of the {@code m} values from {@code from} on, each as what it is above {@code least}. */
    void writeAbove(Writer out, long[] values, int from, int m, long least) {
        long all = 0;
        for (int i = 0; i < m; i++) {
            long above = values[from + i] - least;
            ints[i] = (int) above;
            all |= above;
        }
        if (all >>> Integer.SIZE == 0) {
            writeInts(out, m, (int) all);
            return;
        }
        for (int i = 0; i < m; i++) {
            longs[i] = values[from + i] - least;
        }
        writeLongs(out, m);
    }

    /** Writes one block of the {@code m} steps to the values from {@code from} on, each from the one before. */
    void writeSteps(Writer out, long[] values, int from, int m) {
        long all = 0;
        for (int i = 0; i < m; i++) {
            long step = IntegerColumns.zigzag(values[from + i] - values[from + i - 1]);
            ints[i] = (int) step;
            all |= step;
        }
        if (all >>> Integer.SIZE == 0) {
            writeInts(out, m, (int) all);
            return;
        }
        for (int i = 0; i < m; i++) {
            longs[i] = IntegerColumns.zigzag(values[from + i] - values[from + i - 1]);
        }
        writeLongs(out, m);
    }

    private void writeInts(Writer out, int m, int all) {
        int[] u = ints;
        Arrays.fill(u, m, wholeGroups(m), 0);
        for (int i = 0; i < m; i += GROUP) {
            zeros[i / GROUP] = (long) zeros(u, i + 4) << 32 | zeros(u, i);
        }
        write(out, m, Integer.SIZE, Integer.SIZE - Integer.numberOfLeadingZeros(all));
    }

    /** Writes one block of {@code m} values of 64 bits. */
    void writeLongs(Writer out, int m) {
        long[] u = longs;
        Arrays.fill(u, m, wholeGroups(m), 0);
        long all = 0;
        for (int i = 0; i < m; i += GROUP) {
            zeros[i / GROUP] = (long) zeros(u, i + 4) << 32 | zeros(u, i);
            all |= u[i] | u[i + 1] | u[i + 2] | u[i + 3] | u[i + 4] | u[i + 5] | u[i + 6] | u[i + 7];
        }
        for (int i = 0; i < wholeGroups(m); i++) {
            ints[i] = (int) u[i];
        }
        write(out, m, Long.SIZE, Long.SIZE - Long.numberOfLeadingZeros(all));
    }

    /** The leading zeros of four values, a byte each. */
    private static int zeros(int[] u, int i) {
        return Integer.numberOfLeadingZeros(u[i + 3]) << 24 | Integer.numberOfLeadingZeros(u[i + 2]) << 16
            | Integer.numberOfLeadingZeros(u[i + 1]) << 8 | Integer.numberOfLeadingZeros(u[i]);
    }

    private static int zeros(long[] u, int i) {
        return Long.numberOfLeadingZeros(u[i + 3]) << 24 | Long.numberOfLeadingZeros(u[i + 2]) << 16
            | Long.numberOfLeadingZeros(u[i + 1]) << 8 | Long.numberOfLeadingZeros(u[i]);
    }

    private static int wholeGroups(int m) {
        return m + GROUP - 1 & -GROUP;
    }

    private void write(Writer out, int m, int bits, int longest) {
        out.reserve(MOST_BLOCK_BYTES);
        int groups = wholeGroups(m) / GROUP;
        int width = width(m, groups, bits, Math.max(1, longest));
        int exceptions = width < longest ? longer(groups, fits(bits, width)) : 0;
        byte[] buf = out.buf;
        int at = out.pos;
        if (exceptions == 0) {
            buf[at++] = (byte) width;
            out.pos = pack(buf, at, m, width);
            return;
        }
        buf[at++] = (byte) (width | EXCEPTIONS);
        buf[at++] = (byte) exceptions;
        at = pack(buf, at, m, width);
        positions(buf, at, groups, fits(bits, width));
        int next = at + exceptions;
        for (int end = next; at < end; at++) {
            int i = buf[at];
            long high = (bits == Long.SIZE ? longs[i] : ints[i] & 0xffff_ffffL) >>> width;
            if (high < 0x80) {
                buf[next++] = (byte) high;
            } else {
                out.pos = next;
                out.u64(high);
                next = out.pos;
            }
        }
        out.pos = next;
    }

    /**
     * What to add to eight counts of zeros so that the high bit of each byte says whether the value fits in the width.
     */
    private static long fits(int bits, int width) {
        return (0x80 - bits + width) * EACH_BYTE;
    }

    /** The number of values that do not fit. */
    private int longer(int groups, long fits) {
        long sums = 0;
        for (int g = 0; g < groups; g++) {
            sums += zeros[g] + fits >>> 7 & EACH_BYTE;
        }
        return groups * GROUP - (int) (sums * EACH_BYTE >>> 56);
    }

    /** Writes the positions of the values that do not fit. */
    private void positions(byte[] buf, int at, int groups, long fits) {
        for (int from = 0; from < groups; from += 8) {
            long flags = 0;
            for (int g = Math.min(groups, from + 8) - 1; g >= from; g--) {
                flags = flags << 8 | (~(zeros[g] + fits) & HIGH_BITS) * GATHER >>> 56;
            }
            for (; flags != 0; flags &= flags - 1) {
                buf[at++] = (byte) (GROUP * from + Long.numberOfTrailingZeros(flags));
            }
        }
    }

    /** The width of least cost, the smallest one in a tie. */
    private int width(int m, int groups, int bits, int longest) {
        Arrays.fill(rest, longest, longest + 8, 0);
        int best = longest;
        int least = Integer.MAX_VALUE;
        for (int w = longest; w >= 1; w--) {
            int patches = 0;
            if (w < longest) {
                int above = longer(groups, fits(bits, w));
                // A value of b bits needs ceil((b - w) / 7) bytes: one for each of w, w + 7, w + 14 ... below b.
                rest[w] = above + rest[w + 7];
                patches = 1 + above + rest[w];
            }
            int cost = (m * w + 7 >>> 3) + patches;
            if (w <= WIDEST && cost <= least) {
                least = cost;
                best = w;
            }
            // A smaller width takes no fewer bytes for exceptions, and a bit for each value.
            if ((m + 7 >>> 3) + patches > least) {
                break;
            }
        }
        return best;
    }

    /** Writes the low bits of all values, and unspecified bits behind them. Returns where they end. */
    private int pack(byte[] buf, int at, int m, int width) {
        Memory memory = Memory.MEMORY;
        int[] u = ints;
        int end = at + (m * width + 7 >>> 3);
        if (width > FOUR_IN_LONG) {
            packWide(buf, at, m, width);
            return end;
        }
        int mask = (1 << width) - 1;
        for (int i = 0; i < m; i += GROUP, at += width) {
            long low = u[i + 3] & mask;
            low = low << width | u[i + 2] & mask;
            low = low << width | u[i + 1] & mask;
            low = low << width | u[i] & mask;
            long high = u[i + 7] & mask;
            high = high << width | u[i + 6] & mask;
            high = high << width | u[i + 5] & mask;
            high = high << width | u[i + 4] & mask;
            // Shifted twice: a shift by 64 would be none.
            memory.putLong(buf, at, low | high << 2 * width << 2 * width);
            memory.putLong(buf, at + Long.BYTES, high >>> Long.SIZE - 4 * width);
        }
        return end;
    }

    /** Two values at a time: where there is one, a 0 stands behind it. */
    private void packWide(byte[] buf, int at, int m, int width) {
        long mask = (1L << width) - 1;
        long bits = 0;
        int filled = 0;
        for (int i = 0; i < m; i += 2) {
            long two = ints[i] & mask | (ints[i + 1] & mask) << width;
            bits |= two << filled;
            filled += 2 * width;
            if (filled >= Long.SIZE) {
                Bytes.putLong(buf, at, bits);
                at += Long.BYTES;
                filled -= Long.SIZE;
                bits = filled == 0 ? 0 : two >>> 2 * width - filled;
            }
        }
        Bytes.putLong(buf, at, bits);
    }
}
