package io.samewire.pack.wire;

import java.util.Arrays;

/**
 * The values of a message being written. Offsets in the message are taken modulo 8 as if the values began at 1, which
 * they do whenever anything is aligned: {@code base} is the place in {@code buf} that counts as offset 0.
 */
abstract class ValueWriter {
    /** Bytes of the longest varint, and at least those that any varint scratches. */
    public static final int MOST_VARINT = 10;
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
    /** Elements, and cells of memory in a reader, that are left of the limits. */
    int items;
    long cells;
    /** Longest message, in bytes; nothing grows beyond it. */
    int frameBytes;

    /**
     * Makes room for {@code bytes} more. Generated code asks once for all slots of a struct that take few bytes each:
     * asking before each number takes up to a third of the time, because no field of the writer stays in a register
     * across a buffer that might grow. Methods called {@code put…}, and those of texts, do not ask.
     */
    public final void reserve(int bytes) {
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
    final byte[] grown(byte[] full, int start, int used, long more) {
        long needed = used + more;
        if (needed - start > frameBytes + SLACK || needed > MOST_ARRAY) {
            // What is written can only get longer than a message may be.
            throw Fault.TOO_LONG;
        }
        return Arrays.copyOf(full, (int) Math.min(Math.max(2L * full.length, needed + 64), MOST_ARRAY));
    }

    /** A byte. */
    public final void u8(int value) {
        reserve(1);
        putU8(value);
    }

    /** A byte, in room that is there. */
    public final void putU8(int value) {
        buf[pos++] = (byte) value;
    }

    /** {@code u32}; also counts, lengths and indices. */
    public final void u32(int value) {
        reserve(MOST_VARINT);
        putU32(value);
    }

    /** {@code u32}, in room of {@link #MOST_VARINT} bytes. */
    public final void putU32(int value) {
        byte[] to = buf;
        int at = pos;
        if (value >>> 7 == 0) {
            to[at] = (byte) value;
            pos = at + 1;
        } else if (value >>> 14 == 0) {
            Memory.MEMORY.putChar(to, at, (char) (value & 0x7f | 0x80 | value >>> 7 << 8));
            pos = at + 2;
        } else {
            longVarint(value & 0xffff_ffffL);
        }
    }

    /** {@code i32}. */
    public final void i32(int value) {
        reserve(MOST_VARINT);
        putI32(value);
    }

    /** {@code i32}, in room of {@link #MOST_VARINT} bytes. */
    public final void putI32(int value) {
        putU32(value << 1 ^ value >> 31);
    }

    /** {@code u16}. */
    public final void u16(short value) {
        u32(value & 0xffff);
    }

    /** {@code u16}, in room of {@link #MOST_VARINT} bytes. */
    public final void putU16(short value) {
        putU32(value & 0xffff);
    }

    /** {@code i16}. */
    public final void i16(short value) {
        u32(value << 1 ^ value >> 31);
    }

    /** {@code u64}. */
    public final void u64(long value) {
        reserve(MOST_VARINT);
        putU64(value);
    }

    /** {@code u64}, in room of {@link #MOST_VARINT} bytes. */
    public final void putU64(long value) {
        if (value >>> 7 == 0) {
            buf[pos++] = (byte) value;
        } else {
            longVarint(value);
        }
    }

    /**
     * A varint of any length, with room for the longest: without a loop, whose end cannot be foreseen. A tenth of the
     * time of records with numbers of several lengths.
     */
    private void longVarint(long value) {
        Memory memory = Memory.MEMORY;
        byte[] to = buf;
        int at = pos;
        long word = Varints.spread(value);
        if (value >>> 56 == 0) {
            int length = Varints.length(value);
            memory.putLong(to, at, word | Varints.CONTINUED >>> 8 * (9 - length));
            pos = at + length;
        } else {
            memory.putLong(to, at, word | Varints.CONTINUED);
            long rest = value >>> 56;
            memory.putChar(to, at + 8, (char) (rest < 0x80 ? rest : rest | 0x100));
            pos = at + (rest < 0x80 ? 9 : 10);
        }
    }

    /** {@code i64}. */
    public final void i64(long value) {
        reserve(MOST_VARINT);
        putI64(value);
    }

    /** {@code i64}, in room of {@link #MOST_VARINT} bytes. */
    public final void putI64(long value) {
        putU64(value << 1 ^ value >> 63);
    }

    /** {@code f32}, alone in its slot, in room that is there: every NaN becomes the one NaN. */
    public final void putF32(float value) {
        Bytes.putInt(buf, pos, Float.floatToIntBits(value));
        pos += Float.BYTES;
    }

    /** {@code f64}, alone in its slot, in room that is there: every NaN becomes the one NaN. */
    public final void putF64(double value) {
        Bytes.putLong(buf, pos, Double.doubleToLongBits(value));
        pos += Long.BYTES;
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

    /**
     * The count of a list or set, or of a map, whose elements take {@code each} cells. Like all that takes cells it is
     * charged as {@link Reader} does, and refused where that would refuse to read it.
     */
    public final void count(int n, int each) {
        claim(n, each);
        u32(n);
    }

    /** Takes {@code n} elements of a list, set or map, each of so many cells. */
    public final void claim(int n, int each) {
        if ((items -= n) < 0 || (cells -= (long) n * each) < 0) {
            throw Fault.FAULT;
        }
    }

    /** Takes that many cells. */
    public final void charge(int more) {
        if ((cells -= more) < 0) {
            throw Fault.FAULT;
        }
    }

    /** Takes that many cells for each of {@code n} values. */
    public final void charge(int n, int each) {
        if ((cells -= (long) n * each) < 0) {
            throw Fault.FAULT;
        }
    }

    /** Enters a list or map inside an {@code any}. */
    final void enter() {
        if (--depth < 0) {
            throw Fault.FAULT;
        }
    }

    /** Enters a recursive struct that takes that many cells. */
    public final void enter(int more) {
        enter();
        charge(more);
    }

    /** Leaves what {@link #enter()} entered. */
    public final void leave() {
        depth++;
    }
}
