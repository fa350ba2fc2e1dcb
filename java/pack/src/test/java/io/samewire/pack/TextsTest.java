package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Texts and their look-up: the bytes do not depend on the hash, and look-alikes cost no more than others. */
class TextsTest {
    private static final Codec<List<String>> CODEC =
        Pack.builder(new TypeRef<List<String>>() {}).check(false).build();

    @Test
    void lengthsAndKindsOfCharacters() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 200; round++) {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                if (i > 5 && random.nextInt(3) == 0) {
                    texts.add(new String(texts.get(random.nextInt(texts.size())).toCharArray()));
                    continue;
                }
                int length = random.nextInt(random.nextInt(4) == 0 ? 300 : 20);
                int most = new int[] {0x80, 0x100, 0xd800}[random.nextInt(3)];
                StringBuilder text = new StringBuilder();
                for (int c = 0; c < length; c++) {
                    text.append(random.nextInt(20) == 0 && most > 0x100 ? "🎉" : (char) random.nextInt(most));
                }
                texts.add(text.toString());
            }
            byte[] bytes = CODEC.encode(texts);
            assertEquals(texts, CODEC.decode(bytes));
            assertArrayEquals(bytes, CODEC.encode(new ArrayList<>(texts)));
        }
    }

    @Test
    void aLoneSurrogateIsRefusedWhereverItStands() {
        for (String around : List.of("", "я", "日本", "🎉")) {
            for (int before = 0; before < 9; before++) {
                for (int after = 0; after < 9; after++) {
                    for (String lone : List.of("\ud800", "\udc00", "\udc00\ud800", "\ud800\ud800\udc00")) {
                        String text = "ж".repeat(before) + around + lone + around + "ж".repeat(after);
                        assertEquals(Code.BAD_UTF8, assertThrows(SamewireException.class,
                            () -> CODEC.encode(List.of(text))).code(), text);
                    }
                    String whole = "ж".repeat(before) + around + "🎉" + around + "ж".repeat(after);
                    assertEquals(List.of(whole), CODEC.decode(CODEC.encode(List.of(whole))));
                }
            }
        }
    }

    @Test
    void aLoneSurrogateIsRefusedAnywhereInLongTexts() {
        for (int units = 10; units < 70; units++) {
            for (int at = 0; at < units; at++) {
                String before = "日".repeat(at);
                String after = (units % 2 == 0 ? "本" : "ж").repeat(units - at);
                String lone = before + (at % 2 == 0 ? "\ud800" : "\udc00") + after;
                SamewireException refused = assertThrows(SamewireException.class,
                    () -> CODEC.encode(List.of("日本", lone, "本")));
                assertEquals(Code.BAD_UTF8, refused.code());
                List<String> whole = List.of("日本", before + "🎉" + after, "本");
                assertEquals(whole, CODEC.decode(CODEC.encode(whole)));
            }
        }
    }

    @Test
    void surrogatesOfTwoTextsAreNoPair() {
        List<String> texts = List.of("日\ud83c", "\udf89本");
        assertEquals("$[0]", assertThrows(SamewireException.class, () -> CODEC.encode(texts)).path().toString());
        assertEquals("$[1]", assertThrows(SamewireException.class,
            () -> CODEC.encode(List.of("日本", "\udf89本"))).path().toString());
        byte[] split = CODEC.encode(List.of("日", "🎉本"));
        // The texts now end one unit later and begin one later.
        split[split.length - 2]++;
        split[split.length - 1]--;
        SamewireException refused = assertThrows(SamewireException.class, () -> CODEC.decode(split));
        assertEquals(Code.BAD_UTF8, refused.code());
        assertEquals("$[0]", refused.path().toString());
    }

    @Test
    void tokensAreThoseOfSectionSix() {
        SplittableRandom random = new SplittableRandom(4);
        for (int round = 0; round < 100; round++) {
            List<String> pool = new ArrayList<>();
            int different = random.nextInt(1, round % 10 == 0 ? 9000 : 600);
            for (int i = 0; i < different; i++) {
                int longest = random.nextInt(3) == 0 ? 110 : 20;
                String repeated = new String[] {"é", "é", "日", "don’t "}[random.nextInt(4)];
                pool.add(i + repeated.repeat(random.nextInt(longest)) + "x".repeat(random.nextInt(2)));
            }
            List<String> texts = new ArrayList<>();
            int repeating = random.nextInt(2, 200);
            for (int i = 0; i < 2 * different; i++) {
                texts.add(i % repeating == 0 && i > 0 ? copy(texts.get(random.nextInt(i)))
                    : pool.get(random.nextInt(different)));
            }
            assertArrayEquals(TextsByTheLetter.message(texts, true), CODEC.encode(texts));
            assertEquals(texts, CODEC.decode(CODEC.encode(texts)));
        }
    }

    @Test
    @Tag("hard")
    void lookalikesAreFoundAndDoNotTakeLong() {
        // Equal ends and lengths: a quick hash of a long text covers only these. A hit now and then keeps the dedup
        // slot open.
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            texts.add("same head " + String.format("%08d", i) + " and the very same tail");
            if (i % 50 == 0) {
                texts.add(texts.get(0));
            }
        }
        long began = System.nanoTime();
        byte[] bytes = CODEC.encode(texts);
        long seconds = (System.nanoTime() - began) / 1_000_000_000;
        assertTrue(seconds < 5, () -> seconds + " s");
        assertEquals(texts, CODEC.decode(bytes));
        assertTrue(bytes.length < 43 * 40_000, "the repeated text is referred to");
    }

    @Test
    void textsOfBothWidthsAreFoundInATableThatHasGrown() {
        // Every text comes twice, which keeps the dedup slot enabled, the second time when the table has grown more
        // than once.
        List<String> texts = new ArrayList<>();
        int newBytes = 0;
        for (int i = 0; i < 6000; i++) {
            String text = i % 3 == 0 ? "Ж wide " + i : "é latin, not so short " + i;
            newBytes += i % 3 == 0 ? 2 * text.length() : text.length();
            texts.add(text);
            texts.add(copy(texts.get(i)));
        }
        byte[] bytes = CODEC.encode(texts);
        assertEquals(texts, CODEC.decode(bytes));
        int most = newBytes + 5 * texts.size();
        assertTrue(bytes.length < most, () -> bytes.length + " bytes, not " + most);
    }

    /** Texts behind bytes that fill the buffer up to any place, one after another and apart. */
    public record Filled(byte[] before, String a, String b, String c, int n, String d, List<String> more, String e) {
        List<Object> rest() {
            return List.of(a, b, c, n, d, more, e);
        }
    }

    @Test
    void tokensFitWhereverTheBufferEnds() {
        Codec<List<Filled>> codec = Pack.codec(new TypeRef<List<Filled>>() {});
        SplittableRandom random = new SplittableRandom(5);
        String[] kinds = {"short", "Ж", "", "l".repeat(200), "middling, that is longer than two words",
            "l".repeat(40_000)};
        byte[] large = new byte[3 << 20];
        for (int before = 1950; before < 2060; before++) {
            // After a large message the buffers are as small as in the beginning.
            codec.encode(List.of(new Filled(large, "", "", "", 0, "", List.of(), "")));
            List<Filled> value = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String[] t = new String[7];
                Arrays.setAll(t, each -> kinds[random.nextInt(kinds.length)] + random.nextInt(3));
                value.add(new Filled(new byte[before], t[0], t[1], t[2], 1 << 20, t[3], List.of(t[4], t[5]), t[6]));
            }
            List<Filled> back = codec.decode(codec.encode(value));
            for (int i = 0; i < value.size(); i++) {
                assertArrayEquals(value.get(i).before, back.get(i).before);
                assertEquals(value.get(i).rest(), back.get(i).rest());
            }
        }
    }

    @Test
    void aSiteClosesAfterManyMisses() {
        Codec<Map<String, String>> codec = Pack.codec(new TypeRef<Map<String, String>>() {});
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            map.put("key " + i, i % 2 == 0 ? "even" : "odd");
        }
        byte[] bytes = codec.encode(map);
        assertEquals(map, codec.decode(bytes));
        assertTrue(bytes.length < 300 * 10, "the dedup slot of the values stays enabled");
    }

    /** Three dedup slots in a row of structs. */
    public record Three(String a, int n, String b, String c) {}

    @Test
    void theSameStringIsAnEqualOne() {
        Codec<List<Three>> codec = Pack.codec(new TypeRef<List<Three>>() {});
        SplittableRandom random = new SplittableRandom(2);
        for (int round = 0; round < 300; round++) {
            String[] texts = new String[1 + random.nextInt(400)];
            for (int i = 0; i < texts.length; i++) {
                int length = random.nextInt(random.nextInt(5) == 0 ? 100 : 12);
                texts[i] = (random.nextInt(9) == 0 ? "Ж" : "é") + "x".repeat(length) + i;
            }
            List<Three> same = new ArrayList<>();
            List<Three> equal = new ArrayList<>();
            // Consecutive misses disable a dedup slot, at times just before a string comes again.
            int misses = 120 + random.nextInt(16);
            String last = "";
            for (int i = 0; i < 2 * misses; i++) {
                last = i % misses < misses - 3 ? "miss " + round + " " + i : last;
                Three three = new Three(last, i, texts[random.nextInt(texts.length)], i % 7 == 0
                    ? texts[i % texts.length] : "c");
                same.add(three);
                equal.add(new Three(copy(three.a), i, copy(three.b), copy(three.c)));
            }
            byte[] bytes = codec.encode(same);
            assertArrayEquals(codec.encode(equal), bytes);
            assertEquals(same, codec.decode(bytes));
        }
    }

    /** Rows whose dedup slots are disabled, and texts behind them that refer to such as were written then. */
    public record Rows(List<Three> rows, List<String> names, List<String> behind) {}

    @Test
    void continuesNumbersAfterADisabledSlot() {
        Codec<Rows> codec = Pack.codec(new TypeRef<Rows>() {});
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 60; round++) {
            int n = random.nextInt(100, 400);
            List<Three> rows = new ArrayList<>();
            List<String> names = new ArrayList<>();
            List<String> behind = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                rows.add(new Three(text(random, i), i, text(random, i), i < 200 ? "c" : text(random, i)));
                names.add(text(random, i));
                behind.add("behind " + random.nextInt(1 + i / 2));
            }
            Rows value = new Rows(rows, names, behind);
            byte[] bytes = codec.encode(value);
            assertEquals(value, codec.decode(bytes));
            assertArrayEquals(bytes, codec.encode(new Rows(new ArrayList<>(rows), List.copyOf(names), behind)));
        }
    }

    /** Of no or one character, short, long, wide; hardly ever twice the same. */
    private static String text(SplittableRandom random, int i) {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> "é";
            case 2 -> "Ж" + i;
            case 3 -> "long " + "x".repeat(random.nextInt(120)) + i;
            default -> "t" + i + "y".repeat(random.nextInt(40));
        };
    }

    @Test
    void everyLengthInFast() {
        Codec<List<String>> fast = Pack.builder(new TypeRef<List<String>>() {}).profile(Profile.FAST).build();
        for (int length = 0; length < 300; length++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < length; i++) {
                text.append((char) (' ' + i % 200));
            }
            List<String> texts = List.of(text.toString(), "x", text.toString(), text + "é", text.toString());
            assertEquals(texts, fast.decode(fast.encode(texts)));
            List<String> same = new ArrayList<>(texts);
            assertArrayEquals(fast.encode(texts), fast.encode(same));
        }
    }

    private static String copy(String text) {
        return new String(text.toCharArray());
    }
}
