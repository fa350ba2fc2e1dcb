package io.samewire.bridge.transport;

import java.io.IOException;

/**
 * A pair of byte streams to one peer. One thread reads and one writes at a time; any thread may close it, which ends a
 * read or a write that waits with an {@link IOException} or the end of the stream.
 */
public interface Transport extends AutoCloseable {
    /** Reads at least one byte, and at most {@code length}; waits for it. Returns how many, or -1 at the end. */
    int read(byte[] into, int from, int length) throws IOException;

    /** Writes all of the bytes, in as few pieces as it can. */
    void write(byte[] bytes, int from, int length) throws IOException;

    /** Returns whether the peer is a program of this machine: the end of its connection tells when it is gone. */
    default boolean isOnThisMachine() {
        return true;
    }

    /**
     * Has an interrupt of a thread that reads or writes leave it alone: the thread waits on, and stays interrupted.
     * Called while no thread reads or writes.
     */
    default void steady() throws IOException {
    }

    /** Ends both streams. Does nothing the second time. */
    @Override
    void close();

    /**
     * Gives back what it holds beside its connection. Called when no thread reads or writes, nor ever will again; any
     * number of times.
     */
    default void free() {
    }
}
