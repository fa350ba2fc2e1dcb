package io.samewire.pack.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A few writers, kept for whoever asks. A slot is taken by setting its mark, which moves no reference and so costs the
 * collector nothing; who finds the slot of its thread taken (by another thread, or by itself further up the stack) gets a new
 * writer. Their number does not grow with the number of threads.
 */
final class Writers {
    private static final int SLOTS = 16;
    private static final VarHandle MARK = MethodHandles.arrayElementVarHandle(int[].class);
    private static final Writer[] KEPT = new Writer[SLOTS];
    /** One mark for each slot, each on a cache line of its own. */
    private static final int[] MARKS = new int[SLOTS * 16 + 16];

    private Writers() {}

    static Writer take() {
        int slot = (int) Thread.currentThread().getId() & SLOTS - 1;
        if (!MARK.compareAndSet(MARKS, slot * 16 + 16, 0, 1)) {
            return new Writer();
        }
        Writer writer = KEPT[slot];
        if (writer == null) {
            writer = new Writer();
            writer.slot = slot;
            KEPT[slot] = writer;
        }
        return writer;
    }

    static void give(Writer writer) {
        writer.end();
        if (writer.slot >= 0) {
            MARK.setRelease(MARKS, writer.slot * 16 + 16, 0);
        }
    }
}
