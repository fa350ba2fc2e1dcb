package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Finds earlier texts of a message, and counts the misses of its dedup slots. Open addressing; a slot is four ints:
 * {@code base} plus the text's number; its length in bytes, marked with its form; where it begins in its block, in
 * which its bytes are compared; and nothing. A slot is empty where the first is below {@code base}: raising that
 * empties the table at no cost. No reference to a string outlives the call that wrote it.
 *
 * <p>Slots are in an array of bytes, so that {@link Memory} reads them without bounds checks: these, and the registers
 * they take, would cost as much as the look-up. Indices are masked hashes and numbers of dedup slots;
 * of a text only its own bytes are read.
 *
 * <p>Hashes are seeded and quick: of a long text they cover only both ends. A {@link LargeDedupTable} takes over from
 * {@link #QUICK_SLOTS} / 2 texts on, and if texts collide, by chance or by attack: after {@link #MOST_STEPS} steps past
 * other texts for each text of one message. Both tables probe completely, so the bytes written depend neither on seeds
 * nor on hashes.
 */
final class DedupTable {
    private static final long SEED_A;
    private static final long SEED_B;
    /** Consecutive misses after which a dedup slot is disabled. */
    private static final int MAX_MISSES = 128;
    private static final int SLOT = 16;
    private static final int LENGTH = 4;
    private static final int PLACE = 8;
    private static final int QUICK_SLOTS = 1024;
    /** Their bytes; behind them stand the misses of dedup slots, an int each. */
    private static final int QUICK_BYTES = QUICK_SLOTS * SLOT;
    private static final int QUICK_MASK = QUICK_BYTES - SLOT;
    /** Brings the highest bits of a hash above the offsets within a slot. */
    private static final int QUICK_SHIFT = Long.numberOfLeadingZeros(QUICK_BYTES - 1);
    private static final int FIRST_SITES = 64;
    private static final int MOST_BASE = 1 << 24;
    /** For each text numbered: in a table that is half full, honest texts take less than one. */
    private static final int MOST_STEPS = 4;
    private static final int ALLOWED_STEPS = 256;
    /** Marks of lengths: of which form the bytes are, if not Latin-1. */
    static final int LATIN = 0;
    static final int WIDE = 0x80;
    static final int UTF8 = 0x100;

    static {
        SplittableRandom random = new SplittableRandom();
        SEED_A = random.nextLong() | 1;
        SEED_B = random.nextLong() | 1;
    }

    /** {@code base} plus the number of the next text. */
    int next = 1;
    private int base = 1;
    /** The table, and the misses of dedup slots. */
    private byte[] quick = new byte[QUICK_BYTES + FIRST_SITES * Integer.BYTES];
    /** What takes over; it is made when it is first needed. */
    private LargeDedupTable large;
    private boolean isLarge;
    /** Below this there is room for another text, and the quick hash is trusted. */
    private int quickEnd = base + QUICK_SLOTS / 2;
    private int steps;

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

    /** Empties the table. */
    void clear() {
        if (next == base) {
            return;
        }
        base = next;
        if (base > MOST_BASE) {
            Arrays.fill(quick, 0, QUICK_BYTES, (byte) 0);
            base = 1;
            next = 1;
        }
        if (isLarge) {
            large.clear();
            isLarge = false;
        }
        steps = 0;
        quickEnd = base + QUICK_SLOTS / 2;
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
     * The number of the text in a slot if it is Latin-1 of up to 16 characters that
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
     * Records a text in an empty slot. Returns its number, or -1 if its dedup slot is disabled now.
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

    /**
     * The number of an earlier text, or -1, in which case it is recorded under the next number and is a miss of its
     * dedup slot.
     *
     * @param from the array that holds the text's bytes, 2 to 95 of them at {@code at}
     * @param form whether those are {@link #LATIN}, {@link #WIDE} or {@link #UTF8}
     * @param block the block in which texts of its form are written
     * @param written where in the block it will stand if it is new
     */
    int findOrRecord(byte[] from, int at, int length, int form, byte[] block, int written, int dedupSlot) {
        int number = isLarge ? large.findOrRecord(from, at, length, form, block, written, next - base)
            : quickFindOrRecord(from, at, length, form, block, written);
        if (number < 0) {
            int misses = QUICK_BYTES + dedupSlot * Integer.BYTES;
            Memory.MEMORY.putInt(quick, misses, Memory.MEMORY.getInt(quick, misses) + 1);
        }
        return number;
    }

    private int quickFindOrRecord(byte[] from, int at, int length, int form, byte[] block, int written) {
        Memory memory = Memory.MEMORY;
        byte[] table = quick;
        int slot = quickSlot(length > 8 ? endsHash(memory.getLong(from, at), memory.getLong(from, at + length - 8))
            : wordHash(word(from, at, length), length));
        for (; !isEmpty(slot); slot = nextSlot(slot)) {
            if (memory.getInt(table, slot + LENGTH) == (length | form)
                && LargeDedupTable.same(from, at, block, memory.getInt(table, slot + PLACE), length)) {
                return memory.getInt(table, slot) - base;
            }
            if (++steps > ALLOWED_STEPS + MOST_STEPS * (next - base)) {
                quickEnd = base;
            }
        }
        memory.putInt(table, slot, next);
        memory.putInt(table, slot + LENGTH, length | form);
        memory.putInt(table, slot + PLACE, written);
        return -1;
    }

    /** Up to 8 bytes. */
    private static long word(byte[] from, int at, int length) {
        long word = 0;
        for (int i = 0; i < length; i++) {
            word |= (from[at + i] & 0xffL) << 8 * i;
        }
        return word;
    }

    /** Whether {@link #makeRoom} must come before the next text. */
    boolean isFull() {
        return next >= quickEnd && !isLarge;
    }

    /**
     * Makes room for more texts; those that are there stand in these blocks. Not all numbers are those of texts
     * recorded, so counting comes before the larger table.
     */
    void makeRoom(byte[] latin, byte[] wide, byte[] utf8) {
        Memory memory = Memory.MEMORY;
        int recorded = 0;
        for (int slot = 0; slot < QUICK_BYTES; slot += SLOT) {
            recorded += isEmpty(slot) ? 0 : 1;
        }
        if (quickEnd > base && recorded < QUICK_SLOTS / 4) {
            quickEnd = next + QUICK_SLOTS / 2 - recorded;
            return;
        }
        quickEnd = base;
        isLarge = true;
        large = large == null ? new LargeDedupTable() : large;
        for (int slot = 0; slot < QUICK_BYTES; slot += SLOT) {
            if (!isEmpty(slot)) {
                int marked = memory.getInt(quick, slot + LENGTH);
                int form = marked & (WIDE | UTF8);
                large.record(form == LATIN ? latin : form == WIDE ? wide : utf8, memory.getInt(quick, slot + PLACE),
                    marked ^ form, form, memory.getInt(quick, slot) - base);
            }
        }
    }
}
