package io.samewire.pack.wire;

/** The tags of self-describing values ({@code spec/pack.md} section 10). */
final class AnyTags {
    static final int NULL = 0x00;
    static final int FALSE = 0x01;
    static final int TRUE = 0x02;
    static final int INT = 0x03;
    static final int BIGINT = 0x04;
    static final int F64 = 0x05;
    static final int STRING = 0x06;
    static final int BYTES = 0x07;
    static final int LIST = 0x08;
    static final int MAP = 0x09;
    static final int DECIMAL = 0x0a;
    static final int UUID = 0x0b;
    static final int DATE = 0x0c;
    static final int TIME = 0x0d;
    static final int TIMESTAMP = 0x0e;
    static final int DURATION = 0x0f;
    static final int FIRST_LIST = 0x10;
    /** Tags from here to {@link #LAST_EXTENSION} belong to other parts, and are unsupported in pack. */
    static final int FIRST_EXTENSION = 0x30;
    static final int LAST_EXTENSION = 0x3f;

    private AnyTags() {}
}
