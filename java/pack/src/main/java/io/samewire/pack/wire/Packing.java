package io.samewire.pack.wire;

import java.util.Arrays;

/**
 * Blocks of at most 128 packed integers ({@code spec/pack.md} section 9). Values are handed over as the u of that section:
 * plain or zigzag, unsigned, in {@code long}s.
 */
final class Packing {
    static final int BLOCK = 128;
    private static final int WIDEST = 32;
    private static final int EXCEPTIONS = 0x80;
    private static final int MOST_BLOCK_BYTES = 2 + BLOCK * (4 + 1 + 10);

    /** Counts of the values of each bit length, four times over so that equal neighbours do not wait for each other. */
    private final int[] counts = new int[4 * 65];
    /** Bytes of the exceptions' varints if the width were the index; the recurrence reaches 7 beyond 64. */
    private final int[] rest = new int[65 + 8];
    private final int[] above = new int[65 + 8];
    private final byte[] positions = new byte[BLOCK + 1];

    /** Writes one block of {@code m} values. */
    void write(Writer out, long[] u, int m) {
        out.reserve(MOST_BLOCK_BYTES);
        int width = width(u, m);
        byte[] buf = out.buf;
        int at = out.pos;
        int exceptions = above[width];
        if (exceptions == 0) {
            buf[at++] = (byte) width;
        } else {
            buf[at++] = (byte) (width | EXCEPTIONS);
            buf[at++] = (byte) exceptions;
        }
        long mask = (1L << width) - 1;
        long bits = 0;
        int filled = 0;
        for (int i = 0; i < m; i++) {
            long low = u[i] & mask;
            bits |= low << filled;
            filled += width;
            if (filled >= 64) {
                Bytes.putLong(buf, at, bits);
                at += 8;
                filled -= 64;
                bits = low >>> width - filled;
            }
        }
        Bytes.putLong(buf, at, bits);
        at += filled + 7 >>> 3;
        if (exceptions != 0) {
            int found = 0;
            for (int i = 0; i < m; i++) {
                // Without a branch: a position that is none is overwritten by the next one.
                positions[found] = (byte) i;
                found += u[i] >>> width != 0 ? 1 : 0;
            }
            System.arraycopy(positions, 0, buf, at, exceptions);
            out.pos = at + exceptions;
            for (int i = 0; i < exceptions; i++) {
                out.u64(u[positions[i]] >>> width);
            }
        } else {
            out.pos = at;
        }
    }

    /**
     * The width of least cost, the smallest one in a tie; afterwards {@code above[w]} counts the values that need more than w
     * bits.
     */
    private int width(long[] u, int m) {
        int[] c = counts;
        Arrays.fill(c, 0);
        long all = 0;
        int i = 0;
        for (; i + 3 < m; i += 4) {
            all |= u[i] | u[i + 1] | u[i + 2] | u[i + 3];
            c[64 - Long.numberOfLeadingZeros(u[i])]++;
            c[65 + 64 - Long.numberOfLeadingZeros(u[i + 1])]++;
            c[130 + 64 - Long.numberOfLeadingZeros(u[i + 2])]++;
            c[195 + 64 - Long.numberOfLeadingZeros(u[i + 3])]++;
        }
        for (; i < m; i++) {
            all |= u[i];
            c[64 - Long.numberOfLeadingZeros(u[i])]++;
        }
        int longest = Math.max(1, 64 - Long.numberOfLeadingZeros(all));
        for (int w = longest; w < longest + 8; w++) {
            above[w] = 0;
            rest[w] = 0;
        }
        int best = Math.min(longest, WIDEST);
        int least = Integer.MAX_VALUE;
        for (int w = longest; w >= 1; w--) {
            if (w < longest) {
                int b = w + 1;
                above[w] = above[b] + c[b] + c[65 + b] + c[130 + b] + c[195 + b];
                // A value of b bits needs ceil((b - w) / 7) bytes: one for each of w, w + 7, w + 14 ... below b.
                rest[w] = above[w] + rest[w + 7];
            }
            if (w <= WIDEST) {
                int cost = (m * w + 7 >>> 3) + (above[w] == 0 ? 0 : 1 + above[w] + rest[w]);
                if (cost <= least) {
                    least = cost;
                    best = w;
                }
            }
        }
        return best;
    }

    /**
     * Reads one block of {@code m} values into {@code u}; answers the OR of all of them.
     */
    static long read(Reader in, long[] u, int m) {
        int head = in.u8();
        int width = head & 0x3f;
        if ((head & 0x40) != 0 || width == 0 || width > WIDEST) {
            throw Fault.FAULT;
        }
        int exceptions = 0;
        if ((head & EXCEPTIONS) != 0) {
            exceptions = in.u8() & 0xff;
            if (exceptions == 0 || exceptions > m) {
                throw Fault.FAULT;
            }
        }
        int bytes = m * width + 7 >>> 3;
        int at = in.take(bytes);
        byte[] buf = in.buf;
        // Every load takes eight bytes; where the array ends too early for that they are taken from a copy.
        if (buf.length - at < bytes + 8) {
            buf = Arrays.copyOfRange(buf, at, at + bytes + 8);
            at = 0;
        }
        long all = unpack(buf, at, u, m, width);
        return exceptions == 0 ? all : all | patch(in, u, m, width, exceptions);
    }

    private static long unpack(byte[] buf, int at, long[] u, int m, int width) {
        Memory memory = Memory.MEMORY;
        long mask = (1L << width) - 1;
        long all = 0;
        int i = 0;
        int bit = 0;
        // Eight values take exactly `width` bytes, so that the shifts within a group are the same in all groups.
        for (; i + 8 <= m; i += 8, bit += 8 * width) {
            int from = at + (bit >>> 3);
            long a = memory.getLong(buf, from) & mask;
            long b = memory.getLong(buf, from + (width >>> 3)) >>> (width & 7) & mask;
            long c = memory.getLong(buf, from + (2 * width >>> 3)) >>> (2 * width & 7) & mask;
            long d = memory.getLong(buf, from + (3 * width >>> 3)) >>> (3 * width & 7) & mask;
            long e = memory.getLong(buf, from + (4 * width >>> 3)) >>> (4 * width & 7) & mask;
            long f = memory.getLong(buf, from + (5 * width >>> 3)) >>> (5 * width & 7) & mask;
            long g = memory.getLong(buf, from + (6 * width >>> 3)) >>> (6 * width & 7) & mask;
            long h = memory.getLong(buf, from + (7 * width >>> 3)) >>> (7 * width & 7) & mask;
            u[i] = a;
            u[i + 1] = b;
            u[i + 2] = c;
            u[i + 3] = d;
            u[i + 4] = e;
            u[i + 5] = f;
            u[i + 6] = g;
            u[i + 7] = h;
            all |= a | b | c | d | e | f | g | h;
        }
        for (; i < m; i++, bit += width) {
            u[i] = memory.getLong(buf, at + (bit >>> 3)) >>> (bit & 7) & mask;
            all |= u[i];
        }
        return all;
    }

    private static long patch(Reader in, long[] u, int m, int width, int exceptions) {
        int positions = in.take(exceptions);
        int before = -1;
        for (int i = 0; i < exceptions; i++) {
            int position = in.buf[positions + i] & 0xff;
            if (position <= before || position >= m) {
                throw Fault.FAULT;
            }
            before = position;
        }
        long all = 0;
        for (int i = 0; i < exceptions; i++) {
            int position = in.buf[positions + i];
            long high = in.u64();
            if (high == 0 || high >>> 64 - width != 0) {
                throw Fault.FAULT;
            }
            u[position] |= high << width;
            all |= u[position];
        }
        return all;
    }
}
