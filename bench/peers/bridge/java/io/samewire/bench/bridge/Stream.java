package io.samewire.bench.bridge;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A blocking socket, through one direct buffer: an array would be copied through one that the JDK keeps as large as the array. */
final class Stream implements Transport {
    private final SocketChannel socket;
    private final ByteBuffer in = ByteBuffer.allocateDirect(256 * 1024).limit(0);
    private final ByteBuffer out = ByteBuffer.allocateDirect(256 * 1024);

    Stream(SocketChannel socket) {
        this.socket = socket;
    }

    @Override
    public void read(byte[] into, int length) throws IOException {
        for (int had = 0; had < length; ) {
            if (!in.hasRemaining()) {
                in.clear();
                if (socket.read(in) < 0) {
                    throw new EOFException();
                }
                in.flip();
            }
            int piece = Math.min(length - had, in.remaining());
            in.get(into, had, piece);
            had += piece;
        }
    }

    @Override
    public void write(byte[] from, int length) throws IOException {
        for (int done = 0; done < length; ) {
            int piece = Math.min(length - done, out.capacity());
            out.clear().put(from, done, piece).flip();
            while (out.hasRemaining()) {
                socket.write(out);
            }
            done += piece;
        }
    }
}
