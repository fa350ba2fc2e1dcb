package io.samewire.bridge.wire;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Frames being written into an array that grows, and is sent in one write. A method that would make a message longer
 * than {@code limits.frameBytes} throws {@code limit_size} and changes nothing. Large values are not copied: they are
 * kept for the sender of the frames ({@link #blob}). Not thread-safe; reused for many messages.
 */
public final class Output {
    /** The bytes of the length before a message. */
    public static final int HEAD = 4;

    /** The bytes reserved for the length of a nested message; a longer message is moved. */
    private static final int NESTED_HEAD = 1;
    private static final int FIRST = 256;
    /** A larger array is released with its message. */
    private static final int MAX_IDLE = 1 << 20;
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;
    /** Texts of fewer characters are copied by a loop. */
    private static final int SHORT_TEXT = 16;

    private final int frameBytes;
    private byte[] bytes = new byte[FIRST];
    private ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    private int length;
    private int frame;
    /** The bytes that {@link #begin(int)} reserves for a length. */
    private int head = HEAD;
    private Object[] blobs = new Object[2];
    private int blobCount;
    private boolean inline;
    private long[] exported = new long[4];
    private int exportedCount;
    private Object[] held = new Object[2];
    private int heldCount;

    /** Creates an output without a frame. */
    public Output(Limits limits) {
        frameBytes = limits.frameBytes();
    }

    /** Drops everything. */
    public void reset() {
        length = 0;
        frame = 0;
        dropBlobs();
        exportedCount = 0;
        letGo();
        inline = false;
        head = HEAD;
        if (bytes.length > MAX_IDLE) {
            replace(new byte[FIRST]);
        }
    }

    private void replace(byte[] array) {
        bytes = array;
        view = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Begins a frame with the first byte of its message. */
    public void begin(int message) {
        frame = length;
        ensure(head + 1);
        bytes[frame + head] = (byte) message;
        length = frame + head + 1;
    }

    /** Writes the length of the frame in front of it. */
    public void end() {
        if (head == HEAD) {
            view.putInt(frame, length - frame - HEAD);
            return;
        }
        int size = length - frame - NESTED_HEAD;
        if (size < 1 << 7) {
            bytes[frame] = (byte) size;
        } else {
            endLong(size);
        }
    }

    private void endLong(int size) {
        int wider = (Integer.SIZE - Integer.numberOfLeadingZeros(size) - 1) / 7;
        ensure(wider);
        int from = frame + NESTED_HEAD;
        System.arraycopy(bytes, from, bytes, from + wider, size);
        length = frame;
        varint(size);
        length += size;
    }

    /**
     * Begins messages within the frame: each has its length as a varint before it, and large values in it. Returns what
     * {@link #unnest(int)} needs.
     */
    public int nest() {
        head = NESTED_HEAD;
        inline = true;
        return frame;
    }

    /** Ends the frame that holds other messages. */
    public void unnest(int outer) {
        frame = outer;
        head = HEAD;
        inline = false;
        end();
    }

    /** Returns the array that holds the frames; a later write may replace it. */
    public byte[] array() {
        return bytes;
    }

    /** Returns how many bytes there are. */
    public int length() {
        return length;
    }

    /** Returns where the current frame's message begins. */
    public int message() {
        return frame + head;
    }

    /** Drops what was written after {@link #length()} was {@code mark}, with its large values. */
    public void truncate(int mark, int blobMark) {
        length = mark;
        Arrays.fill(blobs, blobMark, blobCount, null);
        blobCount = blobMark;
    }

    /** Replaces a byte that was written. */
    public void set(int index, int value) {
        bytes[index] = (byte) value;
    }

    /** Sets whether large values are written inline, as in batches and in {@code any}; returns the previous setting. */
    public boolean inline(boolean on) {
        boolean before = inline;
        inline = on;
        return before;
    }

    /** Drops large values that have been sent. */
    public void dropBlobs() {
        if (blobCount > 0) {
            Arrays.fill(blobs, 0, blobCount, null);
            blobCount = 0;
        }
    }

    /** Returns how many large values follow the message. */
    public int blobCount() {
        return blobCount;
    }

    /** Returns a large value that follows the message: an array of a primitive type. */
    public Object blob(int index) {
        return blobs[index];
    }

    /** Records that the message exports an object's number, to be taken back if the message is not sent. */
    public void exported(long number) {
        if (exportedCount == exported.length) {
            exported = Arrays.copyOf(exported, 2 * exportedCount);
        }
        exported[exportedCount++] = number;
    }

    /** Returns how many exports are recorded. */
    public int exportedCount() {
        return exportedCount;
    }

    /** Returns the last recorded export, and removes it. */
    public long takeExported() {
        return exported[--exportedCount];
    }

    /** Drops the held objects: the peer has replied. */
    public void letGo() {
        if (heldCount > 0) {
            Arrays.fill(held, 0, heldCount, null);
            heldCount = 0;
        }
    }

    /** Keeps an object alive until the next message is written. */
    public void hold(Object object) {
        if (heldCount == held.length) {
            held = Arrays.copyOf(held, 2 * heldCount);
        }
        held[heldCount++] = object;
    }

    private void ensure(int more) {
        if (more > bytes.length - length) {
            grow(more);
        }
    }

    private void grow(int more) {
        long wanted = (long) length + more;
        long most = Math.min((long) frame + HEAD + frameBytes, MAX_ARRAY);
        if (wanted > most) {
            throw new SamewireException(Code.LIMIT_SIZE, -1, null, "a message of more than "
                + frameBytes + " bytes: send less at once, or raise limits.frame_bytes of both sides");
        }
        int room = (int) Math.min(Math.max(2L * bytes.length, wanted), most);
        try {
            replace(Arrays.copyOf(bytes, room));
        } catch (OutOfMemoryError full) {
            throw new OutOfMemoryError(full.getMessage() + ": there is no room in this JVM for a message of " + wanted
                + " bytes and more; ask for less at once, or give the JVM more memory (launch(options='-Xmx...'))");
        }
    }

    /** Writes a byte. */
    public void u8(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
    }

    /** Writes a truth value. */
    public void bool(boolean value) {
        u8(value ? 1 : 0);
    }

    /** Writes an integer of 16 bits, or a unit of UTF-16. */
    public void i16(int value) {
        ensure(Short.BYTES);
        view.putShort(length, (short) value);
        length += Short.BYTES;
    }

    /** Writes an integer of 32 bits. */
    public void i32(int value) {
        ensure(Integer.BYTES);
        view.putInt(length, value);
        length += Integer.BYTES;
    }

    /** Writes an integer of 64 bits. */
    public void i64(long value) {
        ensure(Long.BYTES);
        view.putLong(length, value);
        length += Long.BYTES;
    }

    /** Writes a float of 32 bits, its bits as they are. */
    public void f32(float value) {
        i32(Float.floatToRawIntBits(value));
    }

    /** Writes a float of 64 bits, its bits as they are. */
    public void f64(double value) {
        i64(Double.doubleToRawLongBits(value));
    }

    /** Writes a number of variable length, that of a {@code u64}. */
    public void varint(long value) {
        if ((value & ~0x7fL) == 0) {
            u8((int) value);
            return;
        }
        ensure(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    /** Writes a text, its surrogates as they are. */
    public void string(String value) {
        int units = value.length();
        int begin = length;
        varint((long) units << 1);
        ensure(units);
        if (isLatin(value, units)) {
            latin(value, units);
        } else {
            length = begin;
            varint((long) units << 1 | 1);
            wide(value, units);
        }
    }

    private static boolean isLatin(String value, int units) {
        for (int i = 0; i < units; i++) {
            if (value.charAt(i) > 0xff) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("deprecation") // It copies the lower bytes, which suffices for Latin-1, without an array between.
    private void latin(String value, int units) {
        if (units < SHORT_TEXT) {
            for (int i = 0; i < units; i++) {
                bytes[length + i] = (byte) value.charAt(i);
            }
        } else {
            value.getBytes(0, units, bytes, length);
        }
        length += units;
    }

    private void wide(String value, int units) {
        if (units > MAX_ARRAY / Character.BYTES) {
            grow(MAX_ARRAY);
        }
        ensure(Character.BYTES * units);
        for (int i = 0; i < units; i++) {
            view.putChar(length, value.charAt(i));
            length += Character.BYTES;
        }
    }

    /** Writes bytes, or a row of integers of 8 bits. */
    public void bytes(byte[] value) {
        if (value.length >= Messages.BLOB_BYTES && !inline) {
            large(value, value.length);
            return;
        }
        varint((long) value.length << 1);
        raw(value, 0, value.length);
    }

    /** Writes bytes without their number. */
    public void raw(byte[] value, int from, int count) {
        ensure(count);
        System.arraycopy(value, from, bytes, length, count);
        length += count;
    }

    /** Writes a row: an array of a primitive type. */
    public void row(Object value) {
        int n = Rows.length(value);
        int width = Rows.width(value);
        long size = (long) n * width;
        if (size >= Messages.BLOB_BYTES && !inline) {
            large(value, n);
            return;
        }
        varint((long) n << 1);
        if (size > MAX_ARRAY) {
            grow(MAX_ARRAY);
        }
        ensure((int) size);
        Rows.put(value, 0, n, view.position(length));
        length += (int) size;
    }

    private void large(Object value, int n) {
        varint((long) n << 1 | 1);
        if (blobCount == blobs.length) {
            blobs = Arrays.copyOf(blobs, 2 * blobCount);
        }
        blobs[blobCount++] = value;
    }

    /** Writes {@code list<string>}. */
    public void strings(String[] value) {
        varint(value.length);
        for (String text : value) {
            string(text);
        }
    }
}
