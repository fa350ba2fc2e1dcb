package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Finds the distinct numbers of a column by their bits, in order of appearance. Open addressing; a slot holds
 * {@code base} plus the index of a number, and is empty where it is below {@code base}: raising that empties the table.
 * Hashes are seeded, so that an attacker cannot choose numbers that collide.
 */
final class DistinctDoubles {
    private static final int FIRST_SLOTS = 1024;
    private static final int MOST_KEPT = 1 << 16;
    private static final int MOST_BASE = 1 << 29;
    private static final long SEED = new SplittableRandom().nextLong() | 1;

    private int[] slots = new int[FIRST_SLOTS];
    private int base = 1;

    /**
     * Fills the arrays with the distinct numbers and with the index of each number among them.
     *
     * @return how many are distinct, or -1 if they are too many for a dictionary
     */
    int find(long[] bits, int m, long[] distinct, long[] indices) {
        int size = 0;
        for (int i = 0; i < m; i++) {
            long number = bits[i];
            int slot = slot(number);
            int index = slots[slot] - base;
            while (index >= 0 && distinct[index] != number) {
                slot = slot + 1 & slots.length - 1;
                index = slots[slot] - base;
            }
            if (index < 0) {
                index = size++;
                if (ColumnForm.isTooNew(size, i + 1)) {
                    size = -1;
                    clear(index);
                    return size;
                }
                distinct[index] = number;
                slots[slot] = base + index;
                if (size > slots.length >>> 1) {
                    grow(distinct, size);
                }
            }
            indices[i] = index;
        }
        clear(size);
        return size > m >>> 1 ? -1 : size;
    }

    private int slot(long number) {
        return (int) ((number ^ number >>> 32) * SEED >>> Long.numberOfLeadingZeros(slots.length - 1));
    }

    private void grow(long[] distinct, int size) {
        slots = new int[4 * slots.length];
        base = 1;
        for (int i = 0; i < size; i++) {
            int slot = slot(distinct[i]);
            while (slots[slot] != 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = base + i;
        }
    }

    private void clear(int size) {
        base += size;
        if (slots.length > MOST_KEPT) {
            slots = new int[FIRST_SLOTS];
            base = 1;
        } else if (base > MOST_BASE) {
            Arrays.fill(slots, 0);
            base = 1;
        }
    }
}
