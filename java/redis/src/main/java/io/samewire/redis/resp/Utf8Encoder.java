package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Arrays;

/** {@code String} to UTF-8: what {@code getBytes} does not say. */
final class Utf8Encoder {
    /** Lone surrogates whose lower byte is the question mark that they become. */
    private static final char[] LIKE_QUESTION_MARKS = {'\ud83f', '\ud93f', '\uda3f', '\udb3f', '\udc3f', '\udd3f',
        '\ude3f', '\udf3f'};

    private Utf8Encoder() {}

    /**
     * Copies the bytes that {@code getBytes} made of a text, and returns whether they are the text: {@code getBytes}
     * makes a question mark of a lone surrogate.
     */
    @SuppressWarnings("deprecation") // It takes the lower bytes of the characters, as fast as bytes are copied.
    static boolean copy(String text, byte[] bytes, byte[] to, int at) {
        int length = text.length();
        if (bytes.length != length) {
            System.arraycopy(bytes, 0, to, at, bytes.length);
            return loneSurrogateAt(text) < 0;
        }
        // One byte a character: ASCII, or lone surrogates. Lower bytes are compared by vectors; and a text that is kept
        // in Latin-1, as ASCII is, has none of the eight, which indexOf knows at once.
        text.getBytes(0, length, to, at);
        if (!Arrays.equals(to, at, at + length, bytes, 0, length)) {
            return false;
        }
        for (char surrogate : LIKE_QUESTION_MARKS) {
            if (text.indexOf(surrogate) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of bytes of a text, or -1 if it has a lone surrogate. */
    static long length(String text) {
        long bytes = 0;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                return -1;
            }
        }
        return bytes;
    }

    /** Writes the bytes of a text that has no lone surrogate. */
    static void write(String text, byte[] to, int at) {
        int next = at;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                to[next++] = (byte) c;
            } else if (c < 0x800) {
                to[next] = (byte) (0xc0 | c >> 6);
                to[next + 1] = (byte) (0x80 | c & 0x3f);
                next += 2;
            } else if (!Character.isSurrogate(c)) {
                to[next] = (byte) (0xe0 | c >> 12);
                to[next + 1] = (byte) (0x80 | c >> 6 & 0x3f);
                to[next + 2] = (byte) (0x80 | c & 0x3f);
                next += 3;
            } else {
                int point = Character.toCodePoint(c, text.charAt(++i));
                to[next] = (byte) (0xf0 | point >> 18);
                to[next + 1] = (byte) (0x80 | point >> 12 & 0x3f);
                to[next + 2] = (byte) (0x80 | point >> 6 & 0x3f);
                to[next + 3] = (byte) (0x80 | point & 0x3f);
                next += 4;
            }
        }
    }

    /** Returns whether one of the first characters is not ASCII. */
    static boolean startsWide(String text, int looked) {
        int bits = 0;
        for (int i = 0; i < looked; i++) {
            bits |= text.charAt(i);
        }
        return bits >= 0x80;
    }

    /** Returns the error of a text with a lone surrogate. */
    static SamewireException loneSurrogate(String text) {
        return new SamewireException(Code.BAD_UTF8, -1, null,
            "the text has a lone surrogate at character " + loneSurrogateAt(text) + ": pass bytes instead");
    }

    private static int loneSurrogateAt(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (!Character.isHighSurrogate(c) || i + 1 == length || !Character.isLowSurrogate(text.charAt(i + 1))) {
                return i;
            }
            i++;
        }
        return -1;
    }
}
