package io.samewire.pack.records;

import java.util.Arrays;

/**
 * Reads the numbers of a body, or of frames, that are whole: every error is that of the body. A number is LEB128 in its
 * shortest form.
 */
final class Numbers {
    private final Block block;
    private final String text;
    private final byte[] bytes;
    private final int end;
    private int at;

    /**
     * Starts at the start of a block's body.
     *
     * @param text of the error
     */
    Numbers(Block block, String text) {
        this(block, text, block.body(), 0);
    }

    /** Starts within bytes that belong to a block. */
    Numbers(Block block, String text, byte[] bytes, int from) {
        this.block = block;
        this.text = text;
        this.bytes = bytes;
        this.end = bytes.length;
        this.at = from;
    }

    /** Returns where the next number starts. */
    int at() {
        return at;
    }

    /** Returns the next number, below 2^31. */
    int count() {
        long value = next(31);
        return (int) value;
    }

    /** Returns the next number, of 64 bits. */
    long distance() {
        return next(64);
    }

    private long next(int bits) {
        long value = 0;
        for (int shift = 0; shift < bits; shift += 7) {
            if (at == end) {
                throw block.malformed(text);
            }
            int part = bytes[at++];
            value |= (long) (part & 0x7f) << shift;
            boolean tooLarge = bits - shift < 7 && (part & 0x7f) >>> bits - shift != 0;
            if (tooLarge || part == 0 && shift > 0) {
                throw block.malformed(text);
            } else if (part >= 0) {
                return value;
            }
        }
        throw block.malformed(text);
    }

    /** Skips bytes. */
    void skip(int length) {
        if (length > end - at) {
            throw block.malformed(text);
        }
        at += length;
    }

    /** Numbers and bytes, written one after the other. */
    static final class Writer {
        private byte[] bytes = new byte[16];
        private int length;

        int length() {
            return length;
        }

        Writer raw(byte one) {
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * length);
            }
            bytes[length++] = one;
            return this;
        }

        Writer number(long value) {
            long rest = value;
            while (rest >>> 7 != 0) {
                raw((byte) (rest | 0x80));
                rest >>>= 7;
            }
            return raw((byte) rest);
        }

        Writer fixed(long value) {
            for (int i = 0; i < Long.BYTES; i++) {
                raw((byte) (value >>> 8 * i));
            }
            return this;
        }

        void copyTo(byte[] target, int at) {
            System.arraycopy(bytes, 0, target, at, length);
        }
    }
}
