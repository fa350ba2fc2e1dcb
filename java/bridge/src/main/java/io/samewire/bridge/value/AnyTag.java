package io.samewire.bridge.value;

/** The tags of {@code any} ({@code spec/bridge.md} section 4). */
final class AnyTag {
    static final int NULL = 0x00;
    static final int FALSE = 0x01;
    static final int TRUE = 0x02;
    static final int I64 = 0x03;
    static final int F64 = 0x05;
    static final int STRING = 0x06;
    static final int BYTES = 0x07;
    static final int LIST = 0x08;
    static final int MAP = 0x09;
    static final int LIST_I8 = 0x10;
    static final int LIST_I16 = 0x11;
    static final int LIST_I32 = 0x12;
    static final int LIST_I64 = 0x13;
    static final int LIST_F32 = 0x17;
    static final int LIST_F64 = 0x18;
    static final int I32 = 0x19;
    static final int LIST_BOOL = 0x1a;
    static final int CHAR = 0x1b;
    static final int SET = 0x1c;
    static final int TUPLE = 0x1d;
    static final int F32 = 0x1e;
    static final int ARRAY_BOOL = 0x20;
    static final int ARRAY_I8 = 0x21;
    static final int ARRAY_I16 = 0x22;
    static final int ARRAY_I32 = 0x23;
    static final int ARRAY_I64 = 0x24;
    static final int ARRAY_F32 = 0x25;
    static final int ARRAY_F64 = 0x26;
    static final int ARRAY_CHAR = 0x27;
    static final int OBJECT = 0x30;
    static final int KIND = 0x31;

    private AnyTag() {}
}
