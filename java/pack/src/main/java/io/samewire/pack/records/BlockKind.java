package io.samewire.pack.records;

/** The first byte of a block: 1 for the first of these. */
enum BlockKind {
    SCHEMA,
    RECORDS,
    ZSTD,
    INDEX;

    private static final BlockKind[] ALL = values();

    /** Returns the kind of a block's first byte, or null if there is no such kind. */
    static BlockKind of(byte first) {
        return first >= 1 && first <= ALL.length ? ALL[first - 1] : null;
    }

    /** Returns the first byte of a block. */
    byte code() {
        return (byte) (ordinal() + 1);
    }
}
