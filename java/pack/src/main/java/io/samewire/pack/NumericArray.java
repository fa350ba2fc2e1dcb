package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Arrays;
import java.util.Objects;

/**
 * A list of fixed-width numbers inside an {@code any} whose kind the Java array does not tell: there {@code byte[]} is
 * {@code bytes}, and {@code short[]}, {@code int[]} and {@code long[]} are signed numbers. These arrays, and
 * {@code float[]} and {@code double[]}, need no wrapper.
 *
 * @param kind the type of the elements
 * @param values {@code byte[]}, {@code short[]}, {@code int[]}, {@code long[]}, {@code float[]} or {@code double[]}, as
 *     the kind has it; not copied
 */
public record NumericArray(Kind kind, Object values) {
    /** Types of elements, in the order of their tags. */
    public enum Kind {
        /** {@code byte[]}, signed. */
        I8(byte[].class),
        /** {@code short[]}. */
        I16(short[].class),
        /** {@code int[]}. */
        I32(int[].class),
        /** {@code long[]}. */
        I64(long[].class),
        /** {@code short[]}, unsigned. */
        U16(short[].class),
        /** {@code int[]}, unsigned. */
        U32(int[].class),
        /** {@code long[]}, unsigned. */
        U64(long[].class),
        /** {@code float[]}. */
        F32(float[].class),
        /** {@code double[]}. */
        F64(double[].class);

        private final Class<?> array;

        Kind(Class<?> array) {
            this.array = array;
        }

        /** Returns the class of {@link NumericArray#values()}. */
        public Class<?> array() {
            return array;
        }
    }

    /** Checks that the array is of the kind's class. */
    public NumericArray {
        if (!kind.array.isInstance(Objects.requireNonNull(values))) {
            throw new SamewireException(Code.MISUSE, -1, null, "the values of a NumericArray are an array of its kind");
        }
    }

    /** Returns a list of signed bytes. */
    public static NumericArray i8(byte[] values) {
        return new NumericArray(Kind.I8, values);
    }

    /** Returns a list of unsigned 16-bit numbers. */
    public static NumericArray u16(short[] values) {
        return new NumericArray(Kind.U16, values);
    }

    /** Returns a list of unsigned 32-bit numbers. */
    public static NumericArray u32(int[] values) {
        return new NumericArray(Kind.U32, values);
    }

    /** Returns a list of unsigned 64-bit numbers. */
    public static NumericArray u64(long[] values) {
        return new NumericArray(Kind.U64, values);
    }

    /**
     * Returns what an array of signed or floating-point numbers means inside an {@code any}; null for anything else.
     */
    public static NumericArray ofSigned(Object array) {
        for (Kind kind : new Kind[] {Kind.I16, Kind.I32, Kind.I64, Kind.F32, Kind.F64}) {
            if (kind.array.isInstance(array)) {
                return new NumericArray(kind, array);
            }
        }
        return null;
    }

    /** Returns whether kind and numbers are the same. */
    @Override
    public boolean equals(Object other) {
        return other instanceof NumericArray that && kind == that.kind
            && Arrays.deepEquals(new Object[] {values}, new Object[] {that.values});
    }

    /** Agrees with {@link #equals(Object)}. */
    @Override
    public int hashCode() {
        return Arrays.deepHashCode(new Object[] {kind, values});
    }

    /** Returns the kind and the numbers. */
    @Override
    public String toString() {
        String text = Arrays.deepToString(new Object[] {values});
        return kind + text.substring(1, text.length() - 1);
    }
}
