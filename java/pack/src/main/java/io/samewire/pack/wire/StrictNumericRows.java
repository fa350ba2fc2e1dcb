package io.samewire.pack.wire;

import io.samewire.core.Code;
import io.samewire.pack.schema.Kind;
import java.util.List;

/** Numeric rows ({@code spec/pack.md} section 9), read with an exact error. */
abstract class StrictNumericRows extends StrictScalars {
    StrictNumericRows(Reader in) {
        super(in);
    }

    /** A row of {@code n} numbers; those of integers are added to {@code keep} unless it is null. */
    final void numbers(Kind kind, int n, List<Object> keep) {
        int width = kind.bits() / 8;
        if (!kind.isInteger()) {
            run(n, width);
        } else if (width == 1) {
            keepRaw(take(n), n, width, keep);
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
                keepRaw(run(n, width), n, width, keep);
                return;
            }
            for (int done = 0; done < n; done += BitPacking.BLOCK) {
                block(kind, Math.min(BitPacking.BLOCK, n - done), mode == 2, keep);
            }
        }
    }

    private static void keep(List<Object> keep, long value) {
        if (keep != null) {
            keep.add(value);
        }
    }

    private void keepRaw(int at, int n, int width, List<Object> keep) {
        for (int i = 0; keep != null && i < n; i++) {
            long value = 0;
            for (int b = 0; b < width; b++) {
                value |= (in.buf[at + i * width + b] & 0xffL) << 8 * b;
            }
            keep.add(value);
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

    /** A block of {@code m} packed integers, which are added to {@code keep} unless it is null. */
    final void block(Kind kind, int m, boolean zigzag, List<Object> keep) {
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
