package io.samewire.pack;

/** How a writer writes; one reader reads both ({@code spec/pack.md} section 11). */
public enum Profile {
    /** Looks repeated texts up and packs integers. The default. */
    COMPACT,
    /** Does neither: larger messages, faster to write. */
    FAST
}
