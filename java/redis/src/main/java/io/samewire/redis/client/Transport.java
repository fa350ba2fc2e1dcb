package io.samewire.redis.client;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Bytes to and from a server. One thread reads and one writes at a time; any thread may close it, and whoever waits in
 * it then gets an {@link IOException}. A thread that is interrupted while it waits closes it.
 */
abstract class Transport extends Expiring implements AutoCloseable {
    /** The channel copies through a buffer that the thread keeps: larger pieces would make it keep a larger one. */
    static final int PIECE = 65_536;

    private final Deadlines deadlines;
    private volatile boolean closed;

    Transport(Deadlines deadlines) {
        super(deadlines);
        this.deadlines = deadlines;
        deadlines.watch(this);
    }

    /** Waits for bytes. Returns how many came, or -1 at the end of the stream. */
    abstract int read(byte[] to, int from, int most) throws IOException;

    /** Takes the bytes that are there, without waiting for others. Returns how many, or -1 at the end of the stream. */
    abstract int poll(byte[] to, int from, int most) throws IOException;

    /** Writes all of these bytes. */
    abstract void write(byte[] from, int start, int end) throws IOException;

    /**
     * Returns how many bytes were handed to the system since the connection was made, or may have been when a write
     * failed: no others have reached the server.
     */
    abstract long written();

    abstract void closeChannel();

    /**
     * Throws what a write of an interrupted thread throws, before bytes are counted: the channel would not tell whether
     * some have gone out.
     */
    final void refuseInterrupted() throws ClosedByInterruptException {
        if (Thread.currentThread().isInterrupted()) {
            closeChannel();
            throw new ClosedByInterruptException();
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    final void expire() {
        close();
    }

    @Override
    public final void close() {
        closed = true;
        deadlines.forget(this);
        closeChannel();
    }
}
