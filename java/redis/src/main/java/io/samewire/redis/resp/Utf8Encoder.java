package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Spliterator;

/**
 * {@code String} to UTF-8. What {@code getBytes} does not do: it makes question marks of lone surrogates without a
 * word, and another array where ASCII could be copied straight to its place.
 */
final class Utf8Encoder {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    /** The highest bit of each byte, which ASCII does not have. */
    private static final long HIGH_BITS = 0x8080808080808080L;
    /** Whether {@link #isLatin1} tells the truth here. */
    private static final boolean TOLD = isLatin1("ascii") && isLatin1("\u00ff") && !isLatin1("\u0100")
        && !isLatin1("\ud83f") && !isLatin1("a\udc00");

    private Utf8Encoder() {}

    /**
     * Returns whether a text is kept in Latin-1, a byte a character: then its code points are counted, else they are
     * not. No other method of the JDK tells it without a look at each character.
     */
    private static boolean isLatin1(String text) {
        return text.codePoints().spliterator().hasCharacteristics(Spliterator.SIZED);
    }

    /** Returns whether a text can be given to {@link #copyAscii}. */
    static boolean mayBeAscii(String text) {
        return TOLD && isLatin1(text);
    }

    /** Copies a text that {@link #mayBeAscii} and returns whether it is ASCII; if not, what was copied is void. */
    @SuppressWarnings("deprecation") // It takes the lower bytes of the characters, as fast as bytes are copied.
    static boolean copyAscii(String text, byte[] to, int at) {
        int length = text.length();
        text.getBytes(0, length, to, at);
        long bits = 0;
        int i = at;
        for (int last = at + length - 4 * Long.BYTES; i <= last; i += 4 * Long.BYTES) {
            bits |= (long) LONGS.get(to, i) | (long) LONGS.get(to, i + Long.BYTES)
                | (long) LONGS.get(to, i + 2 * Long.BYTES) | (long) LONGS.get(to, i + 3 * Long.BYTES);
        }
        for (; i < at + length; i++) {
            bits |= to[i];
        }
        return (bits & HIGH_BITS) == 0;
    }

    /**
     * Returns the bytes of any text.
     *
     * @throws SamewireException {@code bad_utf8} if it has a lone surrogate
     */
    static byte[] encode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // A text in Latin-1 has no surrogates; of another one, a lone surrogate is a question mark now.
        if (!mayBeAscii(text) && hasQuestionMark(bytes)) {
            int at = loneSurrogateAt(text);
            if (at >= 0) {
                throw new SamewireException(Code.BAD_UTF8, -1, null,
                    "the text has a lone surrogate at character " + at + ": pass bytes instead");
            }
        }
        return bytes;
    }

    private static boolean hasQuestionMark(byte[] bytes) {
        for (byte b : bytes) {
            if (b == '?') {
                return true;
            }
        }
        return false;
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
