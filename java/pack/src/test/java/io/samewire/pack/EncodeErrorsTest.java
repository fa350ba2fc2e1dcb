package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Values that cannot be written: which error, and where. */
class EncodeErrorsTest {
    record Book(String title, @Nullable String author, BigInteger isbn, LocalDate day, List<Instant> sold) {}

    record Shelf(List<Book> books, Map<String, Book> byName) {}

    record Chain(@Nullable Chain next) {}

    record Node(String name, List<Node> kids) {}

    record Noted(Optional<String> note) {}

    private static final Book GOOD = new Book("t", null, BigInteger.ONE, LocalDate.EPOCH, List.of());

    private static <T> void refused(Code code, String path, Codec<T> codec, T value) {
        Output output = new Output();
        output.clear();
        for (org.junit.jupiter.api.function.Executable way : List.<org.junit.jupiter.api.function.Executable>of(
            () -> codec.encode(value), () -> codec.encodeInto(value, output), () -> codec.encodeChunks(value, 10))) {
            SamewireException error = assertThrows(SamewireException.class, way);
            assertEquals(code, error.code(), error::getMessage);
            assertEquals(path, error.path());
            assertEquals(-1, error.at());
        }
        assertEquals(0, output.length(), "nothing is handed out");
    }

    private static Shelf shelf(Book wrong) {
        Map<String, Book> byName = new LinkedHashMap<>();
        byName.put("good", GOOD);
        byName.put("wrong", wrong);
        return new Shelf(List.of(GOOD), byName);
    }

    @Test
    void everyKindOfWrongValue() {
        Codec<Shelf> codec = Pack.codec(Shelf.class);
        refused(Code.TYPE_MISMATCH, "$.byName[1].value", codec, shelf(null));
        refused(Code.TYPE_MISMATCH, "$.byName[1].value.title", codec, shelf(new Book(null, null, BigInteger.ONE,
            LocalDate.EPOCH, List.of())));
        refused(Code.BAD_UTF8, "$.byName[1].value.title", codec, shelf(new Book("a\ud800b", null, BigInteger.ONE,
            LocalDate.EPOCH, List.of())));
        refused(Code.BAD_UTF8, "$.byName[1].value.author", codec,
            shelf(new Book("", "\udc00", BigInteger.ONE, LocalDate.EPOCH,
            List.of())));
        refused(Code.BAD_UTF8, "$.byName[1].value.author", codec, shelf(new Book("🎉", "🎉\ud83c", BigInteger.ONE,
            LocalDate.EPOCH, List.of())));
        refused(Code.LIMIT_SIZE, "$.byName[1].value.isbn", codec,
            shelf(new Book("", "", BigInteger.ONE.shiftLeft(40_000), LocalDate.EPOCH, List.of())));
        refused(Code.TYPE_MISMATCH, "$.byName[1].value.day", codec,
            shelf(new Book("", "", BigInteger.ONE, LocalDate.of(10_000, 1, 1), List.of())));
        refused(Code.TYPE_MISMATCH, "$.byName[1].value.sold[1]", codec,
            shelf(new Book("", "", BigInteger.ONE, LocalDate.EPOCH, List.of(Instant.EPOCH, Instant.MIN))));
        refused(Code.TYPE_MISMATCH, "$.books", codec, new Shelf(null, Map.of()));
        refused(Code.TYPE_MISMATCH, "$.books[1]", codec, new Shelf(Arrays.asList(GOOD, null), Map.of()));
        refused(Code.TYPE_MISMATCH, "$.note", Pack.codec(Noted.class), new Noted(null));
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // Heap pollution is the point.
    void elementsOfAnotherClass() {
        List books = new ArrayList(List.of(GOOD, "no book"));
        refused(Code.TYPE_MISMATCH, "$.books[1]", Pack.codec(Shelf.class), new Shelf(books, Map.of()));
        List numbers = new ArrayList(List.of(1, 2L));
        refused(Code.TYPE_MISMATCH, "$[1]", Pack.codec(new TypeRef<List<Integer>>() {}), numbers);
    }

    @Test
    void keysOfMapsInAny() {
        Codec<Object> codec = Pack.codec(Object.class);
        BigInteger beyond = BigInteger.ONE.shiftLeft(63);
        for (Object key : Arrays.asList(null, true, 1.0, 1f, beyond, beyond.negate().subtract(BigInteger.ONE),
            BigDecimal.ONE,
            LocalDate.EPOCH, Instant.EPOCH, UUID.randomUUID(), List.of(), Map.of(), new byte[1], 'c')) {
            Map<Object, Object> map = new LinkedHashMap<>();
            map.put(-1, 1);
            map.put(1L, Map.of());
            map.put(key, null);
            refused(Code.TYPE_MISMATCH, "$[1][0].value[2].key", codec, List.of(0, Collections.singletonMap("in", map)));
        }
        Map<Object, Object> integers = new LinkedHashMap<>();
        integers.put((byte) 5, "byte");
        integers.put(Long.MIN_VALUE, "least");
        integers.put(beyond.subtract(BigInteger.ONE), "most");
        Map<?, ?> back = (Map<?, ?>) codec.decode(codec.encode(integers));
        assertEquals(List.of(5L, Long.MIN_VALUE, Long.MAX_VALUE), List.copyOf(back.keySet()));
        integers.put(5L, "the same key as the byte");
        refused(Code.TYPE_MISMATCH, "$", codec, integers);
    }

    @Test
    void keysOfOneMapInAnyAreOfOneKind() {
        Codec<Object> codec = Pack.codec(Object.class);
        for (List<?> keys : List.of(List.of("1", "5", 5), List.of(5, 5L, "5"),
            List.of(BigInteger.ONE, (short) 5, "5", true))) {
            Map<Object, Object> map = new LinkedHashMap<>();
            keys.forEach(key -> map.put(key, null));
            refused(Code.TYPE_MISMATCH, "$[0][0].value[2].key", codec, List.of(Collections.singletonMap("in", map)));
        }
        SamewireException error = assertThrows(SamewireException.class, () -> codec.encode(Map.of(1, "", "1", "")));
        assertTrue(error.getMessage().contains("write the integers as strings, or use two maps"), error::getMessage);
    }

    @Test
    void depthAndSize() {
        Chain chain = null;
        for (int i = 0; i < 65; i++) {
            chain = new Chain(chain);
        }
        refused(Code.LIMIT_DEPTH, "$" + ".next".repeat(64), Pack.codec(Chain.class), chain);
        Codec<String> small = Pack.builder(String.class).limits(Limits.DEFAULT.withFrameBytes(10)).check(false)
            .build();
        assertEquals(10, small.encode("1234567").length);
        refused(Code.LIMIT_SIZE, "$", small, "12345678");
        Codec<double[]> bulk = Pack.builder(double[].class).limits(Limits.DEFAULT.withFrameBytes(100)).build();
        refused(Code.LIMIT_SIZE, "$", bulk, new double[100_000]);
        byte[] still = small.encode("next");
        assertEquals("next", small.decode(still), "the next message starts afresh");
    }

    @Test
    void whatStandsBesideIsNoDeeper() {
        List<Node> kids = new ArrayList<>(Collections.nCopies(100, new Node("kid", List.of())));
        kids.add(new Node(null, List.of()));
        refused(Code.TYPE_MISMATCH, "$.kids[100].name", Pack.codec(Node.class), new Node("", kids));
        for (Object beside : List.of(List.of(), Map.of())) {
            List<Object> list = new ArrayList<>(Collections.nCopies(100, beside));
            list.add('c');
            refused(Code.TYPE_MISMATCH, "$[100]", Pack.codec(Object.class), list);
        }
    }

    @Test
    void theLimitIsThatOfOneMessage() {
        Limits limits = Limits.DEFAULT.withFrameBytes(10);
        Codec<byte[]> bytes = Pack.builder(byte[].class).limits(limits).check(false).build();
        Codec<String> texts = Pack.builder(String.class).limits(limits).check(false).build();
        Output output = new Output();
        for (int length = 10; length <= 60; length += 20) {
            assertEquals(10, bytes.encodeInto(new byte[8], output));
            assertEquals(10, texts.encodeInto("1234567", output));
            SamewireException error = assertThrows(SamewireException.class, () ->
                bytes.encodeInto(new byte[9], output));
            assertEquals(Code.LIMIT_SIZE, error.code());
            assertEquals(length + 10, output.length());
        }
    }

    @Test
    void partsThatOccurAgainAndAgain() {
        Node node = new Node("leaf", List.of());
        Object list = List.of();
        for (int i = 0; i < 60; i++) {
            node = new Node("", List.of(node, node));
            list = List.of(list, list);
        }
        Limits limits = Limits.DEFAULT.withFrameBytes(1 << 16);
        for (Profile profile : Profile.values()) {
            refused(Code.LIMIT_SIZE, "$", Pack.builder(Node.class).limits(limits).profile(profile).build(), node);
            refused(Code.LIMIT_SIZE, "$", Pack.builder(Object.class).limits(limits).profile(profile).build(), list);
        }
    }

    @Test
    void whatTheCallersOwnCodeThrows() {
        List<String> broken = new ArrayList<>() {
            private static final long serialVersionUID = 1L;

            @Override
            public Object[] toArray() {
                throw new IllegalStateException("mine");
            }
        };
        assertThrows(IllegalStateException.class, () -> Pack.codec(new TypeRef<List<String>>() {}).encode(broken));
    }
}
