package io.samewire.pack.records;

/** How blocks of records are written. Readers tell it by the block. */
public enum Compression {
    /** As they are. The default. */
    NONE,
    /**
     * By zstd, where that makes a block smaller. Both sides need {@code com.github.luben:zstd-jni}, an optional
     * dependency of this library.
     */
    ZSTD
}
