package io.samewire.bridge.wire;

import java.nio.ByteBuffer;

/** Arrays of primitives as bytes: the rows of {@code list<N>}. */
public final class Rows {
    private Rows() {}

    /** Returns the number of elements of an array of primitives. */
    public static int length(Object row) {
        if (row instanceof byte[]) {
            return ((byte[]) row).length;
        } else if (row instanceof int[]) {
            return ((int[]) row).length;
        } else if (row instanceof long[]) {
            return ((long[]) row).length;
        } else if (row instanceof double[]) {
            return ((double[]) row).length;
        } else if (row instanceof float[]) {
            return ((float[]) row).length;
        } else if (row instanceof short[]) {
            return ((short[]) row).length;
        } else if (row instanceof char[]) {
            return ((char[]) row).length;
        }
        return ((boolean[]) row).length;
    }

    /** Returns the bytes of an element of an array of primitives, 1 to 8. */
    public static int width(Object row) {
        if (row instanceof byte[] || row instanceof boolean[]) {
            return 1;
        } else if (row instanceof short[] || row instanceof char[]) {
            return 2;
        } else if (row instanceof int[] || row instanceof float[]) {
            return 4;
        }
        return 8;
    }

    /** Writes {@code row[from, from + count)} at the position of a little-endian buffer, which stays where it is. */
    public static void put(Object row, int from, int count, ByteBuffer into) {
        if (row instanceof byte[]) {
            into.duplicate().put((byte[]) row, from, count);
        } else if (row instanceof int[]) {
            into.asIntBuffer().put((int[]) row, from, count);
        } else if (row instanceof long[]) {
            into.asLongBuffer().put((long[]) row, from, count);
        } else if (row instanceof double[]) {
            into.asDoubleBuffer().put((double[]) row, from, count);
        } else if (row instanceof float[]) {
            into.asFloatBuffer().put((float[]) row, from, count);
        } else if (row instanceof short[]) {
            into.asShortBuffer().put((short[]) row, from, count);
        } else if (row instanceof char[]) {
            into.asCharBuffer().put((char[]) row, from, count);
        } else {
            putBooleans((boolean[]) row, from, count, into);
        }
    }

    private static void putBooleans(boolean[] row, int from, int count, ByteBuffer into) {
        int at = into.position();
        for (int i = 0; i < count; i++) {
            into.put(at + i, (byte) (row[from + i] ? 1 : 0));
        }
    }
}
