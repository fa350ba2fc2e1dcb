package io.samewire.pack.wire;

import io.samewire.core.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes whole messages: the header and the blocks of text, and the values that a program writes. Values of a schema
 * without text are written in place, after space reserved for the header.
 */
public final class MessageWriter {
    /** The destination of messages: {@code array[0, length)} is written. */
    public static final class Target {
        /** The bytes. */
        public byte[] array;
        /** How many of them are in use. */
        public int length;
        /** Whether a message is being written to it. */
        public boolean busy;

        /** A target with that array, of which {@code length} bytes are in use. */
        public Target(byte[] array, int length) {
            this.array = array;
            this.length = length;
        }
    }

    private static final byte[] ZEROES = new byte[8];

    private final Program program;
    private final Limits limits;
    private final boolean compact;
    private final KeyOrder keyOrder;
    private final WrittenDigest written;
    private final long digest;
    private final int dedupSlots;
    /** Length of the header and the digest, which the values of a message without text follow. */
    private final int plainHead;
    /** Padding that the last message without text had there: a guess. */
    private int usualPadding;
    /** Length of what preceded the text last time: a guess, which threads share without synchronization. */
    private int usualHead;

    /** Creates a writer of messages whose values {@code program} writes. */
    public MessageWriter(Program program, Limits limits, boolean compact, KeyOrder keyOrder,
        WrittenDigest written, long digest, int dedupSlots) {
        this.program = program;
        this.limits = limits;
        this.compact = compact;
        this.keyOrder = keyOrder;
        this.written = written;
        this.digest = digest;
        this.dedupSlots = dedupSlots;
        this.plainHead = 1 + written.bytes;
        this.usualHead = plainHead + 1;
    }

    /** Returns the message of a value. */
    public byte[] bytes(Object value) {
        Writer out = WriterPool.take();
        try {
            int head = values(out, value);
            if (head == 0) {
                return Arrays.copyOfRange(out.buf, plainStart(out), out.pos);
            }
            // Moves the values behind the text, so that one copy makes the result: arrays made by a copy need not be
            // cleared first.
            int start = out.latinStart - head;
            head(out, out.latin, start);
            finish(out, head);
            return Arrays.copyOfRange(out.latin, start, out.latinEnd);
        } finally {
            WriterPool.give(out);
        }
    }

    /** Appends the message of a value. After a failure the target is unchanged. */
    public void append(Object value, Target target) {
        if (dedupSlots == 0) {
            direct(value, target);
            return;
        }
        Writer out = WriterPool.take();
        try {
            around(out, value, target);
        } finally {
            WriterPool.give(out);
        }
    }

    /**
     * Writes the text in place if what precedes it is as long as last time. The number of bytes of a length seldom
     * changes, so hardly any text is moved.
     */
    private void around(Writer out, Object value, Target target) {
        byte[] own = out.latin;
        try {
            int from = target.length;
            int expected = usualHead;
            room(target, expected + 16);
            out.latin = target.array;
            out.latinStart = from + expected;
            out.latinEnd = out.latinStart;
            int head = values(out, value);
            if (head == 0) {
                int start = plainStart(out);
                int length = out.pos - start;
                room(target, length);
                System.arraycopy(out.buf, start, target.array, from, length);
                target.length = from + length;
                return;
            }
            if (head != expected) {
                int text = out.latinEnd - out.latinStart;
                out.reserveLatin(head);
                System.arraycopy(out.latin, out.latinStart, out.latin, from + head, text);
                out.latinStart = from + head;
                out.latinEnd = from + head + text;
                usualHead = head;
            }
            head(out, out.latin, from);
            finish(out, head);
            settle(target, out.latin, out.latinEnd);
        } finally {
            out.latin = own;
        }
    }

    /** Stores the array only if it changed: storing a reference costs a write barrier of the collector. */
    private static void settle(Target target, byte[] array, int length) {
        if (target.array != array) {
            target.array = array;
        }
        target.length = length;
    }

    /** Appends everything that follows the Latin-1 block to its buffer. */
    private void finish(Writer out, int head) {
        int padding = padding(out, head);
        if (out.wideEnd > 0) {
            out.appendToLatin(out.wide, 0, out.wideEnd);
        }
        if (out.utf8End > 0) {
            out.appendToLatin(out.utf8, 0, out.utf8End);
        }
        if (padding > 0) {
            out.appendToLatin(ZEROES, 0, padding);
        }
        out.appendToLatin(out.buf, Writer.FIRST_VALUE, out.pos - Writer.FIRST_VALUE);
    }

    /**
     * Puts the message of a value into a buffer. Returns its length, negated if it does not fit and nothing was put.
     */
    public int put(Object value, ByteBuffer to) {
        Writer out = WriterPool.take();
        try {
            int head = values(out, value);
            int padding = head == 0 ? 0 : padding(out, head);
            int length = head == 0 ? out.pos - plainStart(out) : length(out, head, padding);
            if (length > to.remaining()) {
                return -length;
            }
            if (head == 0) {
                to.put(out.buf, plainStart(out), length);
            } else {
                int start = out.latinStart - head;
                head(out, out.latin, start);
                to.put(out.latin, start, out.latinEnd - start).put(out.wide, 0, out.wideEnd)
                    .put(out.utf8, 0, out.utf8End).put(ZEROES, 0, padding)
                    .put(out.buf, Writer.FIRST_VALUE, out.pos - Writer.FIRST_VALUE);
            }
            return length;
        } finally {
            WriterPool.give(out);
        }
    }

    /** Returns the message of a value in arrays of {@code size} bytes, the last one shorter. */
    public List<byte[]> pieces(Object value, int size) {
        Writer out = WriterPool.take();
        try {
            int head = values(out, value);
            int padding = head == 0 ? 0 : padding(out, head);
            int length = head == 0 ? out.pos - plainStart(out) : length(out, head, padding);
            Pieces pieces = new Pieces(size, length);
            if (head == 0) {
                pieces.add(out.buf, plainStart(out), length);
            } else {
                int start = out.latinStart - head;
                head(out, out.latin, start);
                pieces.add(out.latin, start, out.latinEnd - start);
                pieces.add(out.wide, 0, out.wideEnd);
                pieces.add(out.utf8, 0, out.utf8End);
                pieces.add(ZEROES, 0, padding);
                pieces.add(out.buf, Writer.FIRST_VALUE, out.pos - Writer.FIRST_VALUE);
            }
            return pieces.done;
        } finally {
            WriterPool.give(out);
        }
    }

    /** Writes the values where they stand if there is as much padding before them as last time. */
    private void direct(Object value, Target target) {
        int from = target.length;
        int expected = plainHead + usualPadding;
        room(target, expected);
        Writer out = new Writer(limits, compact, target.array, from + expected);
        out.keyOrder = keyOrder;
        try {
            program.write(out, value);
            int padding = plainPadding(out);
            int head = plainHead + padding;
            checked((long) out.pos - from - expected + head);
            if (head != expected) {
                out.reserve(head);
                System.arraycopy(out.buf, from + expected, out.buf, from + head, out.pos - from - expected);
                out.pos += head - expected;
                usualPadding = padding;
            }
            plainHead(out, from, padding);
            settle(target, out.buf, out.pos);
        } finally {
            out.giveBack();
        }
    }

    /**
     * Writes the values. Returns the length of what precedes the text, or 0 if there is no text and the buffer of the
     * values holds the whole message.
     */
    private int values(Writer out, Object value) {
        out.begin(limits, compact, dedupSlots);
        if (out.keyOrder != keyOrder) {
            // Not stored each time: a reference costs the collector's barrier.
            out.keyOrder = keyOrder;
        }
        program.write(out, value);
        if (out.surrogates && !Surrogates.arePaired(out.wide, 0, out.wideEnd)) {
            throw Fault.FAULT;
        }
        int latin = out.latinEnd - out.latinStart;
        if (latin == 0 && out.wideEnd == 0 && out.utf8End == 0) {
            int start = plainStart(out);
            checked(out.pos - start);
            plainHead(out, start, plainPadding(out));
            return 0;
        }
        int head = plainHead + varintBytes(latin) + varintBytes(out.wideEnd >> 1) + varintBytes(out.utf8End);
        length(out, head, padding(out, head));
        return head;
    }

    /** Writes what precedes the text. */
    private void head(Writer out, byte[] to, int start) {
        int latin = out.latinEnd - out.latinStart;
        to[start] = (byte) (header(out) | (latin > 0 ? Header.TEXT : 0) | (out.wideEnd > 0 ? Header.WIDE : 0)
            | (out.utf8End > 0 ? Header.UTF8 : 0));
        written.write(digest, to, start + 1);
        int at = start + plainHead;
        if (latin > 0) {
            at = varint(to, at, latin);
        }
        if (out.wideEnd > 0) {
            at = varint(to, at, out.wideEnd >> 1);
        }
        if (out.utf8End > 0) {
            varint(to, at, out.utf8End);
        }
    }

    /** Returns the bytes of the varint of a length, 0 for a length of 0. */
    private static int varintBytes(int length) {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 6) / 7;
    }

    private static int varint(byte[] to, int at, int value) {
        while (value >>> 7 != 0) {
            to[at++] = (byte) (value | 0x80);
            value >>>= 7;
        }
        to[at] = (byte) value;
        return at + 1;
    }

    /** Where a message without text begins in the buffer of its values. */
    private int plainStart(Writer out) {
        return Writer.FIRST_VALUE - plainHead - plainPadding(out);
    }

    private int plainPadding(Writer out) {
        return out.aligned ? 1 - plainHead & 7 : 0;
    }

    /** Writes what precedes the values of a message without text. */
    private void plainHead(Writer out, int start, int padding) {
        byte[] to = out.buf;
        to[start] = (byte) header(out);
        written.write(digest, to, start + 1);
        for (int i = 0; i < padding; i++) {
            to[start + plainHead + i] = 0;
        }
    }

    private int header(Writer out) {
        return Header.VERSION | written.flag | (out.refs ? Header.REFS : 0) | (out.aligned ? Header.ALIGNED : 0);
    }

    /** Returns the bytes of padding between the text and the values. */
    private static int padding(Writer out, int head) {
        return out.aligned ? 1 - (head + (int) text(out)) & 7 : 0;
    }

    private int length(Writer out, int head, int padding) {
        return checked((long) head + text(out) + padding + out.pos - Writer.FIRST_VALUE);
    }

    private static long text(Writer out) {
        return (long) out.latinEnd - out.latinStart + out.wideEnd + out.utf8End;
    }

    private int checked(long bytes) {
        if (bytes > limits.frameBytes()) {
            throw Fault.TOO_LONG;
        }
        return (int) bytes;
    }

    private static void room(Target target, int more) {
        if (target.array.length - target.length < more) {
            long needed = (long) target.length + more;
            if (needed > Integer.MAX_VALUE - 8) {
                throw Fault.TOO_LONG;
            }
            long length = Math.min(Math.max(2L * target.array.length, needed), Integer.MAX_VALUE - 8);
            target.array = Arrays.copyOf(target.array, (int) length);
        }
    }

    /** Cuts what is added into arrays, none longer than what is still to come. */
    private static final class Pieces {
        final List<byte[]> done = new ArrayList<>();
        private final int size;
        /** Bytes still to come behind the open piece. */
        private int rest;
        private byte[] open;
        private int used;

        Pieces(int size, int length) {
            this.size = size;
            this.rest = length;
            begin();
        }

        private void begin() {
            open = new byte[Math.min(size, rest)];
            rest -= open.length;
            used = 0;
        }

        void add(byte[] from, int at, int length) {
            int end = at + length;
            for (int next = at; next < end;) {
                int part = Math.min(end - next, open.length - used);
                System.arraycopy(from, next, open, used, part);
                used += part;
                next += part;
                if (used == open.length) {
                    done.add(open);
                    begin();
                }
            }
        }
    }
}
