package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.net.URI;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Types of the program's, written as others by converters: the same bytes as of what they are made into. */
class ConvertersTest {
    /** Neither a record nor a class that codecs could take apart. */
    static final class Money implements Comparable<Money> {
        private final transient long cents;
        private final Object guard = new Object();

        private Money(long cents) {
            this.cents = cents;
        }

        static Money of(long cents) {
            return new Money(cents);
        }

        static Money parse(String text) {
            return new Money(Long.parseLong(text));
        }

        long cents() {
            return cents;
        }

        String text() {
            return Long.toString(cents);
        }

        @Override
        public int compareTo(Money other) {
            return Long.compare(cents, other.cents);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Money money && cents == money.cents && guard != null;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(cents);
        }

        @Override
        public String toString() {
            return "Money(" + cents + ")";
        }
    }

    record Pair(long first, String second) {}

    static final class AsText implements Converter<Money, String> {
        @Override
        public String encode(Money value) {
            return value.text();
        }

        @Override
        public Money decode(String wire) {
            return Money.parse(wire);
        }
    }

    static final class AsUnsigned implements Converter<Money, @Unsigned Integer> {
        @Override
        public Integer encode(Money value) {
            return (int) value.cents();
        }

        @Override
        public Money decode(Integer wire) {
            return Money.of(Integer.toUnsignedLong(wire));
        }
    }

    static final class AsList implements Converter<Money, List<Long>> {
        @Override
        public List<Long> encode(Money value) {
            return List.of(value.cents(), 1L);
        }

        @Override
        public Money decode(List<Long> wire) {
            return Money.of(wire.get(0));
        }
    }

    static final class AsMap implements Converter<Money, Map<String, Long>> {
        @Override
        public Map<String, Long> encode(Money value) {
            return Map.of("cents", value.cents());
        }

        @Override
        public Money decode(Map<String, Long> wire) {
            return Money.of(wire.get("cents"));
        }
    }

    /** Rows that hold the same type in all places. */
    record Row<T>(String id, T price, @Nullable T maybe, Optional<T> perhaps, List<T> many, Map<String, T> named,
        List<@Nullable T> gaps, T[] array, Deque<T> queue) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Row<?> row && Arrays.deepEquals(parts(), row.parts());
        }

        @Override
        public int hashCode() {
            return id.hashCode();
        }

        private Object[] parts() {
            return new Object[] {id, price, maybe, perhaps, many, named, gaps, array, new ArrayList<>(queue)};
        }
    }

    record Keyed<T>(Set<T> set, Map<T, T> map, Map<T, Pair> flat) {}

    private static List<Money> money() {
        List<Money> money = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            for (long cents : new long[] {0, 1, 5, 5, 1_000, 77}) {
                money.add(Money.of(cents));
            }
        }
        return money;
    }

    @SuppressWarnings("unchecked") // Arrays of what is asked for.
    private static <T> List<Row<T>> rows(List<T> values, Class<?> type) {
        List<Row<T>> rows = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            T value = values.get(i);
            T[] array = (T[]) java.lang.reflect.Array.newInstance(type, i % 3);
            Arrays.fill(array, value);
            Map<String, T> named = new LinkedHashMap<>();
            named.put("a" + i % 5, value);
            named.put("b", values.get(0));
            rows.add(new Row<>(Integer.toString(i), value, i % 3 == 0 ? null : value,
                i % 4 == 0 ? Optional.empty() : Optional.of(value), values.subList(0, i % 7), named,
                Arrays.asList(value, null), array, new ArrayDeque<>(List.of(value, value))));
        }
        return rows;
    }

    private static Pair pair(Money money) {
        return new Pair(money.cents(), money.text());
    }

    private static <W> DynamicTest same(String name, Class<?> type, TypeRef<List<Row<W>>> plain,
        java.util.function.Function<Money, W> encode, CodecBuilder<List<Row<Money>>> adapted) {
        return DynamicTest.dynamicTest(name, () -> {
            List<W> written = new ArrayList<>();
            money().forEach(one -> written.add(encode.apply(one)));
            List<Row<Money>> own = rows(money(), Money.class);
            List<Row<W>> theirs = rows(written, type);
            for (Profile profile : Profile.values()) {
                for (int n : new int[] {1, 63, 96}) {
                    Codec<List<Row<Money>>> codec = adapted.profile(profile).build();
                    Codec<List<Row<W>>> other = Pack.builder(plain).profile(profile).build();
                    assertEquals(other.schema().text(), codec.schema().text());
                    byte[] data = codec.encode(own.subList(0, n));
                    assertArrayEquals(other.encode(theirs.subList(0, n)), data);
                    assertEquals(own.subList(0, n), codec.decode(data));
                }
            }
        });
    }

    private static CodecBuilder<List<Row<Money>>> builder() {
        return Pack.builder(new TypeRef<List<Row<Money>>>() {});
    }

    @TestFactory
    Stream<DynamicTest> writesTheBytesOfWhatIsWritten() {
        return Stream.of(
            same("a long", Long.class, new TypeRef<List<Row<Long>>>() {}, Money::cents,
                builder().converter(Money.class, Long.class, Money::cents, Money::of)),
            same("a short", Short.class, new TypeRef<List<Row<Short>>>() {}, money -> (short) money.cents(),
                builder().converter(Money.class, Short.class, money -> (short) money.cents(), n -> Money.of(n))),
            same("an unsigned int", Integer.class, new TypeRef<List<Row<@Unsigned Integer>>>() {},
                money -> (int) money.cents(), builder().converter(new AsUnsigned())),
            same("a double", Double.class, new TypeRef<List<Row<Double>>>() {}, money -> (double) money.cents(),
                builder().converter(Money.class, Double.class, money -> (double) money.cents(),
                    value -> Money.of(value.longValue()))),
            same("a text", String.class, new TypeRef<List<Row<String>>>() {}, Money::text,
                builder().converter(new AsText())),
            same("an instant", Instant.class, new TypeRef<List<Row<Instant>>>() {},
                money -> Instant.ofEpochSecond(money.cents()), builder().converter(Money.class, Instant.class,
                    money -> Instant.ofEpochSecond(money.cents()), at -> Money.of(at.getEpochSecond()))),
            same("a record", Pair.class, new TypeRef<List<Row<Pair>>>() {}, ConvertersTest::pair,
                builder().converter(Money.class, Pair.class, ConvertersTest::pair, pair -> Money.of(pair.first()))),
            same("a list", List.class, new TypeRef<List<Row<List<Long>>>>() {},
                money -> List.of(money.cents(), 1L), builder().converter(new AsList())),
            same("a map", Map.class, new TypeRef<List<Row<Map<String, Long>>>>() {},
                money -> Map.of("cents", money.cents()), builder().converter(new AsMap())));
    }

    private static <W> void keys(Class<W> wire, java.util.function.Function<Money, W> encode,
        java.util.function.Function<W, Money> decode, TypeRef<List<Keyed<W>>> plain) {
        List<Keyed<Money>> own = new ArrayList<>();
        List<Keyed<W>> theirs = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            Map<Money, Money> map = new LinkedHashMap<>();
            Map<Money, Pair> flat = new LinkedHashMap<>();
            Map<W, W> map2 = new LinkedHashMap<>();
            Map<W, Pair> flat2 = new LinkedHashMap<>();
            for (int k = 0; k < (i == 3 ? 100 : i % 5); k++) {
                Money key = Money.of(100 - k);
                map.put(key, Money.of(i));
                flat.put(key, new Pair(k, "x"));
                map2.put(encode.apply(key), encode.apply(Money.of(i)));
                flat2.put(encode.apply(key), new Pair(k, "x"));
            }
            own.add(new Keyed<>(map.keySet(), map, flat));
            theirs.add(new Keyed<>(map2.keySet(), map2, flat2));
        }
        for (Profile profile : Profile.values()) {
            Codec<List<Keyed<Money>>> codec = Pack.builder(new TypeRef<List<Keyed<Money>>>() {})
                .converter(Money.class, wire, encode, decode).profile(profile).build();
            Codec<List<Keyed<W>>> other = Pack.builder(plain).profile(profile).build();
            for (int n : new int[] {10, 80}) {
                byte[] data = codec.encode(own.subList(0, n));
                assertArrayEquals(other.encode(theirs.subList(0, n)), data);
                assertEquals(own.subList(0, n), codec.decode(data));
            }
        }
    }

    @Test
    void keysAreInTheOrderOfWhatIsWritten() {
        keys(String.class, Money::text, Money::parse, new TypeRef<List<Keyed<String>>>() {});
        keys(Long.class, Money::cents, Money::of, new TypeRef<List<Keyed<Long>>>() {});
    }

    record Item(@As(AsText.class) Money price, Map<String, List<@As(AsText.class) Money>> others,
        @Nullable @As(AsText.class) Money gone, Money @As(All.class) [] all) {}

    static final class All implements Converter<Money[], String> {
        @Override
        public String encode(Money[] value) {
            return String.join(",", Arrays.stream(value).map(Money::text).toList());
        }

        @Override
        public Money[] decode(String wire) {
            return Arrays.stream(wire.split(",")).map(Money::parse).toArray(Money[]::new);
        }
    }

    @Test
    void annotationsSayHowOnePlaceIsWritten() {
        Codec<Item> codec = Pack.codec(Item.class);
        assertEquals("struct Item { price: string, others: map<string, list<string>>, gone: option<string>,"
            + " all: string }", codec.schema().text());
        Item item = new Item(Money.of(5), Map.of("a", List.of(Money.of(1))), null, new Money[] {Money.of(7)});
        Item read = codec.decode(codec.encode(item));
        assertEquals(item.price, read.price);
        assertEquals(item.others, read.others);
        assertArrayEquals(item.all, read.all);
        // The codec's own does not replace them.
        assertEquals(codec.schema().text(), Pack.builder(Item.class)
            .converter(Money.class, Long.class, Money::cents, Money::of).build().schema().text());
    }

    @As(TagText.class)
    record Tag(String name) {}

    private static final class TagText implements Converter<Tag, String> {
        private TagText() {}

        @Override
        public String encode(Tag value) {
            return "#" + value.name;
        }

        @Override
        public Tag decode(String wire) {
            return new Tag(wire.substring(1));
        }
    }

    @Test
    void aClassMaySayHowItIsWritten() {
        Codec<List<Tag>> codec = Pack.codec(new TypeRef<List<Tag>>() {});
        assertEquals("list<string>", codec.schema().text());
        List<Tag> tags = List.of(new Tag("a"), new Tag("b"));
        assertEquals(tags, codec.decode(codec.encode(tags)));
        assertArrayEquals(Pack.codec(new TypeRef<List<String>>() {}).encode(List.of("#a", "#b")), codec.encode(tags));
        assertEquals("list<i32>", Pack.builder(new TypeRef<List<Tag>>() {})
            .converter(Tag.class, Integer.class, tag -> 1, one -> new Tag("")).build().schema().text());
    }

    @Test
    void oneUponAnotherAndOnesOwnClass() {
        Codec<List<Money>> twice = Pack.builder(new TypeRef<List<Money>>() {})
            .converter(Money.class, URI.class, money -> URI.create(money.text()), uri -> Money.parse(uri.toString()))
            .build();
        assertEquals("list<string>", twice.schema().text());
        assertEquals(money(), twice.decode(twice.encode(money())));
        Codec<List<Integer>> doubled = Pack.builder(new TypeRef<List<Integer>>() {})
            .converter(Integer.class, Integer.class, n -> 2 * n, n -> n / 2).build();
        assertEquals(List.of(2, 4), Pack.codec(new TypeRef<List<Integer>>() {}).decode(doubled.encode(List.of(1, 2))));
    }

    @Test
    void aBuilderTakesConvertersBetweenCodecs() {
        CodecBuilder<Tag> builder = Pack.builder(Tag.class);
        assertEquals("string", builder.build().schema().text());
        assertEquals("i32", builder.converter(Tag.class, Integer.class, tag -> 1, one -> new Tag("")).build().schema()
            .text());
    }

    @Name("Row")
    record Before(int id, String price, List<Long> cents, @Nullable String was, List<Long> none) {}

    @Name("Row")
    record After(long id, @As(AsText.class) Money price, List<@As(OfCents.class) Money> cents,
        @Default("7") @As(AsText.class) Money was, @Default("5") @As(AsText.class) Money added,
        List<Optional<@As(OfCents.class) Money>> none) {}

    static final class OfCents implements Converter<Money, Long> {
        @Override
        public Long encode(Money value) {
            return value.cents();
        }

        @Override
        public Money decode(Long wire) {
            return Money.of(wire);
        }
    }

    @Test
    void otherWritersSchemasResolve() {
        List<Before> before = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            String was = i % 2 == 0 ? null : "9";
            before.add(new Before(i, Integer.toString(i), List.of((long) i), was, List.of(3L)));
        }
        Codec<List<After>> reader = Pack.codec(new TypeRef<List<After>>() {});
        for (Profile profile : Profile.values()) {
            Codec<List<Before>> own = Pack.builder(new TypeRef<List<Before>>() {}).profile(profile).build();
            List<After> read = reader.resolve(own.schema().text()).decode(own.encode(before));
            assertEquals(70, read.size());
            After second = read.get(1);
            assertEquals(new After(1, Money.of(1), List.of(Money.of(1)), Money.of(9), Money.of(5),
                List.of(Optional.of(Money.of(3)))), second);
            assertEquals(Money.of(7), read.get(2).was);
        }
    }

    record Standard(char one, Character boxed, char[] text, URI uri, OffsetDateTime at, Date day,
        List<Date> days, Map<URI, Character> named) {}

    @Test
    void classesOfTheJdkHaveConverters() {
        Codec<List<Standard>> codec = Pack.codec(new TypeRef<List<Standard>>() {});
        assertEquals("list<struct Standard { one: string, boxed: string, text: string, uri: string, at: timestamp,"
            + " day: timestamp, days: list<timestamp>, named: map<string, string> }>", codec.schema().text());
        OffsetDateTime at = OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneOffset.UTC);
        Standard row = new Standard('a', 'ÿ', "text".toCharArray(), URI.create("https://example.org/?a=1"), at,
            new Date(-1), List.of(new Date(1), new java.sql.Timestamp(2)), Map.of(URI.create("urn:a"), '\u20ac'));
        for (Profile profile : Profile.values()) {
            Codec<List<Standard>> own = Pack.builder(new TypeRef<List<Standard>>() {}).profile(profile).build();
            for (Standard read : codec.decode(own.encode(java.util.Collections.nCopies(70, row)))) {
                assertEquals("a ÿ text https://example.org/?a=1", String.join(" ", "" + read.one, "" + read.boxed,
                    new String(read.text), read.uri.toString()));
                assertEquals(at, read.at);
                assertEquals(new Date(-1), read.day);
                assertEquals(List.of(new Date(1), new Date(2)), read.days);
                assertEquals(row.named, read.named);
            }
        }
    }

    private static SamewireException refused(Code code, String text, org.junit.jupiter.api.function.Executable work) {
        SamewireException error = assertThrows(SamewireException.class, work);
        assertEquals(code, error.code(), error.getMessage());
        assertTrue(error.text().contains(text), error.getMessage());
        return error;
    }

    @Test
    void whatTheJdksClassesWouldLoseIsRefused() {
        Codec<List<OffsetDateTime>> times = Pack.codec(new TypeRef<List<OffsetDateTime>>() {});
        OffsetDateTime at = OffsetDateTime.parse("2026-01-02T03:04:05+01:00");
        SamewireException error = refused(Code.TYPE_MISMATCH, "2026-01-02T03:04:05+01:00 would lose its own",
            () -> times.encode(List.of(at)));
        assertEquals("$[0]", error.path());
        Codec<OffsetDateTime> texts = Pack.builder(OffsetDateTime.class)
            .converter(OffsetDateTime.class, String.class, OffsetDateTime::toString, OffsetDateTime::parse).build();
        assertEquals(at, texts.decode(texts.encode(at)));
        Codec<List<Character>> chars = Pack.codec(new TypeRef<List<Character>>() {});
        assertEquals("$[1]",
            refused(Code.BAD_UTF8, "lone surrogate", () -> chars.encode(List.of('a', '\ud800'))).path());
        refused(Code.TYPE_MISMATCH, "here are 2",
            () -> chars.decode(Pack.codec(new TypeRef<List<String>>() {}).encode(List.of("ab"))));
        refused(Code.TYPE_MISMATCH, "is finer",
            () -> Pack.codec(Date.class).decode(Pack.codec(Instant.class).encode(Instant.ofEpochSecond(1, 1))));
        refused(Code.TYPE_MISMATCH, "Illegal character",
            () -> Pack.codec(URI.class).decode(Pack.codec(String.class).encode("a b")));
    }

    record Checked(@org.jspecify.annotations.Nullable String text,
        List<@org.jspecify.annotations.Nullable Integer> more, int @org.jspecify.annotations.Nullable [] ints) {}

    @Test
    void jspecifysNullableIsOurs() {
        assertEquals("struct Checked { text: option<string>, more: list<option<i32>>, ints: option<list<i32>> }",
            Pack.codec(Checked.class).schema().text());
    }

    @Test
    void whatConvertersThrowIsPassedOn() {
        Codec<List<Money>> codec = Pack.builder(new TypeRef<List<Money>>() {}).converter(new AsText()).build();
        SamewireException error = refused(Code.TYPE_MISMATCH, "NumberFormatException",
            () -> codec.decode(Pack.codec(new TypeRef<List<String>>() {}).encode(List.of("1", "zwei"))));
        assertInstanceOf(NumberFormatException.class, error.getCause());
        Codec<List<Money>> failing = Pack.builder(new TypeRef<List<Money>>() {})
            .converter(Money.class, Long.class, money -> 1 / money.cents(), Money::of).build();
        assertThrows(ArithmeticException.class, () -> failing.encode(List.of(Money.of(0))));
        Codec<List<Money>> refusing = Pack.builder(new TypeRef<List<Money>>() {})
            .converter(Money.class, Long.class, money -> {
                throw new SamewireException(Code.BAD_NUMBER, -1, null, "too much");
            }, Money::of).build();
        assertEquals("$[0]", refused(Code.BAD_NUMBER, "too much", () -> refusing.encode(List.of(Money.of(0)))).path());
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // Values of other classes than declared.
    void mistakesHaveAPath() {
        Codec<List<Money>> codec = Pack.builder(new TypeRef<List<Money>>() {}).converter(new AsText()).build();
        assertEquals("$[1]", refused(Code.TYPE_MISMATCH, "java.lang.Integer where",
            () -> ((Codec<List>) (Codec) codec).encode(List.of(Money.of(1), 5))).path());
        assertEquals("$[1]", refused(Code.TYPE_MISMATCH, "null in a Money that is not @Nullable",
            () -> codec.encode(Arrays.asList(Money.of(1), null))).path());
        Codec<List<Money>> none = Pack.builder(new TypeRef<List<Money>>() {})
            .converter(Money.class, String.class, money -> null, text -> null).build();
        assertEquals("$[0]", refused(Code.TYPE_MISMATCH, "encode returned null",
            () -> none.encode(List.of(Money.of(1)))).path());
        refused(Code.TYPE_MISMATCH, "decode returned null", () -> none.decode(codec.encode(List.of(Money.of(1)))));
        Codec<List<Money>> wrong = Pack.builder(new TypeRef<List<Money>>() {})
            .converter(Money.class, (Class<Object>) (Class) String.class, money -> 7, text -> Money.of(0)).build();
        assertEquals("$[0]", refused(Code.TYPE_MISMATCH, "java.lang.Integer where java.lang.String",
            () -> wrong.encode(List.of(Money.of(1)))).path());
    }

    record Sets(Set<Money> set) {}

    record Maps(Map<Money, Integer> map) {}

    @Test
    void keysThatBecomeTheSameAreRefused() {
        Set<Money> set = new LinkedHashSet<>(List.of(Money.of(1), Money.of(2)));
        Map<Money, Integer> map = new HashMap<>(Map.of(Money.of(1), 1, Money.of(2), 2));
        String text = "two keys that are the same in the format";
        assertEquals("$.set", refused(Code.TYPE_MISMATCH, text, () -> Pack.builder(Sets.class)
            .converter(Money.class, Long.class, money -> 7L, Money::of).build().encode(new Sets(set))).path());
        assertEquals("$.map", refused(Code.TYPE_MISMATCH, text, () -> Pack.builder(Maps.class)
            .converter(Money.class, Long.class, money -> 7L, Money::of).build().encode(new Maps(map))).path());
        refused(Code.TYPE_MISMATCH, "two keys as equal", () -> Pack.builder(Maps.class)
            .converter(Money.class, Long.class, Money::cents, cents -> Money.of(7)).build()
            .decode(Pack.builder(Maps.class).converter(Money.class, Long.class, Money::cents, Money::of).build()
                .encode(new Maps(new TreeMap<>(map)))));
    }

    record Elements(@As(AsText.class) Money[] all, @As(All.class) Money[] other) {}

    record Primitive(@As(AsText.class) int number) {}

    sealed interface Shape permits Circle {}

    record Circle(double radius) implements Shape {}

    @Test
    void misuseIsSaid() {
        for (Class<?> wire : List.of(Boolean.class, Object.class, Optional.class)) {
            refused(Code.MISUSE, "", () -> Pack.builder(Money.class).converter(Money.class, wire, m -> null, w -> null)
                .build());
        }
        refused(Code.MISUSE, "put it before the [] of the array", () -> Pack.codec(Elements.class));
        refused(Code.MISUSE, "stands before int, and converts", () -> Pack.codec(Primitive.class));
        refused(Code.MISUSE, "does not say what it converts",
            () -> Pack.builder(Money.class).converter(new Generic<Money>()));
        refused(Code.MISUSE, "cannot be in the union", () -> Pack.builder(Shape.class)
            .converter(Circle.class, Double.class, Circle::radius, Circle::new).build());
        refused(Code.UNSUPPORTED, "or write it by a Converter", () -> Pack.codec(Thread.class));
        assertThrows(NullPointerException.class, () -> Pack.builder(Money.class).converter(null));
    }

    private static final class Generic<T> implements Converter<T, String> {
        @Override
        public String encode(T value) {
            return Objects.toString(value);
        }

        @Override
        public T decode(String wire) {
            return null;
        }
    }

    @Test
    void whatIsMadeCountsAgainstTheLimitOfCells() {
        byte[] data = Pack.codec(new TypeRef<List<String>>() {}).encode(java.util.Collections.nCopies(10_000, "1"));
        CodecBuilder<List<Money>> builder = Pack.builder(new TypeRef<List<Money>>() {}).converter(new AsText());
        builder.limits(Limits.DEFAULT.withCells(100_000)).build().decode(data);
        Codec<List<Money>> bounded = builder.limits(Limits.DEFAULT.withCells(50_000)).build();
        refused(Code.LIMIT_ITEMS, "more memory than 50000 cells", () -> bounded.decode(data));
    }
}
