package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.Limits;

/** What one reply may still take ({@code spec/limits.md}). Each method returns what is exceeded, or null. */
final class Budget {
    /** More levels than any server nests, and few enough for the smallest stack of a thread. */
    static final int MOST_DEPTH = 1024;
    /** The fewest bytes of an element: {@code _} and CR LF. */
    static final int LEAST_ELEMENT = 3;
    /** Cells of an aggregate itself, of an element, of an entry. */
    private static final int OWN_CELLS = 3;
    private static final int ELEMENT_CELLS = 2;
    private static final int ENTRY_CELLS = 6;

    final int depth;
    final int frameBytes;
    private final Limits limits;
    private long items;
    private long cells;

    Budget(Limits limits) {
        this.limits = limits;
        depth = Math.min(limits.depth(), MOST_DEPTH);
        frameBytes = limits.frameBytes();
        reset();
    }

    /** Starts with another reply. */
    void reset() {
        items = limits.items();
        cells = limits.cells();
    }

    /** Enters an aggregate of so many entries, the {@code level}th that is open. */
    Code enter(int level, boolean pairs, long entries) {
        return level > depth ? Code.LIMIT_DEPTH : charge(OWN_CELLS, pairs, entries);
    }

    /** Charges one entry of an aggregate without a count. */
    Code entry(boolean pairs) {
        return charge(0, pairs, 1);
    }

    /** Judges whether a reply can have so many bytes. */
    Code reach(long bytes) {
        return bytes > frameBytes ? Code.LIMIT_SIZE : null;
    }

    private Code charge(int own, boolean pairs, long entries) {
        items -= entries;
        cells -= own + entries * (pairs ? ENTRY_CELLS : ELEMENT_CELLS);
        return items < 0 || cells < 0 ? Code.LIMIT_ITEMS : null;
    }

    long items() {
        return items;
    }

    long cells() {
        return cells;
    }

    /** Goes back to what was left at an earlier time. */
    void restore(long itemsLeft, long cellsLeft) {
        items = itemsLeft;
        cells = cellsLeft;
    }
}
