package io.samewire.pack.schema;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The scalar types of the data model. */
public enum Kind {
    /** false, true. */
    BOOL,
    /** Signed, 8 bits. */
    I8,
    /** Signed, 16 bits. */
    I16,
    /** Signed, 32 bits. */
    I32,
    /** Signed, 64 bits. */
    I64,
    /** Unsigned, 8 bits. */
    U8,
    /** Unsigned, 16 bits. */
    U16,
    /** Unsigned, 32 bits. */
    U32,
    /** Unsigned, 64 bits. */
    U64,
    /** Integers of at most 4,096 bytes. */
    BIGINT,
    /** IEEE binary32. */
    F32,
    /** IEEE binary64. */
    F64,
    /** Unscaled value and scale. */
    DECIMAL,
    /** Unicode scalar values. */
    STRING,
    /** Bytes. */
    BYTES,
    /** 128 bits. */
    UUID,
    /** A calendar day. */
    DATE,
    /** Nanoseconds since midnight. */
    TIME,
    /** An instant. */
    TIMESTAMP,
    /** Signed nanoseconds. */
    DURATION,
    /** A self-describing value. */
    ANY;

    private static final Map<String, Kind> BY_WORD = new HashMap<>();

    static {
        for (Kind kind : values()) {
            BY_WORD.put(kind.word(), kind);
        }
    }

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The scalar that a word of schema text means; null if none. */
    public static Kind of(String word) {
        return BY_WORD.get(word);
    }

    /** The word of schema text. */
    public String word() {
        return word;
    }

    /** Whether this is one of the eight integers of fixed width. */
    public boolean isInteger() {
        return this.compareTo(I8) >= 0 && this.compareTo(U64) <= 0;
    }

    /** Whether this is an integer of fixed width below zero too. */
    public boolean isSigned() {
        return this.compareTo(I8) >= 0 && this.compareTo(I64) <= 0;
    }

    /** Whether rows of it are numeric rows (section 9). */
    public boolean isNumeric() {
        return isInteger() || this == F32 || this == F64;
    }

    /** Bits of a numeric kind; 0 for others. */
    public int bits() {
        return switch (this) {
            case I8, U8 -> 8;
            case I16, U16 -> 16;
            case I32, U32, F32 -> 32;
            case I64, U64, F64 -> 64;
            default -> 0;
        };
    }

    /** Whether it may stand in a set or as the key of a map. */
    public boolean isKey() {
        return switch (this) {
            case F32, F64, DECIMAL, BYTES, ANY -> false;
            default -> true;
        };
    }
}
