package io.samewire.pack.wire;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Arrays of numbers that columns go through on their way to or from objects. They are handed out like frames of a
 * stack, and kept for the next message: to clear new ones, and to collect them, would take longer than to fill them.
 * What is kept is bounded, for each of a few threads.
 */
final class ColumnScratch {
    private static final int PLACES = 8;
    private static final int FIRST_ARRAYS = 32;
    /** Numbers in all arrays that are kept: 2 MiB. */
    private static final int MOST_KEPT = 1 << 18;
    /** Arrays have a multiple of so many numbers, so that those of one message suit the next. */
    private static final int STEP = 512;

    private static final AtomicReferenceArray<ColumnScratch> KEPT = new AtomicReferenceArray<>(PLACES);

    private long[][] arrays = new long[FIRST_ARRAYS][];
    private int used;
    private int kept;

    private static int place() {
        return (int) Thread.currentThread().getId() & PLACES - 1;
    }

    /** Returns one that no other thread has until it is given back. */
    static ColumnScratch take() {
        ColumnScratch own = KEPT.getAndSet(place(), null);
        return own == null ? new ColumnScratch() : own;
    }

    /** Gives it back. All its arrays are free then. */
    void give() {
        used = 0;
        KEPT.setRelease(place(), this);
    }

    /** Returns an array of at least {@code n} numbers of any value, to be used until what is in use now is released. */
    long[] longs(int n) {
        if (used == arrays.length) {
            arrays = java.util.Arrays.copyOf(arrays, 2 * used);
        }
        long[] array = arrays[used];
        if (array == null || array.length < n) {
            array = grown(array, n);
        }
        used++;
        return array;
    }

    private long[] grown(long[] before, int n) {
        kept -= before == null ? 0 : before.length;
        arrays[used] = null;
        if (n > MOST_KEPT - STEP - kept) {
            return new long[n];
        }
        int length = (n | STEP - 1) + 1;
        kept += length;
        arrays[used] = new long[length];
        return arrays[used];
    }

    /** How many arrays are in use. */
    int mark() {
        return used;
    }

    /** Frees all arrays but the first {@code mark}. */
    void release(int mark) {
        used = mark;
    }
}
