package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Finds earlier texts of a message. Open addressing; a slot holds 32 bits of the hash and the text's number plus {@code
 * epoch}, and is empty where that sum is below {@code epoch}: raising it empties the table at no cost.
 *
 * <p>The hash covers every byte with seeds made when the table is, so that nobody can prepare texts that collide. A look-up
 * is complete (the table grows, probes are never cut short), hence the bytes written depend on no seed. Texts are compared
 * with what was written to their block: no reference to a string outlives the call that wrote it.
 */
final class TextTable {
    private static final int FIRST_SLOTS = 512;
    private static final int FIRST_TEXTS = 256;
    private static final int MOST_KEPT = 1 << 16;
    private static final int MOST_EPOCH = 1 << 30;
    private static final int LENGTH_BITS = 8;

    private final long seedA;
    private final long seedB;
    private long[] slots = new long[FIRST_SLOTS];
    private int mask = FIRST_SLOTS - 1;
    /** Where each recorded text begins in its block, and its length in bytes. */
    private long[] places = new long[FIRST_TEXTS];
    private int epoch = 1;
    private int recorded;

    TextTable(SplittableRandom random) {
        seedA = random.nextLong() | 1;
        seedB = random.nextLong() | 1;
    }

    /** Empties the table; {@code numbers} is how many numbers were given since it was last emptied. */
    void clear(int numbers) {
        recorded = 0;
        epoch += numbers;
        if (slots.length > MOST_KEPT) {
            slots = new long[FIRST_SLOTS];
            mask = FIRST_SLOTS - 1;
            places = new long[FIRST_TEXTS];
            epoch = 1;
        } else if (epoch > MOST_EPOCH) {
            Arrays.fill(slots, 0);
            epoch = 1;
        }
    }

    /**
     * The number of an earlier text, or -1, in which case the text is recorded under {@code number}.
     *
     * @param from the array that holds the text's bytes, 2 to 95 of them at {@code at}
     * @param block the block in which texts of its width are written
     * @param written where in the block it will stand if it is new
     * @param wide whether those are bytes of UTF-16
     */
    int findOrRecord(byte[] from, int at, int length, byte[] block, int written, boolean wide, int number) {
        int tag = hash(from, at, length);
        long shape = wide ? length | 0x80 : length;
        int i = tag & mask;
        while (true) {
            long slot = slots[i];
            int earlier = (int) slot - epoch;
            if (earlier < 0) {
                break;
            }
            if ((int) (slot >>> 32) == tag) {
                long place = places[earlier];
                if ((place & (1 << LENGTH_BITS) - 1) == shape && same(from, at, block, (int) (place >>> LENGTH_BITS), length)) {
                    return earlier;
                }
            }
            i = i + 1 & mask;
        }
        slots[i] = (long) tag << 32 | epoch + number;
        if (number >= places.length) {
            places = Arrays.copyOf(places, Math.max(2 * places.length, number + 1));
        }
        places[number] = (long) written << LENGTH_BITS | shape;
        if (++recorded > slots.length >> 1) {
            grow();
        }
        return -1;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 4];
        mask = slots.length - 1;
        for (long slot : old) {
            if ((int) slot - epoch >= 0) {
                int i = (int) (slot >>> 32) & mask;
                while (slots[i] != 0) {
                    i = i + 1 & mask;
                }
                slots[i] = slot;
            }
        }
    }

    /** Sixteen bytes at a time by a multiplication of 64 to 128 bits; the last ones may overlap those before. */
    private int hash(byte[] from, int at, int length) {
        long hash = seedB ^ length;
        int end = at + length;
        if (length >= 16) {
            for (int i = at; i < end - 16; i += 16) {
                hash = mix(Bytes.getLong(from, i) ^ seedA, Bytes.getLong(from, i + 8) ^ hash);
            }
            hash = mix(Bytes.getLong(from, end - 16) ^ seedA, Bytes.getLong(from, end - 8) ^ hash);
        } else if (length >= 8) {
            hash = mix(Bytes.getLong(from, at) ^ seedA, Bytes.getLong(from, end - 8) ^ hash);
        } else if (length >= 4) {
            hash = mix(Bytes.getInt(from, at) ^ seedA, Bytes.getInt(from, end - 4) ^ hash);
        } else {
            hash = mix((from[at] & 0xff | (from[at + 1] & 0xff) << 8 | (long) (from[end - 1] & 0xff) << 16) ^ seedA, hash);
        }
        return (int) (hash ^ hash >>> 32);
    }

    private static long mix(long a, long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }

    private static boolean same(byte[] a, int aAt, byte[] b, int bAt, int length) {
        if (length >= 8) {
            int last = length - 8;
            for (int i = 0; i < last; i += 8) {
                if (Bytes.getLong(a, aAt + i) != Bytes.getLong(b, bAt + i)) {
                    return false;
                }
            }
            return Bytes.getLong(a, aAt + last) == Bytes.getLong(b, bAt + last);
        } else if (length >= 4) {
            int last = length - 4;
            return Bytes.getInt(a, aAt) == Bytes.getInt(b, bAt) && Bytes.getInt(a, aAt + last) == Bytes.getInt(b, bAt + last);
        }
        return a[aAt] == b[bAt] && a[aAt + 1] == b[bAt + 1] && a[aAt + length - 1] == b[bAt + length - 1];
    }
}
