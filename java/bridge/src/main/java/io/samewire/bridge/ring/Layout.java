package io.samewire.bridge.ring;

/**
 * The layout of a ring's memory ({@code spec/bridge.md} section 12).
 *
 * <p>Each word has 128 bytes of its own, against false sharing: some processors fetch cache lines in pairs.
 */
final class Layout {
    /** The first eight bytes, {@code SWRING1\0}, as a little-endian number. */
    static final long MAGIC = 0x0031474E49525753L;
    /** Where the generation lies: a u64 that the hello repeats. */
    static final int GENERATION = 8;
    /** Where the capacity of each direction lies, a u32. */
    static final int CAPACITY = 16;
    /** Where the words of the direction from client to gateway begin. */
    static final int TO_GATEWAY = 512;
    /** Where the words of the direction from gateway to client begin. */
    static final int TO_CLIENT = 1024;
    /** Where the bytes begin: first those from client to gateway. */
    static final int BYTES = 4096;

    /** In the words of a direction: how many bytes were ever written, a u64 that only its writer stores. */
    static final int WRITTEN = 0;
    /** How many bytes were ever read, a u64 that only its reader stores. */
    static final int READ = 128;
    /** 1 while the reader sleeps, or is about to. */
    static final int READER_SLEEPS = 256;
    /** 1 while the writer sleeps, or is about to. */
    static final int WRITER_SLEEPS = 384;

    /** The least capacity of a direction. */
    static final int MIN_CAPACITY = 64 << 10;
    /** The largest capacity of a direction. */
    static final int MAX_CAPACITY = 16 << 20;

    private Layout() {
    }

    /** Returns whether a ring may have this capacity: a power of two within the bounds. */
    static boolean isCapacity(int capacity) {
        return capacity >= MIN_CAPACITY && capacity <= MAX_CAPACITY && Integer.bitCount(capacity) == 1;
    }

    /** Returns the length of the whole memory. */
    static int memoryBytes(int capacity) {
        return BYTES + 2 * capacity;
    }
}
