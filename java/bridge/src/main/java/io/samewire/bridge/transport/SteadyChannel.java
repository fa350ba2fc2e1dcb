package io.samewire.bridge.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A connection that is immune to interrupts of its threads. NIO closes a channel if a thread is interrupted in a
 * blocking read or write, and a program may interrupt its own threads while these call the client. One thread reads and
 * one writes at a time.
 */
public final class SteadyChannel {
    private final SocketChannel channel;
    private final Selector readable;
    /** Made when a write has to wait for the first time; null before. */
    private volatile Selector writable;

    /** Takes a connection that no thread reads or writes, and makes it non-blocking. */
    public SteadyChannel(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        this.readable = selector(SelectionKey.OP_READ);
    }

    /** Opens a selector for one operation. It is closed if the connection was closed meanwhile. */
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

    /** Waits for at least one byte, and reads. Returns how many, or -1 at the end. */
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
                // It returns at once for an interrupted thread.
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
     * Closes the connection and its selectors: the descriptor is released when all are closed. A wait ends with an
     * {@link IOException}.
     */
    public void close() throws IOException {
        channel.close();
        closeIfClosed();
    }

    /** Closes the selectors of a closed connection. */
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
