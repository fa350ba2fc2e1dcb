package io.samewire.pack.wire;

/** The bits of the first byte of a message, and other numbers fixed by the format. */
final class Header {
    static final int TEXT = 1;
    static final int WIDE = 2;
    static final int REFS = 4;
    static final int ALIGNED = 8;
    static final int DIGEST = 16;
    static final int FAST = 32;
    static final int VERSION = 64;
    static final int VERSION_MASK = 0xc0;
    static final int DIGEST_BYTES = 8;

    /** Texts that can be referred back to: at most so many characters, or units of wide text. */
    static final int SHORT_LATIN = 95;
    static final int SHORT_WIDE = 28;
    static final int LONG_LATIN_TOKEN = 0x60;
    static final int LONG_WIDE_TOKEN = 0x61;
    static final int LONG_REF_TOKEN = 0x62;
    static final int ONE_BYTE_REFS = 96;
    static final int TWO_BYTE_REFS = 96 + 32 * 256;

    /** Rows of fewer integers than this are single values. */
    static final int FEW = 16;
    /** Raw runs of so many bytes are aligned. */
    static final int ALIGNED_RUN = 64;
    static final int MOST_BIGINT_BYTES = 4096;

    private Header() {}
}
