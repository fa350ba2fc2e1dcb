package io.samewire.bridge.transport;

import java.io.IOException;

/**
 * A pair of byte streams to one peer. One thread reads and one writes at a time. Any thread may close it, which ends a
 * waiting read or write with an {@link IOException} or the end of the stream.
 */
public interface Transport extends AutoCloseable {
    /** Reads at least one byte, and at most {@code length}; waits for it. Returns how many, or -1 at the end. */
    int read(byte[] into, int from, int length) throws IOException;

    /** Writes all of the bytes, in as few pieces as it can. */
    void write(byte[] bytes, int from, int length) throws IOException;

    /** Returns whether the peer is on this machine, so that its connection reliably ends with it. */
    default boolean isOnThisMachine() {
        return true;
    }

    /**
     * Makes it immune to interrupts of a thread that reads or writes: the thread keeps waiting, and stays interrupted.
     * Called while no thread reads or writes.
     */
    default void steady() throws IOException {
    }

    /** Ends both streams. Idempotent. */
    @Override
    void close();

    /**
     * Frees its resources other than the connection. Called after the last read and write. Idempotent.
     */
    default void free() {
    }
}
