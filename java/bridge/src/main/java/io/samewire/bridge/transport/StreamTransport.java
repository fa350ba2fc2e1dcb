package io.samewire.bridge.transport;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * A connection that this process was started with. It is used by {@code java.io} alone: the JDK takes longer to load
 * what {@code java.nio} needs for its first socket than to start.
 *
 * <p>A read that waits is not ended by {@link #close()}, as nothing in {@code java.io} does that, but by the peer. That
 * is the program which started this one and ends with its connections.
 */
public final class StreamTransport implements Transport {
    private final FileInputStream in;
    private final FileOutputStream out;

    private StreamTransport(FileInputStream in, FileOutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Returns the pair of two pipes: descriptors of this process, which stay open with it. */
    public static StreamTransport ofPipes(int in, int out) throws IOException {
        return new StreamTransport(new FileInputStream(file(in)), new FileOutputStream(file(out)));
    }

    private static File file(int descriptor) {
        return new File("/dev/fd/" + descriptor);
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        return in.read(into, from, length);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
    }

    @Override
    public void close() {
        try {
            in.close();
            out.close();
        } catch (IOException error) {
            // It is of no use any more, closed or not.
            return;
        }
    }
}
