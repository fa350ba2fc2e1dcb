package io.samewire.pack.wire;

import java.util.Arrays;

/**
 * The values of a message being written. Offsets in the message are taken modulo 8 as if the values began at 1, which
 * they do whenever anything is aligned: {@code base} is the place in {@code buf} that counts as offset 0.
 */
abstract class ValueWriter {
    private static final int MOST_VARINT = 10;
    private static final int MOST_ARRAY = Integer.MAX_VALUE - 8;
    /** Room is asked for generously; what is written in the end is measured exactly. */
    private static final long SLACK = 4096;

    byte[] buf;
    int pos;
    int base;
    boolean aligned;
    boolean compact;
    /** Levels that may still be entered. */
    int depth;
    /** Longest message, in bytes; nothing grows beyond it. */
    int frameBytes;

    /** Makes room for {@code bytes} more. */
    final void reserve(int bytes) {
        if (buf.length - pos < bytes) {
            grow(bytes);
        }
    }

    /** Seldom called, and so never inlined, as is the collector's barrier in it. */
    private void grow(int bytes) {
        buf = grown(buf, base, pos, bytes);
    }

    /**
     * A longer copy of {@code full}, of which {@code used} bytes count, with room for {@code more}; the message began
     * at {@code start}.
     */
    final byte[] grown(byte[] full, int start, int used, int more) {
        long needed = (long) used + more;
        if (needed - start > frameBytes + SLACK || needed > MOST_ARRAY) {
            // What is written can only get longer than a message may be.
            throw Fault.TOO_LONG;
        }
        return Arrays.copyOf(full, (int) Math.min(Math.max(2L * full.length, needed + 64), MOST_ARRAY));
    }

    /** A byte. */
    public final void u8(int value) {
        reserve(1);
        buf[pos++] = (byte) value;
    }

    /** {@code u32}; also counts, lengths and indices. */
    public final void u32(int value) {
        reserve(MOST_VARINT);
        byte[] to = buf;
        int at = pos;
        if (value >>> 7 == 0) {
            to[at] = (byte) value;
            pos = at + 1;
        } else if (value >>> 14 == 0) {
            Memory.MEMORY.putChar(to, at, (char) (value & 0x7f | 0x80 | value >>> 7 << 8));
            pos = at + 2;
        } else {
            while (value >>> 7 != 0) {
                to[at++] = (byte) (value | 0x80);
                value >>>= 7;
            }
            to[at] = (byte) value;
            pos = at + 1;
        }
    }

    /** {@code i32}. */
    public final void i32(int value) {
        u32(value << 1 ^ value >> 31);
    }

    /** {@code u16}. */
    public final void u16(short value) {
        u32(value & 0xffff);
    }

    /** {@code i16}. */
    public final void i16(short value) {
        u32(value << 1 ^ value >> 31);
    }

    /** {@code u64}. */
    public final void u64(long value) {
        reserve(MOST_VARINT);
        byte[] to = buf;
        int at = pos;
        while (value >>> 7 != 0) {
            to[at++] = (byte) (value | 0x80);
            value >>>= 7;
        }
        to[at] = (byte) value;
        pos = at + 1;
    }

    /** {@code i64}. */
    public final void i64(long value) {
        u64(value << 1 ^ value >> 63);
    }

    /** {@code f32}, alone in its slot: every NaN becomes the one NaN. */
    public final void f32(float value) {
        reserve(Float.BYTES);
        Bytes.putInt(buf, pos, Float.floatToIntBits(value));
        pos += Float.BYTES;
    }

    /** {@code f64}, alone in its slot: every NaN becomes the one NaN. */
    public final void f64(double value) {
        fixed64(Double.doubleToLongBits(value));
    }

    final void fixed64(long value) {
        reserve(Long.BYTES);
        Bytes.putLong(buf, pos, value);
        pos += Long.BYTES;
    }

    /** {@code bytes}. */
    public final void bytes(byte[] value) {
        u32(value.length);
        raw(value, 0, value.length);
    }

    final void raw(byte[] from, int at, int length) {
        reserve(length);
        System.arraycopy(from, at, buf, pos, length);
        pos += length;
    }

    /** Zeroes the flags of {@code n} slots. Returns where they begin. */
    public final int flagRow(int n) {
        int bytes = n + 7 >>> 3;
        reserve(bytes);
        int at = pos;
        Arrays.fill(buf, at, at + bytes, (byte) 0);
        pos = at + bytes;
        return at;
    }

    /** Sets flag {@code i} of the row of flags at {@code at}. */
    public final void flag(int at, int i) {
        buf[at + (i >>> 3)] |= (byte) (1 << (i & 7));
    }

    /** Where in {@code buf} a raw run of {@code n} numbers goes, aligned if it is long; the caller fills all of it. */
    final int room(int n, int width) {
        long bytes = (long) n * width;
        if (bytes > Integer.MAX_VALUE - 64) {
            throw Fault.TOO_LONG;
        }
        reserve((int) bytes + 8);
        if (bytes >= Header.ALIGNED_RUN) {
            aligned = true;
            while ((pos - base & 7) != 0) {
                buf[pos++] = 0;
            }
        }
        int at = pos;
        pos += (int) bytes;
        return at;
    }

    /** Enters a recursive struct, or a list or map inside an {@code any}. */
    public final void enter() {
        if (--depth < 0) {
            throw Fault.FAULT;
        }
    }

    /** Leaves what {@link #enter()} entered. */
    public final void leave() {
        depth++;
    }
}
