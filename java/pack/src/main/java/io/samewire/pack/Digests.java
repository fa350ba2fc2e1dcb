package io.samewire.pack;

import java.nio.ByteBuffer;

/**
 * What a codec does about the digest of its schema.
 *
 * @param written whether its messages carry it
 * @param required whether messages that carry none are refused
 */
record Digests(boolean written, boolean required) {
    /** The digest of eight bytes as a number. */
    static long bits(byte[] digest) {
        return ByteBuffer.wrap(digest).getLong();
    }
}
