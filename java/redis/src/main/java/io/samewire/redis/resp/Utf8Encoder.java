package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** {@code String} to UTF-8. */
final class Utf8Encoder {
    private Utf8Encoder() {}

    /**
     * Judges whether the bytes that {@code getBytes} made are the text.
     *
     * @throws SamewireException {@code bad_utf8} if a lone surrogate became a question mark
     */
    static void check(String text, byte[] bytes) {
        for (byte b : bytes) {
            if (b == '?') {
                surrogates(text);
                return;
            }
        }
    }

    private static void surrogates(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (!Character.isHighSurrogate(c) || i + 1 == text.length()
                || !Character.isLowSurrogate(text.charAt(i + 1))) {
                throw new SamewireException(Code.BAD_UTF8, -1, null,
                    "the text has a lone surrogate at character " + i + ": pass bytes instead");
            }
            i++;
        }
    }
}
