package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Finds earlier texts of a message, and counts the misses of its dedup slots. Open addressing; a slot is four ints:
 * {@code base} plus the text's number; its length in bytes; where it begins in its block, in which its bytes are
 * compared; and nothing: a hash is needed again only when the table grows, and is then computed from the block. A slot
 * is empty where the first is below {@code base}: raising that empties the table at no cost. No reference to a string
 * outlives the call that wrote it.
 *
 * <p>Slots stand in an array of bytes, so that {@link Memory} reads them without checks of bounds: these, and the
 * registers they take, would cost as much as the look-up. Indices are masked hashes and numbers of dedup slots.
 *
 * <p>Hashes are seeded, quick, and of long texts they see no more than both ends. Somebody may find texts that collide
 * all the same: after {@link #MOST_STEPS} steps past other texts for each text of one message every byte is hashed
 * well. Either way a look-up is complete (the table grows, probes are never cut short), so that the bytes written
 * depend neither on seeds nor on hashes.
 */
final class DedupTable {
    private static final long SEED_A;
    private static final long SEED_B;
    /** Consecutive misses after which a dedup slot is disabled. */
    private static final int MAX_MISSES = 128;
    private static final int SLOT = 16;
    private static final int LENGTH = 4;
    private static final int PLACE = 8;
    /** The slots of a table that has not grown. */
    private static final int QUICK_SLOTS = 1024;
    /** Their bytes; behind them stand the misses of dedup slots, an int each. */
    private static final int QUICK_BYTES = QUICK_SLOTS * SLOT;
    private static final int QUICK_MASK = QUICK_BYTES - SLOT;
    /** Brings the highest bits of a hash above the offsets within a slot. */
    private static final int QUICK_SHIFT = Long.numberOfLeadingZeros(QUICK_BYTES - 1);
    private static final int FIRST_SITES = 64;
    private static final int MOST_KEPT = 1 << 17;
    private static final int MOST_BYTES = 1 << 30;
    private static final int MOST_BASE = 1 << 24;
    /** For each text numbered: in a table that is half full, honest texts take less than one. */
    private static final int MOST_STEPS = 4;
    private static final int ALLOWED_STEPS = 256;
    private static final int WIDE = 0x80;

    static {
        SplittableRandom random = new SplittableRandom();
        SEED_A = random.nextLong() | 1;
        SEED_B = random.nextLong() | 1;
    }

    /** {@code base} plus the number of the next text. */
    int next = 1;
    private int base = 1;
    /** The table before it has grown, and the misses of dedup slots. */
    private byte[] quick = new byte[QUICK_BYTES + FIRST_SITES * Integer.BYTES];
    /** The table after it has grown. */
    private byte[] grown;
    /** An array for the next time it grows. */
    private byte[] kept;
    /** Below this there is room for another text. */
    private int roomy = base + QUICK_SLOTS / 2;
    /** Below this there is room for another text, the table has not grown, and the quick hash is trusted. */
    private int quickEnd = roomy;
    private int steps;
    /** What {@code next} was when the quick hash was found wanting: the whole hash is that of texts from here on. */
    private int wholeFrom = Integer.MAX_VALUE;

    /** Enables all dedup slots: none has missed yet. */
    void enableAll(int dedupSlots) {
        if (quick.length - QUICK_BYTES < dedupSlots * Integer.BYTES) {
            quick = Arrays.copyOf(quick, QUICK_BYTES + dedupSlots * Integer.BYTES);
        }
        for (int dedupSlot = 0; dedupSlot < dedupSlots; dedupSlot++) {
            hit(dedupSlot);
        }
    }

    /** Whether a dedup slot is enabled: its texts are looked up. */
    boolean isEnabled(int dedupSlot) {
        return Memory.MEMORY.getInt(quick, QUICK_BYTES + dedupSlot * Integer.BYTES) < MAX_MISSES;
    }

    /** Resets the consecutive misses of a dedup slot. */
    void hit(int dedupSlot) {
        Memory.MEMORY.putInt(quick, QUICK_BYTES + dedupSlot * Integer.BYTES, 0);
    }

    private byte[] slots() {
        return grown == null ? quick : grown;
    }

    private int bytes() {
        return grown == null ? QUICK_BYTES : grown.length;
    }

    /** Empties the table. */
    void clear() {
        if (next == base) {
            return;
        }
        base = next;
        if (grown != null) {
            kept = grown.length <= MOST_KEPT ? grown : null;
            grown = null;
        }
        if (base > MOST_BASE) {
            Arrays.fill(quick, 0, QUICK_BYTES, (byte) 0);
            kept = null;
            base = 1;
            next = 1;
        }
        steps = 0;
        wholeFrom = Integer.MAX_VALUE;
        roomy = base + QUICK_SLOTS / 2;
        quickEnd = roomy;
    }

    /** Whether {@link #quickSlot} and what goes with it may be used for the next text. */
    boolean isQuick() {
        return next < quickEnd;
    }

    /** The hash of Latin-1 of 2 to 8 characters that a word begins with. */
    static long wordHash(long head, int length) {
        return (head << -8 * length) * SEED_A;
    }

    /** The hash of longer Latin-1, of its first word and its last. */
    static long endsHash(long head, long tail) {
        return head * SEED_A + tail * SEED_B;
    }

    /** Where a text of that hash belongs. */
    static int quickSlot(long hash) {
        return (int) (hash >>> QUICK_SHIFT) & QUICK_MASK;
    }

    /** Where a text belongs whose slot is another's. */
    static int nextSlot(int slot) {
        return slot + SLOT & QUICK_MASK;
    }

    /** Whether nothing is in a slot. */
    boolean isEmpty(int slot) {
        return Memory.MEMORY.getInt(quick, slot) < base;
    }

    /**
     * The number of the text in a slot of a table that has not grown if it is Latin-1 of up to 16 characters that
     * begins with the word {@code head}, of which only as much counts as is text, and ends with the word {@code tail}
     * if it is longer; or -1.
     */
    int quickNumber(int slot, byte[] block, long head, long tail, int length) {
        Memory memory = Memory.MEMORY;
        byte[] table = quick;
        if (memory.getInt(table, slot + LENGTH) != length) {
            return -1;
        }
        int place = memory.getInt(table, slot + PLACE);
        long differ = memory.getLong(block, place) ^ head;
        boolean same = length > 8 ? (differ | memory.getLong(block, place + length - 8) ^ tail) == 0
            : differ << -8 * length == 0;
        return same ? memory.getInt(table, slot) - base : -1;
    }

    /**
     * Records a text in an empty slot of a table that has not grown. Returns its number, or -1 if its dedup slot is
     * disabled now.
     */
    int record(int slot, int length, int place, int dedupSlot) {
        Memory memory = Memory.MEMORY;
        byte[] table = quick;
        int number = next;
        memory.putInt(table, slot, number);
        memory.putInt(table, slot + LENGTH, length);
        memory.putInt(table, slot + PLACE, place);
        next = number + 1;
        int at = QUICK_BYTES + dedupSlot * Integer.BYTES;
        int misses = memory.getInt(table, at) + 1;
        memory.putInt(table, at, misses);
        return misses < MAX_MISSES ? number - base : -1;
    }

    /** Whether {@link #makeRoom} must come before the next text. */
    boolean isFull() {
        return next >= roomy;
    }

    /**
     * The number of an earlier text, or -1, in which case it is recorded under the next number and is a miss of its
     * dedup slot. There is room.
     *
     * @param from the array that holds the text's bytes, 2 to 95 of them at {@code at}
     * @param block the block in which texts of its width are written
     * @param written where in the block it will stand if it is new
     * @param wide whether those are bytes of UTF-16
     */
    int findOrRecord(byte[] from, int at, int length, byte[] block, int written, boolean wide, int dedupSlot) {
        int compiled = wide ? length | WIDE : length;
        int hash = quickHash(from, at, length);
        int i = find(hash, compiled, from, at, length, block);
        if (i < 0 && next >= wholeFrom) {
            hash = wholeHash(from, at, length);
            i = find(hash, compiled, from, at, length, block);
        }
        if (i >= 0) {
            return Bytes.getInt(slots(), i) - base;
        }
        byte[] table = slots();
        Bytes.putInt(table, ~i, next);
        Bytes.putInt(table, ~i + LENGTH, compiled);
        Bytes.putInt(table, ~i + PLACE, written);
        int misses = QUICK_BYTES + dedupSlot * Integer.BYTES;
        Bytes.putInt(quick, misses, Bytes.getInt(quick, misses) + 1);
        return -1;
    }

    private static int quickHash(byte[] from, int at, int length) {
        long hash = length > 8 ? endsHash(Bytes.getLong(from, at), Bytes.getLong(from, at + length - 8))
            : wordHash(word(from, at, length), length);
        return (int) (hash >>> 32);
    }

    /** Up to 8 bytes. */
    private static long word(byte[] from, int at, int length) {
        long word = 0;
        for (int i = 0; i < length; i++) {
            word |= (from[at + i] & 0xffL) << 8 * i;
        }
        return word;
    }

    /** Where a look-up begins. */
    private int begin(int hash) {
        return (hash >>> Integer.numberOfLeadingZeros(bytes()) + 5) * SLOT;
    }

    /** The slot of a text under one hash, or the complement of the one where it belongs. */
    private int find(int hash, int compiled, byte[] from, int at, int length, byte[] block) {
        byte[] table = slots();
        int mask = bytes() - 1;
        int i = begin(hash);
        for (; Bytes.getInt(table, i) >= base; i = i + SLOT & mask) {
            if (Bytes.getInt(table, i + LENGTH) == compiled) {
                int place = Bytes.getInt(table, i + PLACE);
                if (Arrays.equals(from, at, at + length, block, place, place + length)) {
                    return i;
                }
            }
            if (++steps > ALLOWED_STEPS + MOST_STEPS * (next - base)) {
                wholeFrom = Math.min(wholeFrom, next);
                quickEnd = base;
            }
        }
        return ~i;
    }

    /**
     * Makes room for more texts; those that are there stand in these blocks. Not all numbers are those of texts
     * recorded, so counting comes before growing.
     */
    void makeRoom(byte[] latin, byte[] wide) {
        byte[] old = slots();
        int bytes = bytes();
        int recorded = 0;
        for (int i = 0; i < bytes; i += SLOT) {
            recorded += Bytes.getInt(old, i) >= base ? 1 : 0;
        }
        if (recorded >= bytes / SLOT / 4) {
            if (bytes == MOST_BYTES) {
                throw Fault.TOO_LONG;
            }
            grown = kept != null && kept.length > bytes ? kept : new byte[bytes * 4];
            kept = null;
            for (int i = 0; i < bytes; i += SLOT) {
                if (Bytes.getInt(old, i) >= base) {
                    move(old, i, latin, wide);
                }
            }
            quickEnd = base;
        }
        roomy = next + bytes() / SLOT / 2 - recorded;
        if (grown == null && next < wholeFrom) {
            quickEnd = roomy;
        }
    }

    private void move(byte[] old, int from, byte[] latin, byte[] wide) {
        int compiled = Bytes.getInt(old, from + LENGTH);
        int length = compiled & WIDE - 1;
        byte[] block = compiled == length ? latin : wide;
        int place = Bytes.getInt(old, from + PLACE);
        boolean isQuick = Bytes.getInt(old, from) < wholeFrom;
        int i = begin(isQuick ? quickHash(block, place, length) : wholeHash(block, place, length));
        while (Bytes.getInt(grown, i) >= base) {
            i = i + SLOT & grown.length - 1;
        }
        System.arraycopy(old, from, grown, i, SLOT);
    }

    private static int wholeHash(byte[] from, int at, int length) {
        long hash = SEED_B ^ length;
        int end = at + length;
        int i = at;
        for (; i < end - 8; i += 8) {
            hash = mix(Bytes.getLong(from, i) ^ SEED_A, hash ^ SEED_B);
        }
        long mixed = mix(word(from, i, end - i) ^ SEED_A, hash ^ SEED_B);
        return (int) (mixed ^ mixed >>> 32);
    }

    private static long mix(long a, long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }
}
