package io.samewire.pack.wire;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import java.util.List;
import java.util.function.LongConsumer;

/** Numeric rows ({@code spec/pack.md} section 9), read with an exact error. */
abstract class StrictNumericRows extends StrictScalars {
    StrictNumericRows(Reader in) {
        super(in);
    }

    /** Reads a row of {@code n} numbers; passes integers to {@code keep} unless it is null. */
    final void numbers(Kind kind, int n, LongConsumer keep) {
        int width = kind.bits() / 8;
        if (!kind.isInteger()) {
            run(n, width);
        } else if (width == 1) {
            keepRaw(kind, take(n), n, keep);
        } else if (n < Header.FEW) {
            for (int i = 0; i < n; i++) {
                keep(keep, kind.isSigned() ? zigzag(kind.bits()) : varint(kind.bits()));
            }
        } else {
            int at = in.pos;
            int mode = unsignedByte();
            if (mode > (kind.isSigned() ? 2 : 1)) {
                throw fail(Code.MALFORMED, at, kind.word() + " has no mode " + mode);
            }
            if (mode == 0) {
                keepRaw(kind, run(n, width), n, keep);
                return;
            }
            for (int done = 0; done < n; done += BitPacking.BLOCK) {
                block(kind, Math.min(BitPacking.BLOCK, n - done), mode == 2, keep);
            }
        }
    }

    /** A row of numbers. Those that the reader's float lacks are an error when all of them have been read. */
    final void numbers(Kind kind, SchemaType reader, int n, List<Object> keep) {
        int at = in.pos;
        Kind target = target(reader);
        if (keep != null || !Widening.isInexact(kind, target)) {
            numbers(kind, n, keep == null ? null : keep::add);
            return;
        }
        long[] between = new long[2];
        numbers(kind, n, value -> {
            if (between[0] == 0 && !Widening.isExact(value, kind, target)) {
                between[0] = 1;
                between[1] = value;
            }
        });
        if (between[0] != 0) {
            throw between(between[1], kind, target, at);
        }
    }

    /** A scalar other than {@code any}, which the reader's type has. Returns its value in comparable form. */
    final Object scalar(Kind kind, SchemaType reader) {
        int at = in.pos;
        Object value = scalar(kind);
        Kind target = target(reader);
        if (Widening.isInexact(kind, target) && !Widening.isExact((Long) value, kind, target)) {
            throw between((Long) value, kind, target, at);
        }
        return value;
    }

    /** The kind of the reader's scalar; null if it has none. */
    static Kind target(SchemaType reader) {
        SchemaType item = reader instanceof SchemaType.Option option ? option.item : reader;
        return item instanceof SchemaType.Scalar scalar ? scalar.kind : null;
    }

    final SamewireException between(long value, Kind from, Kind to, int at) {
        String text = from == Kind.U64 ? Long.toUnsignedString(value) : Long.toString(value);
        return fail(Code.BAD_NUMBER, at, text + " lies between two numbers of " + to.word());
    }

    private static void keep(LongConsumer keep, long value) {
        if (keep != null) {
            keep.accept(value);
        }
    }

    private void keepRaw(Kind kind, int at, int n, LongConsumer keep) {
        int width = kind.bits() / 8;
        int above = Long.SIZE - kind.bits();
        for (int i = 0; keep != null && i < n; i++) {
            long value = 0;
            for (int b = 0; b < width; b++) {
                value |= (in.buf[at + i * width + b] & 0xffL) << 8 * b;
            }
            keep.accept(kind.isSigned() ? value << above >> above : value);
        }
    }

    private int run(int n, int width) {
        long bytes = (long) n * width;
        if (bytes >= Header.ALIGNED_RUN) {
            if (!in.aligned) {
                throw fail(Code.MALFORMED, in.start, "a long run of numbers in a message without ALIGNED");
            }
            padding(0);
        }
        return take(bytes);
    }

    /** Reads a block of {@code m} packed integers; passes them to {@code keep} unless it is null. */
    final void block(Kind kind, int m, boolean zigzag, LongConsumer keep) {
        int at = in.pos;
        int head = unsignedByte();
        int width = head & 0x3f;
        if ((head & 0x40) != 0 || width == 0 || width > 32) {
            throw fail(Code.MALFORMED, at, "not a head of a block of packed integers");
        }
        int exceptions = 0;
        if ((head & 0x80) != 0) {
            exceptions = unsignedByte();
            if (exceptions == 0 || exceptions > m) {
                throw fail(Code.MALFORMED, at, exceptions + " exceptions in a block of " + m);
            }
        }
        int low = take((m * width + 7L) >>> 3);
        long[] u = new long[m];
        for (int bit = 0; bit < m * width; bit++) {
            u[bit / width] |= (in.buf[low + (bit >>> 3)] >>> (bit & 7) & 1L) << bit % width;
        }
        int positions = take(exceptions);
        for (int i = 0; i < exceptions; i++) {
            int position = in.buf[positions + i] & 0xff;
            if (position >= m || i > 0 && position <= (in.buf[positions + i - 1] & 0xff)) {
                throw fail(Code.MALFORMED, at, "positions of exceptions out of order or range");
            }
        }
        for (int i = 0; i < exceptions; i++) {
            long high = varint(64);
            if (high == 0) {
                throw fail(Code.MALFORMED, at, "an exception without high bits");
            }
            if (high >>> 64 - width != 0) {
                throw fail(Code.BAD_NUMBER, at, "a value of more than 64 bits");
            }
            u[in.buf[positions + i]] |= high << width;
        }
        int room = kind.isSigned() && !zigzag ? kind.bits() - 1 : kind.bits();
        for (long value : u) {
            if (room < 64 && value >>> room != 0) {
                throw fail(Code.BAD_NUMBER, at, "a value outside the range of " + kind.word());
            }
            keep(keep, zigzag ? value >>> 1 ^ -(value & 1) : value);
        }
    }
}
