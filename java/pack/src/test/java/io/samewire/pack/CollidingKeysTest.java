package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keys of a map in an {@code any} that an attacker has chosen so that all have one hash. */
class CollidingKeysTest {
    private static final int MANY = 40_000;
    private static final int TEXT_LENGTH = 32;

    /** "Aa" and "BB" have one hash, and so has every text of sixteen of them. */
    private static String text(int number) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < TEXT_LENGTH / 2; bit++) {
            text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    /** Both halves are the same, so that the hash is 0. */
    private static Long integer(int number) {
        return (long) number << 32 | number;
    }

    /** A key that counts how often it is looked at. */
    private static final class Counting implements Comparable<Counting> {
        private static long looks;
        private final int number;

        Counting(int number) {
            this.number = number;
        }

        @Override
        public int compareTo(Counting other) {
            looks++;
            return Integer.compare(number, other.number);
        }

        @Override
        public boolean equals(Object other) {
            looks++;
            return other instanceof Counting key && key.number == number;
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    @Test
    void hashTablesOfJavaFindComparableKeysOfOneHashQuickly() {
        Counting.looks = 0;
        Map<Counting, Integer> map = new LinkedHashMap<>();
        for (int i = 0; i < MANY; i++) {
            map.put(new Counting(i), i);
        }
        assertEquals(MANY, map.size());
        assertTrue(Counting.looks < 64L * MANY, () -> Counting.looks
            + " looks at keys; each with each would be 800 million");
    }

    @Test
    void decodedKeysOfOneHashAreComparable() {
        Codec<Object> codec = Pack.codec(Object.class);
        for (IntFunction<Object> key
            : List.<IntFunction<Object>>of(CollidingKeysTest::text, CollidingKeysTest::integer)) {
            Map<Object, Object> map = new LinkedHashMap<>();
            IntStream.range(0, MANY).forEach(number -> map.put(key.apply(number), null));
            assertEquals(1, map.keySet().stream().map(Object::hashCode).distinct().count(), "the attack itself");
            Map<?, ?> back = assertInstanceOf(HashMap.class, codec.decode(codec.encode(map)));
            assertEquals(List.copyOf(map.keySet()), List.copyOf(back.keySet()));
            Set<Class<?>> classes = back.keySet().stream().map(Object::getClass).collect(Collectors.toSet());
            assertEquals(Set.of(key.apply(0).getClass()), classes);
            // What HashMap asks for before it compares keys of one hash.
            assertTrue(List.of(key.apply(0).getClass().getInterfaces()).contains(Comparable.class));
        }
    }

    @Test
    void textsAndIntegersOfOneHashAreRefusedBeforeTheyMeetInATable() {
        int each = MANY / 2;
        List<byte[]> parts = new ArrayList<>();
        parts.add(varint(each * TEXT_LENGTH));
        parts.add(IntStream.range(0, each).mapToObj(CollidingKeysTest::text).collect(Collectors.joining())
            .getBytes(StandardCharsets.ISO_8859_1));
        parts.add(new byte[] {0x09});
        parts.add(varint(MANY));
        IntStream.range(0, each).forEach(number -> parts.add(new byte[] {0x06, TEXT_LENGTH}));
        int at = 1 + parts.stream().mapToInt(part -> part.length).sum();
        for (int number = 0; number < each; number++) {
            parts.add(new byte[] {0x03});
            parts.add(varint(2 * integer(number)));
        }
        parts.add(new byte[MANY]);
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.write(0x81);
        parts.forEach(message::writeBytes);
        Codec<Object> codec = Pack.codec(Object.class);
        SamewireException error = assertThrows(SamewireException.class, () -> codec.decode(message.toByteArray()));
        assertEquals(Code.MALFORMED, error.code(), error::getMessage);
        assertEquals(at, error.at());
        assertEquals("$[" + each + "].key", error.path());
    }

    @Test
    void textsOfOneHashAreNotComparedWithEachOther() {
        record Line(String text) {}
        List<Line> lines = new ArrayList<>();
        IntStream.range(0, MANY).forEach(number -> {
            lines.add(new Line(text(number)));
            lines.add(new Line(text(number)));
        });
        Codec<List<Line>> codec = Pack.builder(new TypeRef<List<Line>>() {}).build();
        assertEquals(lines, assertTimeout(Duration.ofSeconds(60), () -> codec.decode(codec.encode(lines))));
    }

    private static byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (long rest = value; ; rest >>>= 7) {
            if (rest < 0x80) {
                out.write((int) rest);
                return out.toByteArray();
            }
            out.write((int) (rest & 0x7f | 0x80));
        }
    }
}
