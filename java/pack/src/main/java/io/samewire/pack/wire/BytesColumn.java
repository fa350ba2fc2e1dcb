package io.samewire.pack.wire;

import java.util.Arrays;

/** A column of {@code bytes} ({@code spec/columns.md} section 2) that has been read: lengths, then all bytes. */
public final class BytesColumn {
    private static final BytesColumn NONE = new BytesColumn(null, null);

    private final byte[] message;
    /** Where each begins in the message, and where the last one ends. */
    private final long[] bounds;

    private BytesColumn(byte[] message, long[] bounds) {
        this.message = message;
        this.bounds = bounds;
    }

    /** The bytes of a column. */
    public static BytesColumn read(Reader in, int m) {
        if (m == 0) {
            return NONE;
        }
        long[] lengths = IntegerColumns.read(in, m, Integer.SIZE, false, 0, Integer.MAX_VALUE);
        long[] bounds = in.scratch().longs(m + 1);
        long end = in.pos;
        for (int i = 0; i < m; i++) {
            bounds[i] = end;
            end += lengths[i];
        }
        bounds[m] = end;
        in.need(end - in.pos);
        in.pos = (int) end;
        return new BytesColumn(in.buf, bounds);
    }

    /** Bytes number {@code i}. */
    public byte[] bytes(int i) {
        return Arrays.copyOfRange(message, (int) bounds[i], (int) bounds[i + 1]);
    }

    /** Writes arrays of bytes. */
    public static void write(Writer out, Object[] arrays, int m) {
        int mark = out.mark();
        long[] lengths = out.longs(m);
        for (int i = 0; i < m; i++) {
            lengths[i] = ((byte[]) arrays[i]).length;
        }
        IntegerColumns.writeLengths(out, lengths, m);
        for (int i = 0; i < m; i++) {
            byte[] bytes = (byte[]) arrays[i];
            out.raw(bytes, 0, bytes.length);
        }
        out.release(mark);
    }
}
