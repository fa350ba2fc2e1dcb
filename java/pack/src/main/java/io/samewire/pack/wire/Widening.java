package io.samewire.pack.wire;

import io.samewire.pack.schema.Kind;

/** Integers that the reader has as floats: the same number, or an error ({@code spec/pack.md} section 13). */
public final class Widening {
    private static final int DOUBLE_BITS = 53;
    private static final int FLOAT_BITS = 24;

    private Widening() {}

    /** Whether some integers of the kind {@code from} lie between two numbers of the float {@code to}. */
    public static boolean isInexact(Kind from, Kind to) {
        int bits = from.isSigned() ? from.bits() - 1 : from.bits();
        return from.isInteger() && (to == Kind.F32 && bits > FLOAT_BITS || to == Kind.F64 && bits > DOUBLE_BITS);
    }

    /** The double of exactly this integer. */
    public static double exactDouble(long value, boolean unsigned) {
        if (!isExact(value, unsigned, DOUBLE_BITS)) {
            throw Fault.FAULT;
        }
        // Half of an exact number of 64 bits is one of 63.
        return unsigned && value < 0 ? (value >>> 1) * 2.0 : value;
    }

    /** The float of exactly this integer. */
    public static float exactFloat(long value, boolean unsigned) {
        if (!isExact(value, unsigned, FLOAT_BITS)) {
            throw Fault.FAULT;
        }
        return unsigned && value < 0 ? (value >>> 1) * 2.0f : value;
    }

    /** Whether the float {@code to} has this integer of the kind {@code from}. */
    static boolean isExact(long value, Kind from, Kind to) {
        return isExact(value, from == Kind.U64, to == Kind.F32 ? FLOAT_BITS : DOUBLE_BITS);
    }

    /** Whether there are at most so many bits from the highest to the lowest that is set. */
    private static boolean isExact(long value, boolean unsigned, int significant) {
        long magnitude = value < 0 && !unsigned ? -value : value;
        int highest = Long.SIZE - Long.numberOfLeadingZeros(magnitude);
        return highest - Long.numberOfTrailingZeros(magnitude) <= significant;
    }
}
