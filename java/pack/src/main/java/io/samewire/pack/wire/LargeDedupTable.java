package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Finds earlier texts of a message that has many, or whose texts collide by the quick hash of {@link DedupTable}: every
 * byte is hashed, with seeds, and a look-up is complete. Open addressing; a slot is a hash and, in its low half, {@code
 * base} plus the index of an entry, so that most misses read one slot and nothing else: the table of a message of
 * thousands of texts does not fit the nearest caches. A slot is empty where that half is below {@code base}: raising it
 * empties the table at no cost.
 */
final class LargeDedupTable {
    private static final long SEED_A;
    private static final long SEED_B;
    private static final int FIRST_SLOTS = 1 << 12;
    /** Up to here the table grows by four, and then by two, so as to remain in the cache. */
    private static final int SMALL = 1 << 14;
    private static final int MOST_SLOTS = 1 << 27;
    private static final int MOST_KEPT = 1 << 16;
    private static final int MOST_BASE = 1 << 30;
    /** The ints of an entry: the text's number; its length in bytes, marked with its form; its place in its block. */
    private static final int ENTRY = 3;
    private static final long LOW = 0xffff_ffffL;

    static {
        SplittableRandom random = new SplittableRandom();
        SEED_A = random.nextLong() | 1;
        SEED_B = random.nextLong() | 1;
    }

    private long[] slots = new long[FIRST_SLOTS];
    private int[] entries = new int[ENTRY * FIRST_SLOTS / 2];
    int base = 1;
    private int size;

    /** Empties the table. */
    void clear() {
        base += size;
        size = 0;
        if (slots.length > MOST_KEPT) {
            slots = new long[FIRST_SLOTS];
            entries = new int[ENTRY * FIRST_SLOTS / 2];
            base = 1;
        } else if (base > MOST_BASE) {
            Arrays.fill(slots, 0);
            base = 1;
        }
    }

    /**
     * The number of an earlier text, or -1, in which case it is recorded under the given number.
     *
     * @param from the array that holds the text's bytes, 2 or more of them at {@code at}
     * @param form a mark that texts have whose bytes are not to be compared with those of others
     * @param block the block in which texts of its form are written
     * @param written where in the block it will stand if it is new
     */
    int findOrRecord(byte[] from, int at, int length, int form, byte[] block, int written, int number) {
        int hash = hash(from, at, length);
        int mask = slots.length - 1;
        int i = begin(hash, slots.length);
        for (;; i++) {
            long slot = slots[i & mask];
            int entry = (int) slot - base;
            if (entry < 0) {
                break;
            } else if ((int) (slot >>> Integer.SIZE) == hash) {
                int e = ENTRY * entry;
                if (entries[e + 1] == (length | form) && same(from, at, block, entries[e + 2], length)) {
                    return entries[e];
                }
            }
        }
        add(i & mask, hash, number, length | form, written);
        return -1;
    }

    /** Records a text that was found to be new elsewhere. */
    void record(byte[] block, int place, int length, int form, int number) {
        int hash = hash(block, place, length);
        add(empty(slots, hash), hash, number, length | form, place);
    }

    private void add(int slot, int hash, int number, int length, int place) {
        slots[slot] = (long) hash << Integer.SIZE | base + size;
        int e = ENTRY * size;
        entries[e] = number;
        entries[e + 1] = length;
        entries[e + 2] = place;
        if (++size == slots.length >>> 1) {
            grow();
        }
    }

    private void grow() {
        if (slots.length == MOST_SLOTS) {
            throw Fault.TOO_LONG;
        }
        long[] larger = new long[slots.length * (slots.length < SMALL ? 4 : 2)];
        for (long slot : slots) {
            if ((int) slot >= base) {
                larger[empty(larger, (int) (slot >>> Integer.SIZE))] = slot;
            }
        }
        slots = larger;
        entries = Arrays.copyOf(entries, ENTRY * larger.length / 2);
    }

    private int empty(long[] in, int hash) {
        int i = begin(hash, in.length);
        while ((int) in[i] >= base) {
            i = i + 1 & in.length - 1;
        }
        return i;
    }

    private static int begin(int hash, int length) {
        return hash >>> Integer.numberOfLeadingZeros(length) + 1;
    }

    /** Whether texts of the same length are equal: in words, of which the last overlaps the one before. */
    static boolean same(byte[] a, int at, byte[] b, int place, int length) {
        Memory memory = Memory.MEMORY;
        if (length < Long.BYTES) {
            return ends(a, at, length) == ends(b, place, length);
        }
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            if (memory.getLong(a, at + i) != memory.getLong(b, place + i)) {
                return false;
            }
        }
        return memory.getLong(a, at + last) == memory.getLong(b, place + last);
    }

    /** All of 2 to 7 bytes, some of them twice. */
    private static long ends(byte[] from, int at, int length) {
        Memory memory = Memory.MEMORY;
        return length < Integer.BYTES
            ? (long) memory.getChar(from, at) << Short.SIZE | memory.getChar(from, at + length - Short.BYTES)
            : (long) memory.getInt(from, at) << Integer.SIZE | memory.getInt(from, at + length - Integer.BYTES) & LOW;
    }

    private static int hash(byte[] from, int at, int length) {
        Memory memory = Memory.MEMORY;
        long hash = SEED_B ^ length;
        if (length < Long.BYTES) {
            hash = mix(ends(from, at, length) ^ SEED_A, hash);
        } else {
            int last = at + length - 2 * Long.BYTES;
            for (int i = at; i < last; i += 2 * Long.BYTES) {
                hash = mix(memory.getLong(from, i) ^ SEED_A, memory.getLong(from, i + Long.BYTES) ^ hash);
            }
            hash = mix(memory.getLong(from, Math.max(at, last)) ^ SEED_A,
                memory.getLong(from, last + Long.BYTES) ^ hash);
        }
        return (int) (hash ^ hash >>> Integer.SIZE);
    }

    private static long mix(long a, long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }
}
