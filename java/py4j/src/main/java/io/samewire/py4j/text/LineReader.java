package io.samewire.py4j.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads lines of UTF-8 of a bounded length: a client that has not authenticated must not fill the heap. A time-out of
 * the socket within a line loses nothing.
 */
public final class LineReader extends BufferedReader {
    private static final int FIRST = 8192;
    /** A larger buffer is dropped once its lines have been read. */
    private static final int KEPT = 1 << 20;
    /** No array of the JVM is longer. */
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    private static final int LENGTH_BYTES = 4;
    /** The highest second byte of a hello's length: the next is a line feed. */
    private static final int HELLO_PAGES = 9;

    private final InputStream in;
    private byte[] buffer = new byte[FIRST];
    private int from;
    private int to;
    private int most;

    /**
     * Creates a reader.
     *
     * @param most the most bytes of a line until {@link #allowAny}
     */
    public LineReader(InputStream in, int most) {
        super(Reader.nullReader(), 1);
        this.in = in;
        this.most = most;
    }

    /**
     * Waits for the first bytes of a connection, and returns whether they are those of the bridge's dialect: the length
     * of a hello, which has fewer than 2,560 bytes ({@code spec/bridge.md} section 15). A line of text has a letter or
     * its end there.
     */
    public boolean beginsWithLength() throws IOException {
        while (true) {
            int held = to - from;
            for (int i = 1; i < Math.min(held, LENGTH_BYTES); i++) {
                int most = i == 1 ? HELLO_PAGES : 0;
                if (buffer[from + i] < 0 || buffer[from + i] > most) {
                    return false;
                }
            }
            if (held >= LENGTH_BYTES) {
                return true;
            }
            int count = in.read(buffer, to, buffer.length - to);
            if (count < 0) {
                return false;
            }
            to += count;
        }
    }

    /** Returns the bytes that have been read and not been used, and forgets them. */
    public byte[] takeRead() {
        byte[] read = Arrays.copyOfRange(buffer, from, to);
        from = to;
        return read;
    }

    /** Allows lines as long as an array can be. */
    public void allowAny() {
        most = LONGEST;
    }

    /**
     * Returns the next line without its end, null if there is none. A last line without an end is none: its sender
     * ended within a command.
     *
     * @throws ProtocolException if the line is longer than allowed
     */
    @Override
    public String readLine() throws IOException {
        int at = from;
        while (true) {
            for (; at < to; at++) {
                if (buffer[at] == '\n') {
                    return line(at);
                }
            }
            if (to - from > most) {
                throw new ProtocolException("a line of more than " + most
                    + " bytes before the client has authenticated");
            }
            int passed = at - from;
            makeRoom();
            int count = in.read(buffer, to, buffer.length - to);
            if (count < 0) {
                return null;
            }
            to += count;
            at = from + passed;
        }
    }

    private String line(int end) {
        int last = end > from && buffer[end - 1] == '\r' ? end - 1 : end;
        String line = new String(buffer, from, last - from, StandardCharsets.UTF_8);
        from = end + 1;
        if (from == to) {
            from = 0;
            to = 0;
            if (buffer.length > KEPT) {
                buffer = new byte[FIRST];
            }
        }
        return line;
    }

    private void makeRoom() throws ProtocolException {
        if (to < buffer.length) {
            return;
        }
        if (from > 0) {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            from = 0;
        } else {
            if (buffer.length == LONGEST) {
                throw new ProtocolException("a line of more than " + LONGEST + " bytes");
            }
            buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length * 2L, LONGEST));
        }
    }

    /** Reads nothing: commands are lines. */
    @Override
    public int read() {
        return -1;
    }

    /** Reads nothing: commands are lines. */
    @Override
    public int read(char[] target, int offset, int length) {
        return -1;
    }

    @Override
    public boolean ready() throws IOException {
        return from < to || in.available() > 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
