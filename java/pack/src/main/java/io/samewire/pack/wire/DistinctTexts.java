package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Finds the distinct texts of a column, in order of appearance. Open addressing, as in {@link DistinctDoubles}; no text
 * is referred to after the call.
 *
 * <p>Hashes are quick: of a long text they cover both ends and the middle. If the JVM does not show the array of a
 * string, {@link String#hashCode()} is used. An attacker can compute it and choose texts that collide: after some steps
 * past other texts for each text, every character is hashed, with a seed. Equal texts are always found, so the bytes
 * written do not depend on hashes.
 */
final class DistinctTexts {
    private static final int FIRST_SLOTS = 1024;
    private static final int FIRST_TEXTS = 256;
    private static final int MOST_KEPT = 1 << 16;
    private static final int MOST_BASE = 1 << 29;
    /** Steps that are borne for each text, and besides. */
    private static final int MOST_STEPS = 4;
    private static final int ALLOWED_STEPS = 256;
    private static final long SEED_A;
    private static final long SEED_B;
    private static final long SEED_C;

    static {
        SplittableRandom random = new SplittableRandom();
        SEED_A = random.nextLong() | 1;
        SEED_B = random.nextLong() | 1;
        SEED_C = random.nextLong() | 1;
    }

    private int[] slots = new int[FIRST_SLOTS];
    private int base = 1;
    private boolean quick;
    private int steps;
    private int size;
    private String[] distinct;

    /**
     * Returns the distinct texts, {@link #size()} of them, or null if they are too many for a dictionary. Fills an
     * array with the index of each text among them.
     */
    String[] find(String[] texts, int m, long[] indices) {
        distinct = new String[FIRST_TEXTS];
        size = 0;
        steps = 0;
        quick = true;
        try {
            return collect(texts, m, indices) && size <= m >>> 1 ? distinct : null;
        } finally {
            // Also where a text is null: the next column must find the table empty.
            clear();
        }
    }

    private boolean collect(String[] texts, int m, long[] indices) {
        String before = null;
        int index = 0;
        boolean few = true;
        for (int i = 0; i < m && few; i++) {
            String text = texts[i];
            if (text != before || text == null) {
                index = index(text);
                before = text;
                few = !ColumnForm.isTooNew(size, i + 1);
                if (steps > ALLOWED_STEPS + MOST_STEPS * i && quick) {
                    quick = false;
                    fill(new int[slots.length]);
                }
            }
            indices[i] = index;
        }
        return few;
    }

    /** How many distinct texts were found last. */
    int size() {
        return size;
    }

    private int index(String text) {
        if (text == null) {
            throw Fault.FAULT;
        }
        int mask = slots.length - 1;
        int slot = slot(text);
        for (;; slot = slot + 1 & mask) {
            int index = slots[slot] - base;
            if (index < 0) {
                return added(text, slot);
            } else if (distinct[index].equals(text)) {
                return index;
            }
            steps++;
        }
    }

    private int added(String text, int slot) {
        if (size == distinct.length) {
            distinct = Arrays.copyOf(distinct, 2 * size);
        }
        slots[slot] = base + size;
        distinct[size++] = text;
        if (size > slots.length >>> 1) {
            fill(new int[4 * slots.length]);
        }
        return size - 1;
    }

    /** Moves to an empty table. */
    private void fill(int[] empty) {
        slots = empty;
        base = 1;
        for (int i = 0; i < size; i++) {
            int slot = slot(distinct[i]);
            while (slots[slot] != 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = base + i;
        }
    }

    private int slot(String text) {
        long hash = quick ? quickHash(text) : wholeHash(text);
        return (int) (hash >>> Long.numberOfLeadingZeros(slots.length - 1));
    }

    private static long quickHash(String text) {
        if (!Memory.SEES_STRINGS) {
            return text.hashCode() * SEED_A;
        }
        Memory memory = Memory.MEMORY;
        byte[] value = memory.value(text);
        int length = value.length;
        if (length == 0) {
            return 0;
        }
        long head = memory.getLong(value, 0);
        if (length <= Long.BYTES) {
            return DedupTable.wordHash(head, length);
        }
        long ends = DedupTable.endsHash(head, memory.getLong(value, length - 8));
        return length <= 2 * Long.BYTES ? ends : ends + memory.getLong(value, (length >>> 1) - 4) * SEED_C;
    }

    private static long wholeHash(String text) {
        long hash = SEED_B;
        for (int i = 0; i < text.length(); i++) {
            long mixed = (hash ^ text.charAt(i)) * SEED_A;
            hash = mixed ^ mixed >>> 29;
        }
        return hash * SEED_C;
    }

    private void clear() {
        base += size;
        distinct = null;
        if (slots.length > MOST_KEPT) {
            slots = new int[FIRST_SLOTS];
            base = 1;
        } else if (base > MOST_BASE) {
            Arrays.fill(slots, 0);
            base = 1;
        }
    }
}
