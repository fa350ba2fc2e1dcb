package io.samewire.bench.bridge;

import java.io.IOException;

/** Whole messages, there and back. */
interface Transport {
    /** Reads so many bytes, no fewer. Throws EOFException at the end of the connection. */
    void read(byte[] into, int length) throws IOException;

    /** Writes so many bytes. */
    void write(byte[] from, int length) throws IOException;
}
