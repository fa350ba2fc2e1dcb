package io.samewire.pack.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** UTF-8 to the byte as the JDK's charset has it, except that nothing is replaced. */
class Utf8Test {
    private static final int[] FIRST_AND_LAST =
        {0, 0x7f, 0x80, 0xff, 0x100, 0x7ff, 0x800, 0x20ac, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x10ffff};
    /** Around every border of what may follow a first byte. */
    private static final int[] FOLLOWING = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xe2, 0xff};

    private static String random(SplittableRandom random, int characters) {
        int ascii = random.nextInt(1, 20);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < characters; i++) {
            text.appendCodePoint(random.nextInt(20) < ascii ? random.nextInt(0x80)
                : FIRST_AND_LAST[random.nextInt(FIRST_AND_LAST.length)]);
        }
        return text.toString();
    }

    @Test
    void writesWhatTheCharsetWrites() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 20_000; round++) {
            String text = random(random, round % 90);
            byte[] expected = text.getBytes(StandardCharsets.UTF_8);
            // As strings hold them, words are read up to the last unit's.
            byte[] utf16 = Arrays.copyOf(text.getBytes(StandardCharsets.UTF_16LE), 2 * text.length() + 8);
            int saved = Utf8.saved(utf16, 0, text.length());
            int all = 2 * text.length() - expected.length;
            int none = text.chars().anyMatch(unit -> Character.isSurrogate((char) unit)) ? Utf8.SURROGATES : 0;
            assertEquals(all > 0 ? all : none, saved, text);
            byte[] bytes = new byte[expected.length + 1 + Utf8.SCRATCHED];
            Utf8.write(utf16, 0, 2 * text.length(), bytes, 1);
            assertArrayEquals(expected, Arrays.copyOfRange(bytes, 1, 1 + expected.length));
                assertEquals(0, bytes[0]);
            System.arraycopy(expected, 0, bytes, 1, expected.length);
            assertEquals(text, Utf8.text(bytes, 1, 1 + expected.length));
        }
    }

    @Test
    void loneSurrogatesAreNotWritten() {
        for (String text : new String[] {"\ud800", "abcd\udc00", "\ud800abc", "\ud800\ud800\udc00", "\udc00\ud800"}) {
            byte[] utf16 = new byte[2 * text.length()];
            for (int i = 0; i < text.length(); i++) {
                Bytes.putChar(utf16, 2 * i, text.charAt(i));
            }
            assertThrows(Fault.class, () -> Utf8.write(utf16, 0, utf16.length, new byte[40], 0));
        }
    }

    @Test
    void readsExactlyWhatIsWellFormed() {
        CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();
        byte[] bytes = new byte[12];
        Arrays.fill(bytes, (byte) 'a');
        for (int first = 0; first < 256; first++) {
            bytes[3] = (byte) first;
            compare(strict, bytes, 2, 4);
            for (int second : FOLLOWING) {
                bytes[4] = (byte) second;
                compare(strict, bytes, 3, 5);
                // A first byte of at most two bytes is read alike for every third byte.
                for (int third : first < 0xe0 ? new int[] {'a', 0xbf} : FOLLOWING) {
                    bytes[5] = (byte) third;
                    compare(strict, bytes, 2, 6);
                    for (int fourth : FOLLOWING) {
                        bytes[6] = (byte) fourth;
                        compare(strict, bytes, 3, 7);
                        compare(strict, bytes, 2, 8);
                        compare(strict, bytes, 3, 8);
                    }
                }
            }
        }
    }

    private static void compare(CharsetDecoder strict, byte[] bytes, int from, int to) {
        String expected;
        try {
            expected = strict.decode(ByteBuffer.wrap(bytes, from, to - from)).toString();
        } catch (CharacterCodingException refused) {
            expected = null;
        }
        String found = Utf8.text(bytes, from, to);
        if (expected == null ? found != null : !expected.equals(found)) {
            assertEquals(expected, found, () -> Arrays.toString(Arrays.copyOfRange(bytes, from, to)));
        }
    }

    @Test
    void anyBytesInWords() {
        SplittableRandom random = new SplittableRandom(2);
        CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = random(random, random.nextInt(40)).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < round % 3 && bytes.length > 0; i++) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            int from = random.nextInt(bytes.length + 1);
            compare(strict, bytes, from, random.nextInt(from, bytes.length + 1));
        }
    }
}
