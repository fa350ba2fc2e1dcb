package io.samewire.pack;

/** How messages are written. Every reader reads all ({@code spec/pack.md} section 11). */
public enum Profile {
    /** Deduplicates texts, packs integers and writes long lists of structs as columns. The default. */
    COMPACT,
    /** Does none of these: messages are larger, and faster to write. */
    FAST
}
