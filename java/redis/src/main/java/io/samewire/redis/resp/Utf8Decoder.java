package io.samewire.redis.resp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** UTF-8 to {@code String}, in one copy. */
final class Utf8Decoder {
    private Utf8Decoder() {}

    /** Returns the text, with U+FFFD for each malformed part. */
    static String lenient(byte[] buffer, int from, int length) {
        return new String(buffer, from, length, StandardCharsets.UTF_8);
    }

    /** Returns the text, or null if it is malformed. */
    static String strict(byte[] buffer, int from, int length) {
        String text = new String(buffer, from, length, StandardCharsets.UTF_8);
        // A text in Latin-1 cannot have it: the search ends at once, and ASCII costs nothing.
        return text.indexOf('\uFFFD') < 0 || isValid(buffer, from, length) ? text : null;
    }

    private static boolean isValid(byte[] buffer, int from, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(buffer, from, length));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }
}
