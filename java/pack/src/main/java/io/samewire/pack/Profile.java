package io.samewire.pack;

/** How messages are written. Every reader reads both ({@code spec/pack.md} section 11). */
public enum Profile {
    /** Deduplicates texts and packs integers. The default. */
    COMPACT,
    /** Does neither: messages are larger, and faster to write. */
    FAST
}
