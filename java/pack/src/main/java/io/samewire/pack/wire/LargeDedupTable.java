package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Finds earlier texts of a message that has many, or whose texts collide by the quick hash of {@link DedupTable}: every
 * byte is hashed, with seeds, and a look-up is complete. Open addressing; a slot is the index of an entry, and beside
 * it, in an array of bytes, a tag of seven bits of its hash, or 0 if it is empty. So nearly every miss reads tags
 * alone, which fit the nearest caches where the slots of thousands of texts do not.
 */
final class LargeDedupTable {
    private static final long SEED_A;
    private static final long SEED_B;
    private static final int FIRST_SLOTS = 1 << 12;
    /** Up to here the table grows by four, and then by two, so as to remain in the cache. */
    private static final int SMALL = 1 << 14;
    private static final int MOST_SLOTS = 1 << 27;
    private static final int MOST_KEPT = 1 << 16;
    /** A table that is emptied becomes a small one again if so many slots, or more, were there for each text. */
    private static final int MOST_SPARSE = 16;
    /**
     * The ints of an entry: the text's number; its length in bytes, marked with its form; its place in its block; its
     * hash.
     */
    private static final int ENTRY = 4;
    private static final long LOW = 0xffff_ffffL;

    static {
        SplittableRandom random = new SplittableRandom();
        SEED_A = random.nextLong() | 1;
        SEED_B = random.nextLong() | 1;
    }

    private byte[] tags;
    private int[] slots;
    private int[] entries;
    private int size;

    LargeDedupTable() {
        open(FIRST_SLOTS);
    }

    private void open(int length) {
        tags = new byte[length];
        slots = new int[length];
        entries = new int[ENTRY * length / 2];
    }

    /** Empties the table. */
    void clear() {
        if (tags.length > MOST_KEPT || tags.length > FIRST_SLOTS && size < tags.length / MOST_SPARSE) {
            open(FIRST_SLOTS);
        } else {
            Arrays.fill(tags, (byte) 0);
        }
        size = 0;
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
        byte tag = tag(hash);
        int mask = tags.length - 1;
        int i = begin(hash, tags.length);
        for (; tags[i] != 0; i = i + 1 & mask) {
            if (tags[i] == tag) {
                int e = ENTRY * slots[i];
                if (entries[e + 1] == (length | form) && same(from, at, block, entries[e + 2], length)) {
                    return entries[e];
                }
            }
        }
        add(i, hash, number, length | form, written);
        return -1;
    }

    /** Records a text that was found to be new elsewhere. */
    void record(byte[] block, int place, int length, int form, int number) {
        int hash = hash(block, place, length);
        add(empty(hash), hash, number, length | form, place);
    }

    private void add(int slot, int hash, int number, int length, int place) {
        tags[slot] = tag(hash);
        slots[slot] = size;
        int e = ENTRY * size;
        entries[e] = number;
        entries[e + 1] = length;
        entries[e + 2] = place;
        entries[e + 3] = hash;
        if (++size == tags.length >>> 1) {
            grow();
        }
    }

    private void grow() {
        if (tags.length == MOST_SLOTS) {
            throw Fault.TOO_LONG;
        }
        int[] full = entries;
        open(tags.length * (tags.length < SMALL ? 4 : 2));
        System.arraycopy(full, 0, entries, 0, ENTRY * size);
        for (int i = 0; i < size; i++) {
            int hash = entries[ENTRY * i + 3];
            int slot = empty(hash);
            tags[slot] = tag(hash);
            slots[slot] = i;
        }
    }

    private int empty(int hash) {
        int i = begin(hash, tags.length);
        while (tags[i] != 0) {
            i = i + 1 & tags.length - 1;
        }
        return i;
    }

    /** The low bits of a hash: the high ones say where its slot is. */
    private static byte tag(int hash) {
        return (byte) (hash | 0x80);
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
