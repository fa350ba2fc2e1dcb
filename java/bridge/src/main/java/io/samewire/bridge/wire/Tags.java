package io.samewire.bridge.wire;

/** The tags of {@code any} ({@code spec/bridge.md} section 4). */
public final class Tags {
    /** Null. */
    public static final int NULL = 0x00;
    /** False. */
    public static final int FALSE = 0x01;
    /** True. */
    public static final int TRUE = 0x02;
    /** {@code i64}. */
    public static final int I64 = 0x03;
    /** {@code f64}. */
    public static final int F64 = 0x05;
    /** {@code string}. */
    public static final int STRING = 0x06;
    /** {@code bytes}. */
    public static final int BYTES = 0x07;
    /** {@code list}. */
    public static final int LIST = 0x08;
    /** {@code map}. */
    public static final int MAP = 0x09;
    /** {@code list<i8>}. */
    public static final int LIST_I8 = 0x10;
    /** {@code list<i16>}. */
    public static final int LIST_I16 = 0x11;
    /** {@code list<i32>}. */
    public static final int LIST_I32 = 0x12;
    /** {@code list<i64>}. */
    public static final int LIST_I64 = 0x13;
    /** {@code list<f32>}. */
    public static final int LIST_F32 = 0x17;
    /** {@code list<f64>}. */
    public static final int LIST_F64 = 0x18;
    /** {@code i32}. */
    public static final int I32 = 0x19;
    /** {@code list<bool>}. */
    public static final int LIST_BOOL = 0x1a;
    /** {@code char}. */
    public static final int CHAR = 0x1b;
    /** {@code set}. */
    public static final int SET = 0x1c;
    /** {@code tuple}. */
    public static final int TUPLE = 0x1d;
    /** {@code f32}. */
    public static final int F32 = 0x1e;
    /** {@code array<bool>}; those of the other elements follow. */
    public static final int ARRAY_BOOL = 0x20;
    /** {@code array<i8>}. */
    public static final int ARRAY_I8 = 0x21;
    /** {@code array<i16>}. */
    public static final int ARRAY_I16 = 0x22;
    /** {@code array<i32>}. */
    public static final int ARRAY_I32 = 0x23;
    /** {@code array<i64>}. */
    public static final int ARRAY_I64 = 0x24;
    /** {@code array<f32>}. */
    public static final int ARRAY_F32 = 0x25;
    /** {@code array<f64>}. */
    public static final int ARRAY_F64 = 0x26;
    /** {@code array<char>}. */
    public static final int ARRAY_CHAR = 0x27;
    /** A reference. */
    public static final int OBJECT = 0x30;
    /** A kind, a schema of pack, and its value. */
    public static final int KIND = 0x31;
    /** A kind {@code peer I …}, and a reference to an object of the client's that implements these interfaces. */
    public static final int PEER = 0x32;

    private Tags() {}

    /**
     * Returns the bytes of a value of fixed width, or the negative of those of the elements of a row; 0 of other tags.
     */
    public static int width(int tag) {
        switch (tag) {
            case CHAR: return 2;
            case I32: case F32: return 4;
            case I64: case F64: return 8;
            case BYTES: case LIST_I8: case LIST_BOOL: case ARRAY_BOOL: case ARRAY_I8: return -1;
            case LIST_I16: case ARRAY_I16: case ARRAY_CHAR: return -2;
            case LIST_I32: case LIST_F32: case ARRAY_I32: case ARRAY_F32: return -4;
            case LIST_I64: case LIST_F64: case ARRAY_I64: case ARRAY_F64: return -8;
            default: return 0;
        }
    }
}
