package io.samewire.redis.client;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;

/** TCP and unix sockets: a channel in blocking mode, read and written by the threads that wait. */
final class ChannelTransport extends Transport {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    /** Views of the arrays that were used last. */
    private ByteBuffer in = NOTHING;
    private ByteBuffer out = NOTHING;
    private volatile long written;

    ChannelTransport(SocketChannel channel, Deadlines deadlines) {
        super(deadlines);
        this.channel = channel;
    }

    SocketChannel channel() {
        return channel;
    }

    void connect(SocketAddress address) throws IOException {
        channel.connect(address);
    }

    @Override
    int read(byte[] to, int from, int most) throws IOException {
        if (in.array() != to) {
            in = ByteBuffer.wrap(to);
        }
        in.limit(from + Math.min(most, PIECE)).position(from);
        return channel.read(in);
    }

    @Override
    int poll(byte[] to, int from, int most) throws IOException {
        channel.configureBlocking(false);
        int came = read(to, from, most);
        channel.configureBlocking(true);
        return came;
    }

    @Override
    void write(byte[] from, int start, int end) throws IOException {
        if (out.array() != from) {
            out = ByteBuffer.wrap(from);
        }
        int at = start;
        while (at < end) {
            int piece = Math.min(PIECE, end - at);
            out.limit(at + piece).position(at);
            at += writePiece(piece);
        }
    }

    /**
     * Writes what is in {@code out}, or a part of it, and returns how much. It is counted before the write: a thread
     * that is interrupted in it gets an exception although the bytes have gone out.
     */
    private int writePiece(int piece) throws IOException {
        // One thread writes at a time; others only look.
        long before = written;
        refuseInterrupted();
        written = before + piece;
        int taken;
        try {
            taken = channel.write(out);
        } catch (ClosedByInterruptException unknown) {
            throw unknown;
        } catch (IOException failed) {
            // The system has taken nothing: what it takes in part is returned.
            written = before;
            throw failed;
        }
        if (taken != piece) {
            written = before + taken;
        }
        return taken;
    }

    @Override
    long written() {
        return written;
    }

    @Override
    void closeChannel() {
        try {
            channel.close();
        } catch (IOException alreadyLost) {
            // The descriptor is gone in any case.
            return;
        }
    }
}
