package io.samewire.bridge.transport;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * A connection that this process was started with. It uses only {@code java.io}: the classes of {@code java.nio} for
 * the first socket take longer to load than the JDK takes to start.
 *
 * <p>{@link #close()} does not end a waiting read, which is impossible in {@code java.io}. The peer ends it: it is the
 * program that started this one, and its connections end with it.
 */
public final class StreamTransport implements Transport {
    private final FileInputStream in;
    private final FileOutputStream out;

    private StreamTransport(FileInputStream in, FileOutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Returns a transport over two pipes, given as descriptors of this process. They stay open until it exits. */
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
            // The connection is not used any more, even if closing fails.
            return;
        }
    }
}
