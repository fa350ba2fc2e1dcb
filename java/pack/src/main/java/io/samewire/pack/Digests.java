package io.samewire.pack;

import io.samewire.pack.wire.WrittenDigest;
import java.nio.ByteBuffer;

/**
 * What a codec does about the digest of its schema.
 *
 * @param written how much of it its messages carry
 * @param required whether messages that carry none are refused
 */
record Digests(WrittenDigest written, boolean required) {
    /** The digest of eight bytes as a number. */
    static long bits(byte[] digest) {
        return ByteBuffer.wrap(digest).getLong();
    }
}
