package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Writers count items and cells as readers do: they refuse what no reader with the same limits would read. */
class WriterLimitsTest {
    private static final int MOST = 1 << 20;
    /** Enough for columns. */
    private static final int MANY = 40;

    enum Venue {
        NORTH, SOUTH
    }

    record Tick(long at, String symbol, double bid, double ask, int size, String venue, boolean odd) {}

    record Wide(BigInteger a, BigDecimal b, UUID c, Instant d, Duration e, byte[] f, Venue g, @Nullable Long h) {}

    @Tuple
    record Pair(String left, long right) {}

    record Holder(List<Long> numbers, List<String> texts, Map<String, Tick> ticks, Set<Integer> keys, Pair pair,
        @Nullable Tick tick, @Nullable List<String> maybe) {}

    record Tree(int value, List<Tree> kids) {}

    record Chain(@Nullable Chain next) {}

    record Kept(@Shared Tick tick, @Shared Node node) {}

    record Node(List<String> names, @Shared @Nullable Node before) {}

    record Loose(Object value) {}

    sealed interface Shape permits Dot, Line, Group {}

    record Dot() implements Shape {}

    record Line(List<Pair> points, @Nullable Pair end) implements Shape {}

    record Group(List<Shape> shapes) implements Shape {}

    private static Tick tick(int i) {
        return new Tick(i * 7L, "S" + i % 9, i / 100.0, i / 50.0, i % 1000, "XN", i % 3 == 0);
    }

    private static Holder holder(int i) {
        Map<String, Tick> ticks = new LinkedHashMap<>();
        for (int k = 0; k < i % 4; k++) {
            ticks.put("k" + k, tick(k));
        }
        return new Holder(list(i % 3, n -> (long) n), list(i % 5, n -> "t" + n), ticks, Set.copyOf(list(i % 4, n -> n)),
            new Pair("p", i), i % 2 == 0 ? null : tick(i), i % 3 == 0 ? null : List.of("a", "b"));
    }

    private static Tree tree(int depth) {
        return new Tree(depth, depth == 0 ? List.of() : list(3, n -> tree(depth - 1)));
    }

    private static Shape shape(int i) {
        return i % 3 == 0 ? new Dot() : i % 3 == 1
            ? new Line(list(i % 5, n -> new Pair("x", n)), i % 2 == 0 ? null : new Pair("e", 1))
            : new Group(list(i % 4, n -> shape(n * 3)));
    }

    private static Object any(int i) {
        return switch (i % 9) {
            case 0 -> list(i % 5, n -> n % 2 == 0 ? null : "t" + n);
            case 1 -> Map.of("a", 1, "b", List.of(new byte[3], BigDecimal.TEN));
            case 2 -> new byte[i];
            case 3 -> new BigDecimal("1.5");
            case 4 -> new long[i];
            case 5 -> NumericArray.u16(new short[i]);
            case 6 -> BigInteger.TEN.pow(30);
            case 7 -> new Object[] {1.5, new double[2], Map.of()};
            default -> Instant.EPOCH;
        };
    }

    private static <T> List<T> list(int n, IntFunction<T> element) {
        List<T> list = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            list.add(element.apply(i));
        }
        return list;
    }

    private static <T> Map<String, T> map(int n, IntFunction<T> element) {
        Map<String, T> map = new LinkedHashMap<>();
        for (int i = 0; i < n; i++) {
            map.put("key " + i, element.apply(i));
        }
        return map;
    }

    private static <T> Codec<T> codec(TypeRef<T> type, Profile profile, Limits limits) {
        return Pack.builder(type).profile(profile).limits(limits).build();
    }

    /** Finds by trying what a reader needs, and expects that the writer takes exactly that. */
    private static <T> void alike(TypeRef<T> type, T value) {
        for (Profile profile : Profile.values()) {
            byte[] message = codec(type, profile, Limits.DEFAULT).encode(value);
            alike(type, profile, value, message, Limits.DEFAULT::withCells);
            alike(type, profile, value, message, Limits.DEFAULT::withItems);
        }
    }

    private interface Limit {
        Limits with(int most);
    }

    private static <T> void alike(TypeRef<T> type, Profile profile, T value, byte[] message, Limit limit) {
        int least = 1;
        int most = MOST;
        while (least < most) {
            int middle = least + most >>> 1;
            try {
                codec(type, profile, limit.with(middle)).decode(message);
                most = middle;
            } catch (SamewireException refused) {
                assertEquals(Code.LIMIT_ITEMS, refused.code());
                least = middle + 1;
            }
        }
        assertTrue(least < MOST);
        Codec<T> enough = codec(type, profile, limit.with(least));
        assertEquals(message.length, enough.encode(value).length);
        assertEquals(message.length, enough.encodeInto(value, new Output()));
        if (least > 1) {
            Codec<T> less = codec(type, profile, limit.with(least - 1));
            for (UnaryOperator<T> way : List.<UnaryOperator<T>>of(v -> {
                less.encode(v);
                return v;
            }, v -> {
                less.encodeInto(v, new Output());
                return v;
            })) {
                SamewireException refused = assertThrows(SamewireException.class, () -> way.apply(value),
                    type.toString());
                assertEquals(Code.LIMIT_ITEMS, refused.code(), refused::getMessage);
                assertNotNull(refused.path());
            }
        }
    }

    @Test
    void scalarsAndLists() {
        alike(new TypeRef<Long>() {}, 5L);
        alike(new TypeRef<byte[]>() {}, new byte[5]);
        alike(new TypeRef<List<String>>() {}, list(MANY, i -> "t" + i));
        alike(new TypeRef<List<String>>() {}, List.of());
        alike(new TypeRef<List<Long>>() {}, list(MANY, i -> (long) i));
        alike(new TypeRef<long[]>() {}, new long[MANY]);
        alike(new TypeRef<boolean[]>() {}, new boolean[MANY]);
        alike(new TypeRef<String[]>() {}, new String[] {"a", "b"});
        alike(new TypeRef<List<BigDecimal>>() {}, list(MANY, BigDecimal::valueOf));
        alike(new TypeRef<List<List<List<Integer>>>>() {}, list(5, i -> list(i, k -> list(k, n -> n))));
        alike(new TypeRef<List<Optional<List<Long>>>>() {},
            list(MANY, i -> i % 2 == 0 ? Optional.empty() : Optional.of(list(i % 3, n -> 1L))));
        alike(new TypeRef<List<OptionalLong>>() {}, list(MANY, OptionalLong::of));
        alike(new TypeRef<Optional<List<Tick>>>() {}, Optional.of(list(MANY, WriterLimitsTest::tick)));
        alike(new TypeRef<Optional<Tick>>() {}, Optional.of(tick(1)));
        alike(new TypeRef<List<Object[]>>() {}, List.of());
    }

    @Test
    void records() {
        alike(new TypeRef<Tick>() {}, tick(1));
        for (int n : new int[] {1, 3, MANY}) {
            alike(new TypeRef<List<Tick>>() {}, list(n, WriterLimitsTest::tick));
            alike(new TypeRef<List<Tick>>() {}, Collections.unmodifiableList(list(n, WriterLimitsTest::tick)));
            alike(new TypeRef<List<List<Tick>>>() {}, list(3, i -> list(n, WriterLimitsTest::tick)));
            alike(new TypeRef<List<Holder>>() {}, list(n, WriterLimitsTest::holder));
            alike(new TypeRef<List<Wide>>() {}, list(n, i -> new Wide(BigInteger.TWO, BigDecimal.ONE, new UUID(1, i),
                Instant.EPOCH, Duration.ZERO, new byte[i], Venue.SOUTH, i % 2 == 0 ? null : 1L)));
            alike(new TypeRef<List<Optional<Pair>>>() {},
                list(n, i -> i % 2 == 0 ? Optional.empty() : Optional.of(new Pair("a", i))));
        }
    }

    @Test
    void setsAndMaps() {
        alike(new TypeRef<Set<String>>() {}, Set.of("a", "b", "c"));
        alike(new TypeRef<Set<Integer>>() {}, Set.of());
        for (int n : new int[] {0, 1, MANY}) {
            alike(new TypeRef<Map<String, Long>>() {}, map(n, i -> (long) i));
            alike(new TypeRef<Map<String, Tick>>() {}, map(n, WriterLimitsTest::tick));
            alike(new TypeRef<Map<String, Tick>>() {}, new TreeMap<>(map(n, WriterLimitsTest::tick)));
            alike(new TypeRef<Map<String, List<String>>>() {}, map(n, i -> list(i % 3, k -> "t")));
            alike(new TypeRef<Map<String, Holder>>() {}, map(n, WriterLimitsTest::holder));
            alike(new TypeRef<Map<String, Map<String, Pair>>>() {}, map(3, i -> map(n, k -> new Pair("a", k))));
        }
    }

    @Test
    void choicesReferencesAndRecursion() {
        alike(new TypeRef<Shape>() {}, shape(1));
        alike(new TypeRef<List<Shape>>() {}, list(MANY, WriterLimitsTest::shape));
        alike(new TypeRef<Tree>() {}, tree(3));
        alike(new TypeRef<List<Tree>>() {}, list(3, WriterLimitsTest::tree));
        alike(new TypeRef<Chain>() {}, new Chain(new Chain(new Chain(null))));
        alike(new TypeRef<List<Optional<Chain>>>() {},
            Arrays.asList(Optional.empty(), Optional.of(new Chain(new Chain(null)))));
        Tick tick = tick(1);
        Node node = new Node(List.of("a"), new Node(List.of(), null));
        alike(new TypeRef<List<Kept>>() {}, list(MANY, i -> new Kept(i % 2 == 0 ? tick : tick(i), node)));
    }

    @Test
    void any() {
        for (int i = 0; i < 9; i++) {
            alike(new TypeRef<Object>() {}, any(i));
        }
        alike(new TypeRef<List<Object>>() {}, list(MANY, WriterLimitsTest::any));
        alike(new TypeRef<List<Loose>>() {}, list(MANY, i -> new Loose(any(i))));
        alike(new TypeRef<Map<String, Object>>() {}, map(MANY, WriterLimitsTest::any));
    }

    private static void refused(String path, String text, Codec<?> codec, Object value) {
        @SuppressWarnings("unchecked") // Its values are of that class.
        Codec<Object> any = (Codec<Object>) codec;
        SamewireException refused = assertThrows(SamewireException.class, () -> any.encode(value));
        assertEquals(Code.LIMIT_ITEMS, refused.code());
        assertEquals(path, refused.path());
        assertEquals(text, refused.text());
    }

    @Test
    void whereAndWhatToDo() {
        Limits limits = Limits.DEFAULT.withItems(10).withCells(100);
        Codec<?> codec = codec(new TypeRef<List<Holder>>() {}, Profile.COMPACT, limits);
        String remedy = ": no reader with these limits would read it; write several messages, or raise that limit for"
            + " the writer and its readers";
        Holder fits = new Holder(List.of(), List.of("a", "b", "c"), Map.of(), Set.of(), new Pair("", 0), null, null);
        Holder long1 = new Holder(list(6, n -> 1L), List.of(), Map.of(), Set.of(), new Pair("", 0), null, null);
        refused("$[1].numbers", "expected at most 10 elements of lists, sets and maps in one message (limits.items),"
            + " the 6 elements here make it 11" + remedy, codec, List.of(fits, long1));
        Holder deep = new Holder(List.of(), List.of(), map(4, WriterLimitsTest::tick), Set.of(), new Pair("", 0), null,
            null);
        refused("$[1].ticks", "expected values that take at most 100 cells of memory when they are read (limits.cells),"
            + " with what is here they take 125" + remedy, codec, List.of(fits, deep));
    }

    @Test
    void millionsOfSmallRows() {
        List<Tick> rows = Collections.nCopies(3_000_000, tick(1));
        for (Profile profile : Profile.values()) {
            for (List<Tick> list : List.of(rows, new ArrayList<>(rows))) {
                SamewireException refused = assertThrows(SamewireException.class, () ->
                    codec(new TypeRef<List<Tick>>() {}, profile, Limits.DEFAULT).encode(list));
                assertEquals(Code.LIMIT_ITEMS, refused.code());
                assertEquals("$", refused.path());
                assertTrue(refused.text().contains("limits.cells"), refused::getMessage);
            }
        }
        Codec<long[]> numbers = Pack.codec(long[].class);
        assertEquals(Code.LIMIT_ITEMS, assertThrows(SamewireException.class, () ->
            numbers.encode(new long[16_777_217])).code());
    }
}
