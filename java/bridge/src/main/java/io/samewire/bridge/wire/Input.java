package io.samewire.bridge.wire;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A message being read: an array, a position in it, and the rest of the limits. Every method throws a {@link
 * SamewireException} with an offset of the message if the bytes are wrong. Allocations are proportional to the received
 * bytes, except for large values, which {@code blobBytes} limits. Not thread-safe; reused for many messages.
 */
public final class Input {
    private static final int MAX_VARINT = 10;
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;
    /** Cells that an element of a list takes, and an entry of a map. */
    private static final int ELEMENT_CELLS = 2;
    private static final int ENTRY_CELLS = 6;
    /** More levels than a program nests, and few enough for the smallest stack of a thread. */
    private static final int MOST_DEPTH = 1024;
    private static final int MOST_CLASS = Integer.MAX_VALUE;
    private static final int PIECE = 64 << 10;

    /** Copies a piece of a large value into the result. */
    private interface Piece {
        void copy(ByteBuffer piece, int done, int count);
    }

    private final Limits limits;
    private final long blobBytes;
    private byte[] bytes = new byte[0];
    private ByteBuffer view;
    private int start;
    private int at;
    private int end;
    /** Where the outermost message ends. */
    private int last;
    private boolean detached;
    private int items;
    private long cells;
    private int depth;
    /** Whether elements are not counted. */
    private boolean lifted;
    /** Null if large values are not allowed here. */
    private Blobs blobs;
    private int blobCount;
    /** Counts values whose {@code hashCode} and {@code equals} are not the JDK's. */
    private int objects;
    /** Fills the containers that hold such values, from the innermost one on; null if there are none. */
    private List<Runnable> fills;
    /** The offset of the length of a large value whose bytes have not been read; -1 if there is none. */
    private int unread = -1;

    /** Creates an input without a message. */
    public Input(Limits limits, long blobBytes) {
        this.limits = limits;
        this.blobBytes = blobBytes;
        this.view = ByteBuffer.wrap(bytes);
    }

    /**
     * Begins a message: {@code array[from, to)}, which must not change until it has been read.
     *
     * @param source where large values are read from, or null if the message must not have any
     */
    public void reset(byte[] array, int from, int to, Blobs source) {
        if (array != bytes) {
            bytes = array;
            view = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
        }
        start = from;
        at = from;
        end = to;
        last = to;
        detached = false;
        items = limits.items();
        cells = limits.cells();
        lower();
        blobs = source;
        blobCount = 0;
        unread = -1;
        fills = null;
    }

    /** Returns the offset in the message of the next byte. */
    public int at() {
        return at - start;
    }

    /** Moves back to an earlier offset of the message. */
    public void at(int offset) {
        at = start + offset;
    }

    /** Returns how many bytes are left. */
    public int remaining() {
        return end - at;
    }

    /** Returns how many large values of this message have been read. */
    public int blobCount() {
        return blobCount;
    }

    /**
     * Ends the message, which must be read completely, and fills the deferred containers.
     *
     * @throws SamewireException {@code trailing}
     */
    public void finish() {
        if (at != end) {
            throw new SamewireException(Code.TRAILING, at(), null,
                end - at + " bytes are left at the end of the message");
        }
        if (fills != null) {
            fill();
        }
    }

    private void fill() {
        List<Runnable> all = fills;
        fills = null;
        for (Runnable one : all) {
            one.run();
        }
    }

    /** Counts a value whose {@code hashCode} and {@code equals} may call the program, or the peer. */
    public void object() {
        objects++;
    }

    /** Returns how many such values have been read, of any message. */
    public int objects() {
        return objects;
    }

    /**
     * Defers filling a container to {@link #finish()}: it may call the peer, which must not happen before the message
     * is read completely, since the rest would be taken for the reply.
     */
    public void fillLater(Runnable fill) {
        if (fills == null) {
            fills = new ArrayList<>();
        }
        fills.add(fill);
    }

    /** Returns the source of large values. */
    public Blobs source() {
        return blobs;
    }

    /** Sets the source of large values; null if this message must not have any. */
    public void source(Blobs source) {
        blobs = source;
    }

    /**
     * Ends the message early, at so many bytes from here, for a message within this one. Returns what {@link
     * #leaveMessage(int)} needs.
     */
    public int enterMessage(int length) {
        int outer = end;
        end = take(length) + length;
        at = end - length;
        return outer - end;
    }

    /** Continues after a message within this one. */
    public void leaveMessage(int left) {
        at = end;
        end += left;
    }

    /** Copies the message if it has not been read completely, so that the array may change. */
    public void detach() {
        if (at < last && !detached) {
            bytes = Arrays.copyOfRange(bytes, start, last);
            view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            at -= start;
            end -= start;
            last -= start;
            start = 0;
            detached = true;
        }
    }

    /** Moves over bytes. */
    public void skip(int length) {
        take(length);
    }

    /** Moves over so many bytes, a number of 64 bits without a sign. */
    public void skipLong(long length) {
        if (length < 0 || length > end - at) {
            throw truncated();
        }
        at += (int) length;
    }

    /** Stops counting elements and levels, except beyond the fixed limit: values are skipped, and none is kept. */
    public void lift() {
        lifted = true;
        depth = MOST_DEPTH;
    }

    /** Resumes counting. No container may be open. */
    public void lower() {
        lifted = false;
        depth = Math.min(limits.depth(), MOST_DEPTH);
    }

    /**
     * Opens a container, whose tag or count is at an offset; {@link #leave()} closes it.
     *
     * @throws SamewireException {@code limit_depth} there
     */
    public void enterAt(int offset) {
        if (--depth < 0) {
            throw new SamewireException(Code.LIMIT_DEPTH, offset, null,
                "values nest deeper than limits.depth, " + Math.min(limits.depth(), MOST_DEPTH)
                + ": pass references, or raise the limit on both sides");
        }
    }

    /** Opens a container whose count follows, as {@link #enterAt}. */
    public void enter() {
        enterAt(at());
    }

    /** Closes a container. */
    public void leave() {
        depth++;
    }

    /** Charges so many elements, of so many cells each, to the limits. */
    public void charge(int elements, int cellsEach) {
        charge(elements, cellsEach, at());
    }

    private void charge(long elements, int cellsEach, int offset) {
        if (lifted) {
            return;
        }
        // Unsigned: a count may have 64 bits.
        if (Long.compareUnsigned(elements, items) > 0 || elements * cellsEach > cells) {
            throw new SamewireException(Code.LIMIT_ITEMS, offset, null, Long.toUnsignedString(elements)
                + " more elements exceed limits.items, " + limits.items() + ", or limits.cells, " + limits.cells()
                + " (an element takes 2, an entry 6): send less at once, or raise the limits on both sides");
        }
        items -= (int) elements;
        cells -= elements * cellsEach;
    }

    /**
     * Reads the number of elements of a container, and counts them against the limits.
     *
     * @throws SamewireException {@code limit_items} at the number; {@code truncated} if what is left is too short
     */
    public int elements() {
        return charged(1, ELEMENT_CELLS);
    }

    /** Reads the number of entries of a map, as {@link #elements()}. */
    public int entries() {
        return charged(2, ENTRY_CELLS);
    }

    private int charged(int least, int cellsEach) {
        int offset = at();
        long count = varint();
        charge(count, cellsEach, offset);
        if (Long.compareUnsigned(count, (end - at) / least) > 0) {
            throw truncated();
        }
        return (int) count;
    }

    /** Returns an error at the next byte. */
    public SamewireException malformed(String text) {
        return new SamewireException(Code.MALFORMED, at(), null, text);
    }

    private int take(int length) {
        int from = at;
        if (length > end - from || length < 0) {
            throw truncated();
        }
        at = from + length;
        return from;
    }

    private SamewireException truncated() {
        return new SamewireException(Code.TRUNCATED, end - start, null, "the message ends inside a value");
    }

    /** Reads a byte, 0 to 255. */
    public int u8() {
        if (at >= end) {
            throw truncated();
        }
        return bytes[at++] & 0xff;
    }

    /** Reads a byte that must be 0 or 1. */
    public boolean bool() {
        int value = u8();
        if (value > 1) {
            at--;
            throw malformed("a truth value is 0 or 1, not " + value);
        }
        return value != 0;
    }

    /** Reads the first byte of an option: whether a value follows. */
    public boolean present() {
        return bool();
    }

    /** Reads an integer of 8 bits. */
    public byte i8() {
        return (byte) u8();
    }

    /** Reads an integer of 16 bits. */
    public short i16() {
        return view.getShort(take(Short.BYTES));
    }

    /** Reads an integer of 16 bits, 0 to 65,535. */
    public int u16() {
        return view.getShort(take(Short.BYTES)) & 0xffff;
    }

    /** Reads a unit of UTF-16. */
    public char character() {
        return view.getChar(take(Character.BYTES));
    }

    /** Reads an integer of 32 bits. */
    public int i32() {
        return view.getInt(take(Integer.BYTES));
    }

    /** Reads an integer of 64 bits. */
    public long i64() {
        return view.getLong(take(Long.BYTES));
    }

    /** Reads a float of 32 bits, its bits as they are. */
    public float f32() {
        return view.getFloat(take(Float.BYTES));
    }

    /** Reads a float of 64 bits, its bits as they are. */
    public double f64() {
        return view.getDouble(take(Double.BYTES));
    }

    /** Reads a number of variable length; it is that of a {@code u64}. */
    public long varint() {
        if (at < end && bytes[at] >= 0) {
            return bytes[at++];
        }
        return longVarint();
    }

    private long longVarint() {
        long value = 0;
        for (int i = 0; i < MAX_VARINT; i++) {
            if (at + i >= end) {
                throw truncated();
            }
            byte part = bytes[at + i];
            value |= (long) (part & 0x7f) << 7 * i;
            if (part >= 0) {
                if (part == 0 && i > 0 || i == MAX_VARINT - 1 && part > 1) {
                    break;
                }
                at += i + 1;
                return value;
            }
        }
        throw new SamewireException(Code.BAD_NUMBER, at(), null,
            "a number that is not in its shortest form, or 2^64 or more");
    }

    /** Reads a count of items, each of which takes at least one of the remaining bytes. */
    public int count() {
        long count = varint();
        if (count < 0 || count > end - at) {
            throw truncated();
        }
        return (int) count;
    }

    /** Reads a number from {@code least} to below {@code end}, or is {@code malformed} at it. */
    private long between(long least, long end, String what) {
        int from = at;
        long number = varint();
        if (number < least || number >= end) {
            at = from;
            throw malformed(what + " of " + Long.toUnsignedString(number));
        }
        return number;
    }

    /**
     * Reads a reference: 0 for null, twice the number for an object of the receiver's, and 1 more for one of the
     * sender's, whose class follows.
     *
     * @throws SamewireException {@code malformed} if no object can have that number
     */
    public long reference() {
        int from = at;
        long head = varint();
        long number = head >>> 1;
        if (head != 0 && (number == 0 || number >>> 60 != 0)) {
            at = from;
            throw malformed("an object has a number of 1 to 60 bits, not " + number);
        }
        return head;
    }

    /** Reads the number of a class; 0 for none. */
    public int classNumber() {
        return (int) between(0, MOST_CLASS + 1L, "a class with a number");
    }

    /** Reads a text; surrogates stay as they are. */
    public String string() {
        long head = varint();
        long units = head >>> 1;
        int left = end - at;
        if ((head & 1) == 0) {
            if (units > left) {
                throw truncated();
            }
            int begin = take((int) units);
            return new String(bytes, begin, (int) units, StandardCharsets.ISO_8859_1);
        }
        if (units > left >> 1) {
            throw truncated();
        }
        char[] wide = new char[(int) units];
        view.position(at);
        view.asCharBuffer().get(wide);
        at += 2 * wide.length;
        return new String(wide);
    }

    /**
     * Reads a name, a kind, a code or a path.
     *
     * @throws SamewireException {@code bad_utf8} at the text if it has a lone surrogate
     */
    public String name() {
        int offset = at();
        String text = string();
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean pair = i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
                if (!pair) {
                    throw new SamewireException(Code.BAD_UTF8, offset, null, "a name with a lone surrogate");
                }
                i++;
            }
        }
        return text;
    }

    /**
     * Reads the number of elements of bytes or a row. Returns it, or its complement ({@code ~n}) if they follow the
     * message as a large value.
     */
    public int row(int width) {
        int from = at;
        long head = varint();
        long n = head >>> 1;
        if ((head & 1) == 0) {
            if (n > (end - at) / width) {
                throw truncated();
            }
            return (int) n;
        }
        if (blobs == null) {
            at = from;
            throw malformed("a large value where none may stand");
        }
        if (n > blobBytes / width || n > MAX_ARRAY) {
            at = from;
            throw new SamewireException(Code.LIMIT_SIZE, at(), null,
                "a value of " + n + " elements of " + width + " bytes exceeds limits.blob_bytes, " + blobBytes
                + ", or the longest array of the JVM: send it in parts, or raise the limit");
        }
        unread = from - start;
        return ~(int) n;
    }

    /** Goes back to the length of a large value for which there was no memory. */
    public void backToUnread() {
        if (unread >= 0) {
            at = start + unread;
            unread = -1;
        }
    }

    /** Reads bytes, or a row of integers of 8 bits. */
    public byte[] bytes() {
        int n = row(1);
        if (n >= 0) {
            byte[] value = new byte[n];
            System.arraycopy(bytes, take(n), value, 0, n);
            return value;
        }
        byte[] value = new byte[~n];
        blobs.read(value, 0, value.length);
        blobCount++;
        unread = -1;
        return value;
    }

    /** Reads a row of truth values. */
    public boolean[] booleans() {
        byte[] row = bytes();
        boolean[] value = new boolean[row.length];
        for (int i = 0; i < row.length; i++) {
            if ((row[i] & ~1) != 0) {
                // For a large value, which is in another message, the offset is the end of its length.
                at = Math.max(start, at - row.length + i);
                throw malformed("a truth value is 0 or 1, not " + (row[i] & 0xff));
            }
            value[i] = row[i] != 0;
        }
        return value;
    }

    /** Reads a row of integers of 16 bits. */
    public short[] shorts() {
        int n = row(Short.BYTES);
        short[] value = new short[n < 0 ? ~n : n];
        if (n < 0) {
            blob(value.length, Short.BYTES, (piece, done, count) -> piece.asShortBuffer().get(value, done, count));
        } else {
            positioned(n * Short.BYTES).asShortBuffer().get(value);
        }
        return value;
    }

    /** Reads a row of units of UTF-16. */
    public char[] chars() {
        int n = row(Character.BYTES);
        char[] value = new char[n < 0 ? ~n : n];
        if (n < 0) {
            blob(value.length, Character.BYTES, (piece, done, count) -> piece.asCharBuffer().get(value, done, count));
        } else {
            positioned(n * Character.BYTES).asCharBuffer().get(value);
        }
        return value;
    }

    /** Reads a row of integers of 32 bits. */
    public int[] ints() {
        int n = row(Integer.BYTES);
        int[] value = new int[n < 0 ? ~n : n];
        if (n < 0) {
            blob(value.length, Integer.BYTES, (piece, done, count) -> piece.asIntBuffer().get(value, done, count));
        } else {
            positioned(n * Integer.BYTES).asIntBuffer().get(value);
        }
        return value;
    }

    /** Reads a row of integers of 64 bits. */
    public long[] longs() {
        int n = row(Long.BYTES);
        long[] value = new long[n < 0 ? ~n : n];
        if (n < 0) {
            blob(value.length, Long.BYTES, (piece, done, count) -> piece.asLongBuffer().get(value, done, count));
        } else {
            positioned(n * Long.BYTES).asLongBuffer().get(value);
        }
        return value;
    }

    /** Reads a row of floats of 32 bits. */
    public float[] floats() {
        int n = row(Float.BYTES);
        float[] value = new float[n < 0 ? ~n : n];
        if (n < 0) {
            blob(value.length, Float.BYTES, (piece, done, count) -> piece.asFloatBuffer().get(value, done, count));
        } else {
            positioned(n * Float.BYTES).asFloatBuffer().get(value);
        }
        return value;
    }

    /** Reads a row of floats of 64 bits. */
    public double[] doubles() {
        int n = row(Double.BYTES);
        double[] value = new double[n < 0 ? ~n : n];
        if (n < 0) {
            blob(value.length, Double.BYTES, (piece, done, count) -> piece.asDoubleBuffer().get(value, done, count));
        } else {
            positioned(n * Double.BYTES).asDoubleBuffer().get(value);
        }
        return value;
    }

    /** Reads {@code list<string>}. */
    public String[] strings() {
        int n = elements();
        String[] value = new String[n];
        for (int i = 0; i < n; i++) {
            value[i] = string();
        }
        return value;
    }

    private void blob(int n, int width, Piece copy) {
        byte[] piece = new byte[(int) Math.min((long) n * width, PIECE)];
        ByteBuffer pieceView = ByteBuffer.wrap(piece).order(ByteOrder.LITTLE_ENDIAN);
        int most = piece.length / width;
        for (int done = 0; done < n; ) {
            int count = Math.min(n - done, most);
            blobs.read(piece, 0, count * width);
            copy.copy(pieceView, done, count);
            done += count;
        }
        blobCount++;
        unread = -1;
    }

    private ByteBuffer positioned(int length) {
        return view.position(take(length));
    }
}
