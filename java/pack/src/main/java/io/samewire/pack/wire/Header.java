package io.samewire.pack.wire;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import java.util.Arrays;

/** The bits of the first byte of a message, the digest behind it, and other numbers fixed by the format. */
public final class Header {
    static final int TEXT = 1;
    static final int WIDE = 2;
    static final int REFS = 4;
    static final int ALIGNED = 8;
    static final int DIGEST = 16;
    static final int UTF8 = 32;
    static final int CHECK = 64;
    static final int VERSION = 128;
    static final int DIGEST_BYTES = 8;
    static final int CHECK_BYTES = 2;

    /** Texts whose tokens hold their lengths: at most so many characters, units or bytes. */
    static final int SHORT_LATIN = 95;
    static final int SHORT_WIDE = 14;
    static final int SHORT_UTF8 = 16;
    /** Texts that get a number: of two bytes or more, and at most so many bytes, or units of wide text. */
    static final int NUMBERED = 95;
    static final int NUMBERED_WIDE = 47;
    static final int LONG_LATIN_TOKEN = 0x60;
    static final int LONG_WIDE_TOKEN = 0x61;
    static final int LONG_REF_TOKEN = 0x62;
    /** The tokens of short texts in these blocks, less their lengths. */
    static final int WIDE_TOKENS = 0x62;
    static final int UTF8_TOKENS = 0x6e;
    static final int LONG_UTF8_TOKEN = 0x7f;
    static final int ONE_BYTE_REFS = 96;
    static final int TWO_BYTE_REFS = 96 + 32 * 256;

    /** Rows of fewer integers than this are single values. */
    static final int FEW = 16;
    /** Raw runs of so many bytes are aligned. */
    static final int ALIGNED_RUN = 64;
    static final int MOST_BIGINT_BYTES = 4096;

    private Header() {}

    /**
     * Returns the digest that a message carries, 8 bytes, or null if it carries none.
     *
     * @throws SamewireException {@code truncated} for a message that ends before the digest does, {@code unsupported}
     *     for one of another version
     */
    public static byte[] digestOf(byte[] message) {
        if (message.length > 0 && (message[0] & VERSION) == 0) {
            throw new SamewireException(Code.UNSUPPORTED, 0, Path.ROOT, "this is not a message of version 1");
        } else if (message.length > 0 && (message[0] & DIGEST) == 0) {
            return null;
        } else if (message.length <= DIGEST_BYTES) {
            throw new SamewireException(Code.TRUNCATED, message.length, Path.ROOT,
                "the message ends before its digest");
        }
        return Arrays.copyOfRange(message, 1, 1 + DIGEST_BYTES);
    }

    /** The first two bytes of a digest, little-endian as {@link Bytes} reads them. */
    static char check(long digest) {
        return Character.reverseBytes((char) (digest >>> Long.SIZE - Character.SIZE));
    }

    /** Returns whether a message of this version carries no digest. */
    public static boolean lacksDigest(byte[] bytes, int from, int to) {
        return from < to && (bytes[from] & (VERSION | DIGEST)) == VERSION;
    }
}
