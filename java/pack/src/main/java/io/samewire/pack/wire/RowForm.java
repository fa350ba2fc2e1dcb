package io.samewire.pack.wire;

import io.samewire.pack.schema.SchemaType;

/**
 * How few bytes a row of n slots can take: the R of {@code spec/pack.md} section 12, which a count must not exceed. It
 * is what keeps memory below 64 bytes for a byte of input.
 */
public final class RowForm {
    /** A byte or more for each slot. */
    public static final int PLAIN = 0;
    /** A flag for each: {@code bool} and {@code option}. */
    public static final int FLAGS = 1;
    /** {@code f32}. */
    public static final int FLOAT = 2;
    /** {@code f64}. */
    public static final int DOUBLE = 3;
    /** Integers of 16 bits or more. */
    public static final int PACKED = 4;

    private RowForm() {}

    /** The form of a row of that type. */
    public static int of(SchemaType type) {
        if (type.flagged()) {
            return FLAGS;
        } else if (type.numeric() == null || type.numeric().bits() == 8) {
            return PLAIN;
        }
        return switch (type.numeric()) {
            case F32 -> FLOAT;
            case F64 -> DOUBLE;
            default -> PACKED;
        };
    }

    static long leastBytes(int form, int n) {
        return switch (form) {
            case FLAGS -> (n + 7L) >>> 3;
            case FLOAT -> 4L * n;
            case DOUBLE -> 8L * n;
            case PACKED -> n < Header.FEW ? n : 1 + ((n + 7L) >>> 3);
            default -> n;
        };
    }
}
