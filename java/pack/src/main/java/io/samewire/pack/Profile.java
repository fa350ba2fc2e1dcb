package io.samewire.pack;

/** How messages are written. Every reader reads all ({@code spec/pack.md} section 11). */
public enum Profile {
    /** Deduplicates texts and packs integers. The default. */
    COMPACT(true, false),
    /** Does neither: messages are larger, and faster to write. */
    FAST(false, false),
    /**
     * A draft ({@code spec/columns.md}), not for use: as {@link #COMPACT}, with long lists of structs in columns. Not
     * every language reads its messages yet, and they may change.
     */
    COLUMNS(true, true);

    /** Whether texts are looked up and integers packed. */
    final boolean compact;
    /** Whether long lists of structs are written as columns. */
    final boolean columns;

    Profile(boolean compact, boolean columns) {
        this.compact = compact;
        this.columns = columns;
    }
}
