package io.samewire.bridge.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection of a unix socket or of TCP. */
public final class SocketTransport implements Transport {
    /** The most bytes of one read or write: the JDK copies them through a buffer of this size, kept for each thread. */
    private static final int MOST = 128 << 10;

    private final SocketChannel channel;
    /** Null if an interrupt may close the connection. */
    private volatile SteadyChannel steady;
    private ByteBuffer reading = ByteBuffer.allocate(0);
    private ByteBuffer writing = ByteBuffer.allocate(0);

    /** Takes a connected channel in blocking mode. */
    public SocketTransport(SocketChannel channel) {
        this.channel = channel;
    }

    /** Returns the connection. */
    public SocketChannel channel() {
        return channel;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        ByteBuffer buffer = reading;
        if (buffer.array() != into) {
            buffer = ByteBuffer.wrap(into);
            reading = buffer;
        }
        buffer.limit(from + Math.min(length, MOST)).position(from);
        SteadyChannel held = steady;
        return held == null ? channel.read(buffer) : held.read(buffer);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        ByteBuffer buffer = writing;
        if (buffer.array() != bytes) {
            buffer = ByteBuffer.wrap(bytes);
            writing = buffer;
        }
        SteadyChannel held = steady;
        int end = from + length;
        int at = from;
        while (at < end) {
            buffer.limit(at + Math.min(end - at, MOST)).position(at);
            at += held == null ? channel.write(buffer) : held.write(buffer);
        }
    }

    @Override
    public void steady() throws IOException {
        SteadyChannel made = new SteadyChannel(channel);
        steady = made;
        // The connection may have been closed before the assignment.
        made.closeIfClosed();
    }

    @Override
    public void close() {
        try {
            channel.close();
            SteadyChannel held = steady;
            if (held != null) {
                held.close();
            }
        } catch (IOException error) {
            // The connection is not used any more, even if closing fails.
            return;
        }
    }
}
