package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts as Latin-1, as UTF-16 and as UTF-8, one beside another wherever texts stand. */
class TextFormsTest {
    private static final Codec<List<String>> CODEC = codec(Profile.COMPACT);
    private static final Codec<List<String>> FAST = codec(Profile.FAST);
    private static final byte[] NONE = {};

    private static Codec<List<String>> codec(Profile profile) {
        return Pack.builder(new TypeRef<List<String>>() {}).profile(profile).check(false).build();
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static void assertBytes(List<String> texts) {
        assertArrayEquals(TextsByTheLetter.message(texts, true), CODEC.encode(texts), texts::toString);
        assertArrayEquals(TextsByTheLetter.message(texts, false), FAST.encode(texts), texts::toString);
        assertEquals(texts, CODEC.decode(CODEC.encode(texts)));
        assertEquals(texts, CODEC.decode(FAST.encode(texts)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 13, 14, 15, 16, 46, 47, 48, 142, 143, 300})
    void utf16OfEveryLength(int units) {
        String text = "日".repeat(units);
        assertBytes(List.of(text, "ab", text, "ab", "本" + text, text));
        assertBytes(List.of("🎉".repeat(units), "x", "🎉".repeat(units)));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 15, 16, 17, 18, 94, 95, 96, 97, 144, 145, 300})
    void utf8OfEveryLength(int bytes) {
        String text = "x".repeat(bytes - 2) + "я";
        assertEquals(bytes, text.getBytes(StandardCharsets.UTF_8).length);
        assertBytes(List.of(text, "ab", text, "ab", "y" + text, text));
    }

    @Test
    void theShorterFormIsWrittenAndUtf16IfThereIsNone() {
        // Header, length of the block, block, count, token.
        assertArrayEquals(hex("a003" + "78d18f" + "0171"), CODEC.encode(List.of("xя")));
        assertArrayEquals(hex("8201" + "4f04" + "0163"), CODEC.encode(List.of("я")));
        assertArrayEquals(hex("8202" + "4f044f04" + "0164"), CODEC.encode(List.of("яя")), "4 bytes either way");
        assertArrayEquals(hex("8202" + "7800e565" + "0164"), CODEC.encode(List.of("x日")), "4 bytes either way");
        assertArrayEquals(hex("a005" + "7879e697a5" + "0173"), CODEC.encode(List.of("xy日")));
        assertArrayEquals(hex("8202" + "3cd889df" + "0164"), CODEC.encode(List.of("🎉")), "4 bytes either way");
        assertArrayEquals(hex("a005" + "78f09f8e89" + "0173"), CODEC.encode(List.of("x🎉")));
        assertArrayEquals(hex("8102" + "e9ff" + "0102"), CODEC.encode(List.of("éÿ")), "always Latin-1");
    }

    @Test
    void allFormsInAnyOrder() {
        SplittableRandom random = new SplittableRandom(1);
        String[] parts = {"a", "é", "я", "日", "🎉", "quite long, ", "’"};
        for (int round = 0; round < 300; round++) {
            List<String> texts = new ArrayList<>();
            int n = random.nextInt(1, 300);
            int few = random.nextInt(1, 40);
            for (int i = 0; i < n; i++) {
                if (i > 0 && random.nextInt(few) == 0) {
                    texts.add(new String(texts.get(random.nextInt(i)).toCharArray()));
                    continue;
                }
                StringBuilder text = new StringBuilder();
                int most = random.nextInt(8) == 0 ? 60 : 12;
                for (int part = random.nextInt(most); part > 0; part--) {
                    text.append(parts[random.nextInt(parts.length)]);
                }
                texts.add(text.toString());
            }
            assertBytes(texts);
        }
    }

    @Test
    void readsEveryFormOfEveryText() {
        List<String> texts = List.of("abc", "é", "日本", "abc");
        byte[] wide = TextsByTheLetter.message(true, "", "abcé日本", NONE, hex("04" + "65" + "63" + "64" + "80"));
        assertEquals(texts, CODEC.decode(wide));
        byte[] utf8 = TextsByTheLetter.message(true, "é", "", "abc日本".getBytes(StandardCharsets.UTF_8),
            hex("04" + "71" + "01" + "74" + "80"));
        assertEquals(texts, CODEC.decode(utf8));
        assertEquals(texts, Pack.decoder("list<string>", Limits.DEFAULT).decode(utf8));
        String latin = CODEC.decode(TextsByTheLetter.message(false, "", "", "élan".getBytes(StandardCharsets.UTF_8),
            hex("01" + "73"))).get(0);
        assertEquals("élan", latin);
        assertEquals("élan".hashCode(), latin.hashCode());
    }

    /** Texts of 2 to 95 bytes have numbers: 47 units but not 48, 95 bytes of UTF-8 but not 96. */
    @Test
    void numbersOfLongTexts() {
        byte[] utf8 = ("я" + "x".repeat(94) + "я" + "y".repeat(93)).getBytes(StandardCharsets.UTF_8);
        byte[] message = TextsByTheLetter.message(true, "a", "日".repeat(48) + "本".repeat(47), utf8,
            hex("06" + "01" + "6121" + "6120" + "7f4f" + "7f4e" + "81"));
        List<String> texts = CODEC.decode(message);
        assertEquals("本".repeat(47), texts.get(2));
        assertEquals("я" + "y".repeat(93), texts.get(5));
        message[message.length - 1] = (byte) 0x82;
        assertEquals(Code.MALFORMED, refused(message, "$[5]"));
    }

    private static Code refused(byte[] message, String path) {
        SamewireException error = assertThrows(SamewireException.class, () -> CODEC.decode(message));
        assertEquals(path, error.path(), error::getMessage);
        SamewireException same = assertThrows(SamewireException.class,
            () -> Pack.decoder("list<string>", Limits.DEFAULT).decode(message));
        assertEquals(error.code(), same.code());
        assertEquals(error.at(), same.at());
        return error.code();
    }

    @ParameterizedTest
    @ValueSource(strings = {"c08178", "c1bf78", "e08080", "e09fbf", "f0808080", "f08fbfbf", "eda080", "edbfbf",
        "f4908080", "f8808080", "807878", "78ff78", "7878c3", "e69778", "c37878", "f09f8e78"})
    void utf8ThatIsNotWellFormed(String text) {
        int bytes = text.length() / 2;
        byte[] message = TextsByTheLetter.message(false, "", "", hex(text + "787878"),
            new byte[] {2, (byte) (0x6e + bytes), 0x71});
        assertEquals(Code.BAD_UTF8, refused(message, "$[0]"));
    }

    @Test
    void charactersAreNotSplitBetweenTexts() {
        byte[] utf8 = "xx日🎉xx".getBytes(StandardCharsets.UTF_8);
        int whole = utf8.length;
        for (int first = 3; first <= whole - 3; first++) {
            byte[] message = TextsByTheLetter.message(false, "", "", utf8,
                new byte[] {2, (byte) (0x6e + first), (byte) (0x6e + whole - first)});
            if (first == 5) {
                assertEquals(List.of("xx日", "🎉xx"), CODEC.decode(message));
            } else {
                assertEquals(Code.BAD_UTF8, refused(message, "$[0]"), "after " + first);
            }
        }
    }

    @Test
    void tokensAreForWhatIsThere() {
        byte[] utf8 = "xxя".getBytes(StandardCharsets.UTF_8);
        // Longer than the block, and not well-formed: the length comes first.
        assertEquals(Code.MALFORMED, refused(TextsByTheLetter.message(false, "", "", hex("ffffff"), hex("0172")),
            "$[0]"));
        assertEquals(Code.MALFORMED, refused(TextsByTheLetter.message(false, "", "", utf8, hex("017f00")), "$[0]"));
        assertEquals(Code.MALFORMED, refused(TextsByTheLetter.message(false, "abc", "", NONE, hex("0171")), "$[0]"));
        assertEquals(Code.MALFORMED, refused(TextsByTheLetter.message(false, "", "", utf8, hex("00")), "$"), "unused");
        assertEquals(Code.BAD_NUMBER, refused(TextsByTheLetter.message(false, "", "", utf8, hex("017f8000")), "$[0]"));
        assertEquals(Code.MALFORMED, refused(hex("a00000"), "$"), "an empty block");
        assertEquals(Code.TRUNCATED, refused(hex("a003787878"), "$"));
        assertEquals(Code.UNSUPPORTED, refused(hex("4000"), "$"));
        assertEquals(Code.MALFORMED, refused(hex("d0000000000000000000"), "$"), "a digest and a check");
    }

    @Test
    void theTextLimitCountsBytes() {
        List<String> texts = List.of("abcd", "日本", "don’t");
        byte[] message = CODEC.encode(texts);
        for (int most = 12; most <= 15; most++) {
            Codec<List<String>> limited = Pack.builder(new TypeRef<List<String>>() {})
                .limits(Limits.DEFAULT.withTextBytes(most)).build();
            if (most == 15) {
                assertEquals(texts, limited.decode(message));
            } else {
                SamewireException error = assertThrows(SamewireException.class, () -> limited.decode(message));
                assertEquals(Code.LIMIT_SIZE, error.code());
                assertEquals(3, error.at());
            }
        }
    }

    @Test
    void aLongTextNeedsNoMoreRoomThanItTakes() {
        String text = "x".repeat(100_000) + "я";
        Codec<List<String>> tight = Pack.builder(new TypeRef<List<String>>() {})
            .check(false)
            .limits(Limits.DEFAULT.withFrameBytes(100_012)).build();
        byte[] message = tight.encode(List.of(text));
        assertTrue(message.length <= 100_012);
        assertEquals(List.of(text), tight.decode(message));
    }

    /** A row with texts at several places. */
    public record Row(String a, int n, Object any, Map<String, String> map) {}

    /** What is kept of it. */
    public record Kept(int n, Map<String, String> map) {}

    private static List<Row> rows(int n) {
        String[] texts = {"plain", "naïve", "don’t worry", "Дом", "日本語", "a", "я", "🎉 party", "x".repeat(97) + "…"};
        return IntStream.range(0, n).mapToObj(i -> {
            Map<String, String> map = new LinkedHashMap<>();
            for (int k = 0; k < i % 4; k++) {
                map.put(texts[(i + k) % texts.length] + i % 7, texts[(3 * i + k) % texts.length]);
            }
            Map<String, Object> any = new LinkedHashMap<>();
            any.put(texts[i % texts.length], texts[(i + 1) % texts.length] + i);
            return new Row(texts[i % 5] + (i % 3 == 0 ? "" : i), i, any, map);
        }).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 63, 64, 500})
    void inRowsColumnsAnysAndKeys(int n) {
        List<Row> rows = rows(n);
        for (Profile profile : Profile.values()) {
            Codec<List<Row>> codec = Pack.builder(new TypeRef<List<Row>>() {}).profile(profile).check(false).build();
            byte[] message = codec.encode(rows);
            assertEquals(rows, codec.decode(message));
            assertEquals(n, ((List<?>) Pack.decoder(codec.schema().text(), Limits.DEFAULT).decode(message)).size());
            Codec<List<Kept>> reader = Pack.codec(new TypeRef<List<Kept>>() {});
            List<Kept> kept = reader.resolve(codec.schema().text().replace("struct Row", "struct Kept"))
                .decode(message);
            assertEquals(rows.stream().map(row -> new Kept(row.n, row.map)).toList(), kept);
            Output output = new Output(0);
            codec.encodeInto(rows, output);
            assertArrayEquals(message, output.toByteArray());
            java.nio.ByteBuffer buffer = java.nio.ByteBuffer.allocate(message.length);
            codec.encodeInto(rows, buffer);
            assertArrayEquals(message, buffer.array());
            java.io.ByteArrayOutputStream chunks = new java.io.ByteArrayOutputStream();
            codec.encodeChunks(rows, 11).forEach(chunks::writeBytes);
            assertArrayEquals(message, chunks.toByteArray());
        }
    }

    /** A struct that is shared by two fields. */
    public record Tag(String name, String note) {}

    /** Two places of one tag, and texts around them. */
    public record Tagged(String before, @Shared Tag first, String between, @Shared Tag second, String after) {}

    /** What is kept of it. */
    public record TaggedLess(@Shared Tag second, String after) {}

    @Test
    void ofSharedStructsThatWereSkipped() {
        Tag tag = new Tag("don’t", "日本");
        Codec<Tagged> codec = Pack.builder(Tagged.class).check(false).build();
        byte[] message = codec.encode(new Tagged("можно so", tag, "ho ho ho, ’", tag, "don’t"));
        TaggedLess less = Pack.codec(TaggedLess.class)
            .resolve(codec.schema().text().replace("struct Tagged", "struct TaggedLess")).decode(message);
        assertEquals(new TaggedLess(tag, "don’t"), less);
    }

    @Test
    void aRepeatedKeyIsOneInEveryForm() {
        Codec<Map<String, Boolean>> codec = Pack.codec(new TypeRef<Map<String, Boolean>>() {});
        byte[] message = TextsByTheLetter.message(false, "abc", "", "abc".getBytes(StandardCharsets.UTF_8),
            hex("02" + "0371" + "00"));
        assertEquals(Code.MALFORMED, assertThrows(SamewireException.class, () -> codec.decode(message)).code());
    }
}
