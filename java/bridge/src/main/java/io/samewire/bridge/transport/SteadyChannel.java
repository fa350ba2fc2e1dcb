package io.samewire.bridge.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A connection whose waits an interrupt of the waiting thread does not end: one that met a read or a write which blocks
 * would close the connection. A program may interrupt its own threads while these call the client. One thread reads and
 * one writes at a time.
 */
public final class SteadyChannel {
    private final SocketChannel channel;
    private final Selector readable;
    /** Made when a write has to wait for the first time. */
    private volatile Selector writable;

    /** Takes a connection that no thread reads or writes, and has it no longer block. */
    public SteadyChannel(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        this.readable = selector(SelectionKey.OP_READ);
    }

    /** Opens what waits for one kind of readiness. It is closed if the connection is, which may happen meanwhile. */
    private Selector selector(int operation) throws IOException {
        Selector selector = Selector.open();
        boolean open = false;
        try {
            channel.register(selector, operation);
            open = true;
        } finally {
            if (!open) {
                selector.close();
            }
        }
        return selector;
    }

    /** Reads at least one byte, for which it waits. Returns how many, or -1 at the end. */
    public int read(ByteBuffer into) throws IOException {
        int count = channel.read(into);
        while (count == 0 && into.hasRemaining()) {
            await(readable);
            count = channel.read(into);
        }
        return count;
    }

    /** Writes at least one byte, and returns how many. */
    public int write(ByteBuffer bytes) throws IOException {
        int count = channel.write(bytes);
        while (count == 0 && bytes.hasRemaining()) {
            if (writable == null) {
                writable = selector(SelectionKey.OP_WRITE);
                closeIfClosed();
            }
            await(writable);
            count = channel.write(bytes);
        }
        return count;
    }

    private void await(Selector selector) throws IOException {
        boolean interrupted = false;
        try {
            do {
                // It ends at once for a thread that is interrupted.
                interrupted |= Thread.interrupted();
                selector.select();
                if (!channel.isOpen()) {
                    throw new AsynchronousCloseException();
                }
            } while (selector.selectedKeys().isEmpty());
            selector.selectedKeys().clear();
        } catch (ClosedSelectorException closed) {
            throw new AsynchronousCloseException();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Closes the connection and what it was waited for with: its descriptor is given back when both are closed. A wait
     * ends with an {@link IOException}.
     */
    public void close() throws IOException {
        channel.close();
        closeIfClosed();
    }

    /** Gives back what a connection that was closed is still waited for with. */
    public void closeIfClosed() throws IOException {
        if (!channel.isOpen()) {
            readable.close();
            Selector writes = writable;
            if (writes != null) {
                writes.close();
            }
        }
    }
}
