package io.samewire.redis.resp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Texts are read and written as the JDK's codec does, whichever loop does it, and refused where it refuses them. */
class Utf8Test {
    private static final int ROUNDS = 50_000;
    private static final int[] PARTS = {'a', '\n', 0x7f, 0x80, 0xe9, 0x7ff, 0x800, 0x20ac, 0xd7ff, 0xe000, 0xfffd,
        0xffff, 0x10000, 0x1f389, 0x10ffff};

    private final Utf8Decoder decoder = new Utf8Decoder();

    private static String byTheJdk(byte[] bytes, int from, int length) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length)).toString();
        } catch (CharacterCodingException malformed) {
            return null;
        }
    }

    private void same(byte[] bytes, int from, int length) {
        assertEquals(byTheJdk(bytes, from, length), decoder.strict(bytes, from, length));
        assertEquals(new String(bytes, from, length, StandardCharsets.UTF_8), decoder.lenient(bytes, from, length));
    }

    @Test
    void everyCodePointIsReadAndWritten() {
        RequestWriter out = new RequestWriter();
        for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                continue;
            }
            String text = "0123456789abcdef" + Character.toString(point) + "zz";
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertEquals(text, decoder.strict(bytes, 0, bytes.length));
            String longer = text + "0123456789abcdef";
            out.reset();
            out.word(longer);
            byte[] written = new ReplyReader().reset(out.array(), 0, out.length()).readBytes();
            assertArrayEquals(longer.getBytes(StandardCharsets.UTF_8), written);
        }
    }

    @Test
    void theJdkTellsWhichTextsAreKeptInLatin1() {
        assertTrue(Utf8Encoder.mayBeAscii("a".repeat(100)), "the fast way is lost: this JDK counts no code points");
        assertTrue(Utf8Encoder.mayBeAscii("é"));
        for (String text : new String[] {"€", "a\ud83f", "\udc00", "🎉"}) {
            assertFalse(Utf8Encoder.mayBeAscii(text), text);
        }
    }

    @Test
    void damagedTextsAreRefusedWhereTheJdkRefusesThem() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder text = new StringBuilder("a".repeat(random.nextInt(3) * 40));
            for (int i = random.nextInt(40); i > 0; i--) {
                text.appendCodePoint(PARTS[random.nextInt(PARTS.length)]);
            }
            byte[] bytes = ("xy" + text + "z").getBytes(StandardCharsets.UTF_8);
            if (random.nextBoolean()) {
                bytes[2 + random.nextInt(bytes.length - 2)] = (byte) random.nextInt(256);
            }
            // Cut anywhere, so that a character may lack its last bytes.
            int from = random.nextInt(3);
            same(bytes, from, random.nextInt(bytes.length - from + 1));
        }
    }

    @Test
    void longTextsOfEveryWidth() {
        for (int part : PARTS) {
            for (int length : new int[] {15, 16, 17, 63, 64, 65, 5000, 70_000}) {
                String text = "a".repeat(length) + Character.toString(part);
                byte[] ascii = text.getBytes(StandardCharsets.UTF_8);
                same(ascii, 0, ascii.length);
                byte[] wide = Character.toString(part).repeat(length).getBytes(StandardCharsets.UTF_8);
                same(wide, 0, wide.length);
                same(wide, 0, wide.length - 1);
            }
        }
    }
}
