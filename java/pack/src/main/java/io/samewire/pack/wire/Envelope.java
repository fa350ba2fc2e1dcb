package io.samewire.pack.wire;

import io.samewire.pack.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A whole message: the values that a program writes, and all that stands before them. Values of a schema without text are
 * written where they will stay, behind room left for the header.
 */
public final class Envelope {
    /** Where finished messages go; {@code array[0, length)} is in use. */
    public static final class Target {
        /** The bytes. */
        public byte[] array;
        /** How many of them are in use. */
        public int length;

        /** A target with that array, of which {@code length} bytes are in use. */
        public Target(byte[] array, int length) {
            this.array = array;
            this.length = length;
        }
    }

    private static final int MOST_HEAD = 1 + Header.DIGEST_BYTES + 5 + 5;

    private final Program program;
    private final Limits limits;
    private final boolean compact;
    private final boolean withDigest;
    private final long digest;
    private final int sites;
    /** Length of the header where the schema holds no text; the values then begin at 1 modulo 8 in any case. */
    private final int plainHead;

    /** What wraps the values of {@code program}. */
    public Envelope(Program program, Limits limits, boolean compact, boolean withDigest, long digest, int sites) {
        this.program = program;
        this.limits = limits;
        this.compact = compact;
        this.withDigest = withDigest;
        this.digest = digest;
        this.sites = sites;
        this.plainHead = withDigest ? 1 + Header.DIGEST_BYTES : 1;
    }

    /** The message of a value. */
    public byte[] bytes(Object value) {
        Writer out = Writers.take();
        try {
            byte[] head = values(out, value);
            if (head == null) {
                plainHeader(out, 0);
                return Arrays.copyOf(out.buf, out.pos);
            }
            int at = head.length + out.latinLength + out.wideLength;
            int padding = padding(out, at);
            byte[] whole = new byte[size((long) at + padding + out.pos - plainHead)];
            System.arraycopy(head, 0, whole, 0, head.length);
            System.arraycopy(out.latin, 0, whole, head.length, out.latinLength);
            System.arraycopy(out.wide, 0, whole, head.length + out.latinLength, out.wideLength);
            System.arraycopy(out.buf, plainHead, whole, at + padding, out.pos - plainHead);
            return whole;
        } finally {
            Writers.give(out);
        }
    }

    /** Appends the message of a value; on any failure the target is as it was. */
    public void append(Object value, Target target) {
        Writer out = Writers.take();
        byte[] own = out.buf;
        try {
            if (sites == 0) {
                direct(out, value, target);
                return;
            }
            byte[] head = values(out, value);
            if (head == null) {
                plainHeader(out, 0);
                room(target, out.pos);
                System.arraycopy(out.buf, 0, target.array, target.length, out.pos);
                target.length += out.pos;
                return;
            }
            int at = head.length + out.latinLength + out.wideLength;
            int padding = padding(out, at);
            int whole = size((long) at + padding + out.pos - plainHead);
            room(target, whole);
            put(out, head, padding, ByteBuffer.wrap(target.array, target.length, whole));
            target.length += whole;
        } finally {
            if (sites == 0) {
                out.buf = own;
            }
            Writers.give(out);
        }
    }

    /** Puts the message of a value into a buffer; answers its length, negated if it does not fit and nothing was put. */
    public int put(Object value, ByteBuffer to) {
        Writer out = Writers.take();
        try {
            byte[] head = values(out, value);
            if (head == null) {
                plainHeader(out, 0);
                if (out.pos > to.remaining()) {
                    return -out.pos;
                }
                to.put(out.buf, 0, out.pos);
                return out.pos;
            }
            int at = head.length + out.latinLength + out.wideLength;
            int padding = padding(out, at);
            int whole = size((long) at + padding + out.pos - plainHead);
            if (whole > to.remaining()) {
                return -whole;
            }
            put(out, head, padding, to);
            return whole;
        } finally {
            Writers.give(out);
        }
    }

    private void put(Writer out, byte[] head, int padding, ByteBuffer to) {
        to.put(head).put(out.latin, 0, out.latinLength).put(out.wide, 0, out.wideLength).put(new byte[padding])
            .put(out.buf, plainHead, out.pos - plainHead);
    }

    private void direct(Writer out, Object value, Target target) {
        out.begin(limits, compact, 0);
        out.buf = target.array;
        out.base = target.length;
        out.pos = target.length;
        out.reserve(plainHead);
        out.pos += plainHead;
        program.write(out, value);
        size((long) out.pos - out.base);
        plainHeader(out, out.base);
        target.array = out.buf;
        target.length = out.pos;
    }

    /** The message of a value in pieces of {@code size} bytes, the last one shorter; no array holds all of it. */
    public List<byte[]> pieces(Object value, int size) {
        Writer out = Writers.take();
        try {
            byte[] head = values(out, value);
            Pieces pieces = new Pieces(size);
            if (head == null) {
                plainHeader(out, 0);
                pieces.add(out.buf, 0, out.pos);
            } else {
                int at = head.length + out.latinLength + out.wideLength;
                int padding = padding(out, at);
                size((long) at + padding + out.pos - plainHead);
                pieces.add(head, 0, head.length);
                pieces.add(out.latin, 0, out.latinLength);
                pieces.add(out.wide, 0, out.wideLength);
                pieces.add(new byte[padding], 0, padding);
                pieces.add(out.buf, plainHead, out.pos - plainHead);
            }
            return pieces.finish();
        } finally {
            Writers.give(out);
        }
    }

    /**
     * Writes the values; answers what stands before the text, or null where there is no text and the header goes before the
     * values.
     */
    private byte[] values(Writer out, Object value) {
        out.begin(limits, compact, sites);
        out.pos = plainHead;
        program.write(out, value);
        if (out.latinLength == 0 && out.wideLength == 0) {
            size(out.pos);
            return null;
        }
        if ((long) out.latinLength + out.wideLength > limits.frameBytes()) {
            throw Fault.FAULT;
        }
        byte[] head = new byte[MOST_HEAD];
        head[0] = (byte) (header(out) | (out.latinLength > 0 ? Header.TEXT : 0) | (out.wideLength > 0 ? Header.WIDE : 0));
        int at = 1;
        if (withDigest) {
            Bytes.putLong(head, at, Long.reverseBytes(digest));
            at += Header.DIGEST_BYTES;
        }
        if (out.latinLength > 0) {
            at = varint(head, at, out.latinLength);
        }
        if (out.wideLength > 0) {
            at = varint(head, at, out.wideLength >> 1);
        }
        return Arrays.copyOf(head, at);
    }

    private static int varint(byte[] to, int at, int value) {
        while (value >>> 7 != 0) {
            to[at++] = (byte) (value | 0x80);
            value >>>= 7;
        }
        to[at] = (byte) value;
        return at + 1;
    }

    private void plainHeader(Writer out, int at) {
        out.buf[at] = (byte) header(out);
        if (withDigest) {
            Bytes.putLong(out.buf, at + 1, Long.reverseBytes(digest));
        }
    }

    private int header(Writer out) {
        return Header.VERSION | (compact ? 0 : Header.FAST) | (withDigest ? Header.DIGEST : 0) | (out.refs ? Header.REFS : 0)
            | (out.aligned ? Header.ALIGNED : 0);
    }

    private static int padding(Writer out, int at) {
        return out.aligned ? 1 - at & 7 : 0;
    }

    private int size(long bytes) {
        if (bytes > limits.frameBytes()) {
            throw Fault.FAULT;
        }
        return (int) bytes;
    }

    private static void room(Target target, int more) {
        if (target.array.length - target.length < more) {
            long needed = (long) target.length + more;
            if (needed > Integer.MAX_VALUE - 8) {
                throw Fault.FAULT;
            }
            long length = Math.min(Math.max(2L * target.array.length, needed), Integer.MAX_VALUE - 8);
            target.array = Arrays.copyOf(target.array, (int) length);
        }
    }

    private static final class Pieces {
        private final List<byte[]> done = new ArrayList<>();
        private final int size;
        private byte[] open;
        private int used;

        Pieces(int size) {
            this.size = size;
            this.open = new byte[size];
        }

        void add(byte[] from, int at, int length) {
            while (length > 0) {
                int part = Math.min(length, size - used);
                System.arraycopy(from, at, open, used, part);
                used += part;
                at += part;
                length -= part;
                if (used == size) {
                    done.add(open);
                    open = new byte[size];
                    used = 0;
                }
            }
        }

        List<byte[]> finish() {
            if (used > 0) {
                done.add(Arrays.copyOf(open, used));
            }
            return done;
        }
    }
}
