package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Finds earlier texts of a message. Open addressing; a slot is four numbers: the text's number plus {@code epoch} between 24
 * bits of its hash and its length in bytes; its first eight bytes; its last eight; where it begins in its block. It is empty
 * where that sum is below {@code epoch}: raising it empties the table at no cost. No reference to a string outlives the call
 * that wrote it.
 *
 * <p>Hashes are seeded when the table is made, quick, and of long texts they see no more than both ends. Somebody may find
 * texts that collide all the same: after {@link #MOST_STEPS} steps past other texts of one message every byte is hashed well.
 * Either way a look-up is complete (the table grows, probes are never cut short), so that the bytes written depend neither on
 * seeds nor on hashes.
 */
final class TextTable {
    static final int WORDS = 4;
    private static final int FIRST_SLOTS = 256;
    private static final int MOST_KEPT = 1 << 16;
    private static final int MOST_EPOCH = 1 << 30;
    /** For each text recorded: in a table that is half full, honest texts take less than one. */
    private static final int MOST_STEPS = 4;
    private static final int ALLOWED_STEPS = 256;
    static final int NUMBER_SHIFT = 8;
    static final int TAG_SHIFT = 40;
    static final int TAG_BITS = 24;
    private static final int WIDE = 0x80;

    final long seedA;
    final long seedB;
    long[] slots = new long[WORDS * FIRST_SLOTS];
    int epoch = 1;
    int steps;
    boolean whole;
    private int recorded;

    TextTable(SplittableRandom random) {
        seedA = random.nextLong() | 1;
        seedB = random.nextLong() | 1;
    }

    /** Empties the table; {@code numbers} is how many numbers were given since it was last emptied. */
    void clear(int numbers) {
        recorded = 0;
        steps = 0;
        whole = false;
        epoch += numbers;
        if (slots.length > MOST_KEPT) {
            slots = new long[WORDS * FIRST_SLOTS];
            epoch = 1;
        } else if (epoch > MOST_EPOCH) {
            Arrays.fill(slots, 0);
            epoch = 1;
        }
    }

    private int tag(long head, long tail) {
        return (int) (head * seedA + tail * seedB >>> 64 - TAG_BITS);
    }

    /**
     * The number of an earlier Latin-1 text of 2 to 16 characters, or -1, in which case it is recorded under {@code number}.
     * For messages in which the quick hash has been found out; {@link Writer} itself looks such texts up in all others.
     *
     * @param head its first 8 bytes, or all of them, zeroes above them
     * @param tail its last 8 bytes, or 0 if there are no more than 8
     */
    int findOrRecord(long head, long tail, int length, int number) {
        int found = find(tag(head, tail), head, tail, length, null, 0, 0, null);
        int tag = fold(head ^ seedA, tail ^ seedB);
        if (found < 0) {
            found = find(tag, head, tail, length, null, 0, 0, null);
        }
        if (found < 0) {
            record(tag, number, length, head, tail, 0);
        }
        return found;
    }

    /**
     * The number of an earlier text, or -1, in which case it is recorded under {@code number}. Latin-1 of up to 16 characters
     * must be looked up by the other method.
     *
     * @param from the array that holds the text's bytes, 4 to 95 of them at {@code at}
     * @param block the block in which texts of its width are written
     * @param written where in the block it will stand if it is new
     * @param wide whether those are bytes of UTF-16
     */
    int findOrRecord(byte[] from, int at, int length, byte[] block, int written, boolean wide, int number) {
        long head = length < 8 ? Bytes.getInt(from, at) : Bytes.getLong(from, at);
        long tail = length < 8 ? Bytes.getInt(from, at + length - 4) : Bytes.getLong(from, at + length - 8);
        int shape = wide ? length | WIDE : length;
        int tag = tag(head + length, tail);
        int found = find(tag, head, tail, shape, from, at, length, block);
        if (found < 0 && whole) {
            tag = wholeTag(from, at, length);
            found = find(tag, head, tail, shape, from, at, length, block);
        }
        if (found < 0) {
            record(tag, number, shape, head, tail, written);
        }
        return found;
    }

    /** Looks under one hash; without a block, both ends are all of the text. */
    private int find(int tag, long head, long tail, int shape, byte[] from, int at, int length, byte[] block) {
        long[] table = slots;
        int mask = table.length - WORDS;
        int i = tag * WORDS & mask;
        for (long slot = table[i]; (int) (slot >>> NUMBER_SHIFT) >= epoch; slot = table[i]) {
            if (table[i + 1] == head && table[i + 2] == tail && (slot & 0xff) == shape) {
                int place = (int) table[i + 3];
                if (block == null || Arrays.equals(from, at, at + length, block, place, place + length)) {
                    return (int) (slot >>> NUMBER_SHIFT) - epoch;
                }
            }
            i = i + WORDS & mask;
            steps++;
        }
        return -1;
    }

    private void record(int tag, int number, int shape, long head, long tail, int place) {
        long[] table = slots;
        int mask = table.length - WORDS;
        int i = tag * WORDS & mask;
        while ((int) (table[i] >>> NUMBER_SHIFT) >= epoch) {
            i = i + WORDS & mask;
        }
        table[i] = (long) tag << TAG_SHIFT | (long) (epoch + number) << NUMBER_SHIFT | shape;
        table[i + 1] = head;
        table[i + 2] = tail;
        table[i + 3] = place;
        recorded(table.length);
    }

    void recorded(int length) {
        if (++recorded > length / WORDS >> 1) {
            grow();
        }
        whole = steps > ALLOWED_STEPS + MOST_STEPS * recorded;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 4];
        int mask = slots.length - WORDS;
        for (int from = 0; from < old.length; from += WORDS) {
            if ((int) (old[from] >>> NUMBER_SHIFT) >= epoch) {
                int i = (int) (old[from] >>> TAG_SHIFT) * WORDS & mask;
                while (slots[i] != 0) {
                    i = i + WORDS & mask;
                }
                System.arraycopy(old, from, slots, i, WORDS);
            }
        }
    }

    private int wholeTag(byte[] from, int at, int length) {
        long hash = seedB ^ length;
        int end = at + length;
        for (int i = at; i < end - 8; i += 8) {
            hash = mix(Bytes.getLong(from, i) ^ seedA, hash ^ seedB);
        }
        return fold((length < 8 ? Bytes.getInt(from, end - 4) : Bytes.getLong(from, end - 8)) ^ seedA, hash ^ seedB);
    }

    private static long mix(long a, long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }

    private static int fold(long a, long b) {
        long mixed = mix(a, b);
        return (int) ((mixed ^ mixed >>> 32) & (1 << TAG_BITS) - 1);
    }
}
