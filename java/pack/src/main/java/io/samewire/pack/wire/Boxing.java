package io.samewire.pack.wire;

import io.samewire.pack.schema.Kind;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Rows of numbers between arrays of primitives and boxed elements, and numbers from one type to another. */
public final class Boxing {
    private Boxing() {}

    /** Boxed elements to an array of bytes. */
    public static byte[] bytes(Object[] elements) {
        byte[] row = new byte[elements.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = (Byte) elements[i];
        }
        return row;
    }

    /** Boxed elements to an array of shorts. */
    public static short[] shorts(Object[] elements) {
        short[] row = new short[elements.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = (Short) elements[i];
        }
        return row;
    }

    /** Boxed elements to an array of ints. */
    public static int[] ints(Object[] elements) {
        int[] row = new int[elements.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = (Integer) elements[i];
        }
        return row;
    }

    /** Boxed elements to an array of longs. */
    public static long[] longs(Object[] elements) {
        long[] row = new long[elements.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = (Long) elements[i];
        }
        return row;
    }

    /** Boxed elements to an array of floats. */
    public static float[] floats(Object[] elements) {
        float[] row = new float[elements.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = (Float) elements[i];
        }
        return row;
    }

    /** Boxed elements to an array of doubles. */
    public static double[] doubles(Object[] elements) {
        double[] row = new double[elements.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = (Double) elements[i];
        }
        return row;
    }

    /**
     * The elements of a row of numbers, boxed.
     *
     * @param row an array of primitives, or of objects
     * @param elements where they go: an array of the same length, which is returned
     */
    public static Object[] boxed(Object row, Object[] elements) {
        int n = elements.length;
        if (row instanceof int[] ints) {
            for (int i = 0; i < n; i++) {
                elements[i] = ints[i];
            }
        } else if (row instanceof long[] longs) {
            for (int i = 0; i < n; i++) {
                elements[i] = longs[i];
            }
        } else if (row instanceof double[] doubles) {
            for (int i = 0; i < n; i++) {
                elements[i] = doubles[i];
            }
        } else {
            for (int i = 0; i < n; i++) {
                elements[i] = Array.get(row, i);
            }
        }
        return elements;
    }

    /** As {@link #boxed}, each element in an {@code Optional} of that class. */
    public static Object[] optional(Object row, Object[] elements, Class<?> wrapper) {
        Object[] plain = boxed(row, new Object[elements.length]);
        for (int i = 0; i < plain.length; i++) {
            elements[i] = wrapper == OptionalInt.class ? OptionalInt.of((Integer) plain[i])
                : wrapper == OptionalLong.class ? OptionalLong.of((Long) plain[i])
                : wrapper == OptionalDouble.class ? OptionalDouble.of((Double) plain[i]) : Optional.of(plain[i]);
        }
        return elements;
    }

    /** The kind that a word of schema text means. */
    public static Kind kind(String word) {
        return Kind.of(word);
    }

    /**
     * A row of the kind {@code from} as the array of the kind {@code to}, which has its numbers; {@code bigint}s as
     * objects.
     */
    public static Object widened(Object row, Kind from, Kind to) {
        int n = Array.getLength(row);
        Class<?> component = switch (to) {
            case I16, U16 -> short.class;
            case I32, U32 -> int.class;
            case I64, U64 -> long.class;
            case F32 -> float.class;
            case F64 -> double.class;
            default -> BigInteger.class;
        };
        Object wider = Array.newInstance(component, n);
        for (int i = 0; i < n; i++) {
            if (from == Kind.F32) {
                Array.setDouble(wider, i, Array.getFloat(row, i));
                continue;
            }
            long value = widened(Array.getLong(row, i), from);
            switch (to) {
                case F32 -> Array.setFloat(wider, i, Widening.exactFloat(value, from == Kind.U64));
                case F64 -> Array.setDouble(wider, i, Widening.exactDouble(value, from == Kind.U64));
                case I16, U16 -> Array.setShort(wider, i, (short) value);
                case I32, U32 -> Array.setInt(wider, i, (int) value);
                case I64, U64 -> Array.setLong(wider, i, value);
                default -> Array.set(wider, i, from == Kind.U64 ? unsigned(value) : BigInteger.valueOf(value));
            }
        }
        return wider;
    }

    private static long widened(long bits, Kind from) {
        return switch (from) {
            case U8 -> bits & 0xff;
            case U16 -> bits & 0xffff;
            case U32 -> bits & 0xffffffffL;
            default -> bits;
        };
    }

    /** The number of an {@code u64}. */
    public static BigInteger unsigned(long bits) {
        BigInteger low = BigInteger.valueOf(bits & Long.MAX_VALUE);
        return bits < 0 ? low.setBit(Long.SIZE - 1) : low;
    }
}
