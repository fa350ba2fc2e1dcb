package io.samewire.bridge.transport;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;

/** A connection within this process. */
public final class WithinTransport implements Transport {
    private final PipedInputStream in;
    private final PipedOutputStream out;

    private WithinTransport(PipedInputStream in, PipedOutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Returns the two ends of a connection. */
    public static WithinTransport[] pair() throws IOException {
        PipedInputStream there = new PipedInputStream();
        PipedInputStream back = new PipedInputStream();
        return new WithinTransport[] {new WithinTransport(back, new PipedOutputStream(there)),
            new WithinTransport(there, new PipedOutputStream(back))};
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        return in.read(into, from, length);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
        out.flush();
    }

    @Override
    public void close() {
        try {
            out.close();
            in.close();
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
