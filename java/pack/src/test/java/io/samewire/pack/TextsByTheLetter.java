package io.samewire.pack;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.List;

/** The message of a {@code list<string>} as section 6 of {@code spec/pack.md} describes it, and messages by hand. */
final class TextsByTheLetter {
    private TextsByTheLetter() {}

    static byte[] message(List<String> texts, boolean compact) {
        StringBuilder latin = new StringBuilder();
        StringBuilder wide = new StringBuilder();
        ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
        ByteArrayOutputStream values = new ByteArrayOutputStream();
        Map<String, Integer> recorded = new HashMap<>();
        int next = 0;
        int misses = 0;
        boolean refs = false;
        varint(values, texts.size());
        for (String text : texts) {
            boolean isLatin = text.chars().allMatch(c -> c < 0x100);
            byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
            boolean isUtf8 = !isLatin && encoded.length < 2 * text.length();
            int bytes = isLatin ? text.length() : Math.min(encoded.length, 2 * text.length());
            boolean numbered = bytes >= 2 && bytes <= 95;
            Integer earlier = compact && numbered && misses < 128 ? recorded.get(text) : null;
            if (earlier != null) {
                misses = 0;
                refs = true;
                reference(values, earlier);
                continue;
            }
            if (numbered && misses < 128) {
                recorded.put(text, next);
                misses++;
            }
            next += numbered ? 1 : 0;
            if (isLatin) {
                token(values, text.length(), 0, 96, 0x60);
                latin.append(text);
            } else if (isUtf8) {
                token(values, bytes - 3, 0x71, 14, 0x7f);
                utf8.writeBytes(encoded);
            } else {
                token(values, text.length() - 1, 0x63, 14, 0x61);
                wide.append(text);
            }
        }
        return message(refs, latin.toString(), wide.toString(), utf8.toByteArray(), values.toByteArray());
    }

    /** A message with those blocks. */
    static byte[] message(boolean refs, String latin, String wide, byte[] utf8, byte[] values) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.write(0x80 | (latin.isEmpty() ? 0 : 1) | (wide.isEmpty() ? 0 : 2) | (refs ? 4 : 0)
            | (utf8.length == 0 ? 0 : 0x20));
        for (int length : new int[] {latin.length(), wide.length(), utf8.length}) {
            if (length > 0) {
                varint(message, length);
            }
        }
        message.writeBytes(latin.getBytes(StandardCharsets.ISO_8859_1));
        message.writeBytes(wide.getBytes(StandardCharsets.UTF_16LE));
        message.writeBytes(utf8);
        message.writeBytes(values);
        return message.toByteArray();
    }

    /** The token of a new text: one of {@code some} from the first on, or that of longer ones. */
    private static void token(ByteArrayOutputStream to, int n, int first, int some, int longer) {
        to.write(n < some ? first + n : longer);
        if (n >= some) {
            varint(to, n - some);
        }
    }

    private static void reference(ByteArrayOutputStream to, int number) {
        if (number < 96) {
            to.write(0x80 + number);
        } else if (number < 8288) {
            to.write(0xe0 + (number - 96 >> 8));
            to.write(number - 96);
        } else {
            to.write(0x62);
            varint(to, number - 8288);
        }
    }

    private static void varint(ByteArrayOutputStream to, int value) {
        int rest = value;
        for (; rest >= 0x80; rest >>>= 7) {
            to.write(rest | 0x80);
        }
        to.write(rest);
    }
}
