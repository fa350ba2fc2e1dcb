package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.StrictRead;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Long lists of structs of every native type, through columns ({@code spec/columns.md}). */
class ColumnsTest {
    private static final int ROWS = 300;

    enum Suit { CLUBS, DIAMONDS, HEARTS, SPADES }

    private enum Closed { YES, NO }

    record Numbers(byte a, Short b, @Unsigned int c, long d, @Unsigned Long e, float f, Double g, boolean h,
        Boolean i, BigInteger j, BigDecimal k, @Unsigned byte l, @Unsigned short m) {}

    record Scalars(String a, UUID b, LocalDate c, LocalTime d, Instant e, Duration f, Suit g, Object h, Closed i) {}

    record Options(@Nullable String a, @Nullable Integer b, Optional<Long> c, OptionalInt d, OptionalLong e,
        OptionalDouble f, Optional<Suit> g, @Nullable Boolean h, @Nullable Point i, Optional<Pair> j,
        @Nullable List<String> k, @Nullable Instant l) {}

    record Point(int x, int y) {}

    @Tuple
    record Pair(String left, Point right) {}

    record Lists(List<Integer> a, Set<String> b, Map<String, Point> c, Deque<Long> d, EnumSet<Suit> e,
        EnumMap<Suit, String> f, SortedMap<Integer, List<String>> g, Collection h, LinkedList<Pair> i,
        List<List<Instant>> j) {
        /** A record of the same name as an interface of the JDK. */
        record Collection(List<Optional<String>> items) {}
    }

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius, List<Point> points) implements Shape {}

    record Square(int side) implements Shape {}

    record Tree(String name, List<Tree> kids) {}

    private record Slots(Shape shape, Tree tree, @Shared Point shared, @Nullable Shape maybe) {}

    /** A class of fields, of which some are private. */
    static final class Plain {
        private int number;
        String text = "text";
        @Nullable Long maybe;
        List<Point> points = new ArrayList<>();

        @Override
        public boolean equals(Object other) {
            return other instanceof Plain plain && plain.number == number && plain.text.equals(text)
                && java.util.Objects.equals(plain.maybe, maybe) && plain.points.equals(points);
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    private static <T> Codec<T> codec(TypeRef<T> type) {
        return Pack.builder(type).build();
    }

    private static <T> List<T> rows(IntFunction<T> row) {
        return IntStream.range(0, ROWS).mapToObj(row).collect(Collectors.toCollection(ArrayList::new));
    }

    private static Numbers numbers(int i) {
        return new Numbers((byte) i, (short) -i, i * 1_000_003, i * 1_000_000_007L, -1L - i, i / 3f, i / 4.0,
            i % 3 == 0, i % 2 == 0, BigInteger.valueOf(i).shiftLeft(i), BigDecimal.valueOf(i, i % 5), (byte) (200 + i),
            (short) (60_000 + i));
    }

    private static Scalars scalars(int i) {
        return new Scalars("text " + i % 7, new UUID(i, ~i), LocalDate.ofEpochDay(i), LocalTime.ofNanoOfDay(i),
            Instant.ofEpochSecond(i, i % 4 * 1000), Duration.ofMillis(i), Suit.values()[i % 4],
            i % 2 == 0 ? "any" : (Object) (long) i, Closed.values()[i % 2]);
    }

    private static Options options(int i) {
        boolean some = i % 3 != 0;
        return new Options(some ? "a" + i : null, some ? i : null, Optional.of(1L * i).filter(x -> some),
            some ? OptionalInt.of(i) : OptionalInt.empty(), some ? OptionalLong.of(i) : OptionalLong.empty(),
            some ? OptionalDouble.of(i / 8.0) : OptionalDouble.empty(), Optional.of(Suit.HEARTS).filter(x -> some),
            i % 5 == 0 ? null : (Boolean) some, some ? new Point(i, -i) : null,
            Optional.of(new Pair("p", new Point(i, 1))).filter(x -> some), some ? List.of("x", "y" + i) : null,
            some ? Instant.ofEpochMilli(i) : null);
    }

    private static Lists lists(int i) {
        EnumMap<Suit, String> names = new EnumMap<>(Suit.class);
        names.put(Suit.values()[i % 4], "name");
        Map<String, Point> points = new HashMap<>();
        for (int k = 0; k < i % 3; k++) {
            points.put("k" + k, new Point(i, k));
        }
        return new Lists(IntStream.range(0, i % 5).boxed().toList(), Set.of("s" + i), points,
            new ArrayDeque<>(List.of(1L * i)), EnumSet.of(Suit.CLUBS, Suit.values()[i % 4]), names,
            new TreeMap<>(Map.of(i, List.of("v"), i + 1, List.of())),
            new Lists.Collection(List.of(Optional.empty(), Optional.of("o" + i))),
            new LinkedList<>(List.of(new Pair("q", new Point(0, i)))), List.of(List.of(), List.of(Instant.EPOCH)));
    }

    private static <T> void comesBack(TypeRef<T> type, T value) {
        Codec<T> codec = codec(type);
        byte[] message = codec.encode(value);
        assertEquals(text(value), text(codec.decode(message)), () -> codec.schema().text());
        byte[] rows = Pack.builder(type).profile(Profile.FAST).build().encode(value);
        assertTrue(message.length < rows.length, "columns are smaller here");
    }

    /** A value as text: queues and arrays are equal to none but themselves. */
    private static String text(Object value) {
        if (value.getClass().isArray()) {
            return IntStream.range(0, Array.getLength(value)).mapToObj(i -> text(Array.get(value, i))).toList()
                .toString();
        }
        return value instanceof java.util.Collection<?> some ? some.stream().map(ColumnsTest::text).toList().toString()
            : value.toString();
    }

    @Test
    void everyNativeTypeComesBack() {
        comesBack(new TypeRef<List<Numbers>>() {}, rows(ColumnsTest::numbers));
        comesBack(new TypeRef<List<Scalars>>() {}, rows(ColumnsTest::scalars));
        comesBack(new TypeRef<List<Options>>() {}, rows(ColumnsTest::options));
        comesBack(new TypeRef<List<Lists>>() {}, rows(ColumnsTest::lists));
        Point shared = new Point(1, 2);
        comesBack(new TypeRef<List<Slots>>() {}, rows(i -> new Slots(
            i % 2 == 0 ? new Square(i) : new Circle(i, Collections.nCopies(i % 70, shared)),
            new Tree("t", List.of(new Tree("k", List.of()))), shared, i % 3 == 0 ? null : new Square(1))));
    }

    @Test
    void everyContainerOfStructsComesBack() {
        List<Point> points = rows(i -> new Point(i, i * i));
        comesBack(new TypeRef<ArrayList<Point>>() {}, new ArrayList<>(points));
        comesBack(new TypeRef<LinkedList<Point>>() {}, new LinkedList<>(points));
        comesBack(new TypeRef<ArrayDeque<Point>>() {}, new ArrayDeque<>(points));
        comesBack(new TypeRef<java.util.Collection<Point>>() {}, Collections.unmodifiableList(points));
        comesBack(new TypeRef<Point[]>() {}, points.toArray(new Point[0]));
        Map<Integer, Point> map = new LinkedHashMap<>();
        points.forEach(point -> map.put(point.x, point));
        comesBack(new TypeRef<Map<Integer, Point>>() {}, map);
        comesBack(new TypeRef<TreeMap<Integer, Point>>() {}, new TreeMap<>(map));
        comesBack(new TypeRef<List<List<Point>>>() {}, List.of(points, List.of(), points));
    }

    record Arrays2(int[] a, double[] b, boolean[] c, @Unsigned byte[] d, String[] e, long[][] f, byte[] g,
        Point[] h) {}

    @Test
    void datesComeBackWhateverMonthsTheyAreIn() {
        Codec<List<Named>> codec = codec(new TypeRef<>() {});
        for (int step : new int[] {1, -1, 30, 487, 9_973}) {
            LocalDate first = step == 9_973 ? LocalDate.of(1, 1, 1) : LocalDate.of(2000, 2, 20);
            List<Named> days = rows(i -> new Named("n", first.plusDays((long) i * step)));
            assertEquals(days, codec.decode(codec.encode(days)));
        }
    }

    @Test
    void arraysComeBack() {
        List<Arrays2> rows = rows(i -> new Arrays2(new int[] {i, -i}, new double[i % 3], new boolean[] {i % 2 == 0},
            new byte[i % 4], new String[] {"a", "b" + i}, new long[][] {{i}, {}}, new byte[] {(byte) i},
            new Point[] {new Point(i, 0)}));
        Codec<List<Arrays2>> codec = codec(new TypeRef<List<Arrays2>>() {});
        byte[] message = codec.encode(rows);
        List<Arrays2> back = codec.decode(message);
        for (int i = 0; i < ROWS; i++) {
            assertArrayEquals(rows.get(i).a, back.get(i).a);
            assertArrayEquals(rows.get(i).b, back.get(i).b);
            assertArrayEquals(rows.get(i).c, back.get(i).c);
            assertArrayEquals(rows.get(i).d, back.get(i).d);
            assertArrayEquals(rows.get(i).e, back.get(i).e);
            assertTrue(Arrays.deepEquals(rows.get(i).f, back.get(i).f));
            assertArrayEquals(rows.get(i).g, back.get(i).g);
            assertArrayEquals(rows.get(i).h, back.get(i).h);
        }
        assertArrayEquals(message, codec.encode(back));
    }

    @Test
    void classesOfFieldsComeBack() {
        List<Plain> rows = rows(i -> {
            Plain plain = new Plain();
            plain.number = i;
            plain.text = "t" + i % 3;
            plain.maybe = i % 2 == 0 ? null : (Long) (long) i;
            plain.points.add(new Point(i, i));
            return plain;
        });
        Codec<List<Plain>> codec = codec(new TypeRef<List<Plain>>() {});
        assertEquals(rows, codec.decode(codec.encode(rows)));
    }

    @Test
    void classesOfManyFieldsComeBack() throws ReflectiveOperationException {
        List<WideClass> rows = new ArrayList<>();
        for (int i = 0; i < 4 * WideClass.class.getDeclaredFields().length; i++) {
            WideClass row = new WideClass();
            for (Field field : WideClass.class.getDeclaredFields()) {
                field.set(row, field.getName().hashCode() % 1000 + i);
            }
            rows.add(row);
        }
        Codec<List<WideClass>> codec = codec(new TypeRef<List<WideClass>>() {});
        byte[] message = codec.encode(rows);
        byte[] inRows = Pack.builder(new TypeRef<List<WideClass>>() {}).profile(Profile.FAST).build().encode(rows);
        assertTrue(message.length < inRows.length);
        List<WideClass> back = codec.decode(message);
        for (int i = 0; i < rows.size(); i++) {
            for (Field field : WideClass.class.getDeclaredFields()) {
                assertEquals(field.get(rows.get(i)), field.get(back.get(i)));
            }
        }
    }

    /** As many fields as two methods read, and three write. */
    static final class WideClass {
        int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3, c4, c5, c6;
        int c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, f0, f1, f2, f3;
        int f4, f5, f6, f7, f8, f9, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9;
    }

    record Written(int a, String b, Point gone, List<Suit> suits, long[] numbers) {}

    record Wanted(@Default("7") int more, BigInteger a, Optional<String> b, List<Suit> suits,
        List<BigInteger> numbers) {}

    @Test
    void anotherSchemaIsResolved() {
        List<Written> rows = rows(i -> new Written(i, "b" + i, new Point(i, i), List.of(Suit.values()[i % 4]),
            new long[] {i}));
        Codec<List<Written>> writer = codec(new TypeRef<List<Written>>() {}).withoutDigest();
        String schema = writer.schema().text().replace("struct Written", "struct Wanted");
        List<Wanted> read = codec(new TypeRef<List<Wanted>>() {}).resolve(schema).decode(writer.encode(rows));
        assertEquals(rows(i -> new Wanted(7, BigInteger.valueOf(i), Optional.of("b" + i), List.of(Suit.values()[i % 4]),
            List.of(BigInteger.valueOf(i)))), read);
    }

    @Test
    void mutantsAreReadOrRefusedAsTheStrictReaderSays() {
        SplittableRandom random = new SplittableRandom(7);
        Mutator mutator = new Mutator(random);
        List<Map.Entry<Codec<?>, byte[]>> seeds = List.of(seed(new TypeRef<List<Numbers>>() {}, ColumnsTest::numbers),
            seed(new TypeRef<List<Scalars>>() {}, ColumnsTest::scalars),
            seed(new TypeRef<List<Options>>() {}, ColumnsTest::options),
            seed(new TypeRef<List<Lists>>() {}, ColumnsTest::lists));
        int refused = 0;
        for (int i = 0; i < 1000; i++) {
            Map.Entry<Codec<?>, byte[]> seed = seeds.get(i % seeds.size());
            byte[] mutant = mutator.mutated(seed.getValue(), seeds.get(random.nextInt(seeds.size())).getValue());
            SamewireException strict = StrictRead.error(seed.getKey(), mutant);
            SamewireException said = null;
            try {
                seed.getKey().decode(mutant);
            } catch (SamewireException error) {
                said = error;
                refused++;
            }
            String both = said + " and " + strict;
            assertEquals(strict == null, said == null, both);
            if (strict != null) {
                assertEquals(strict.code(), said.code(), both);
                assertEquals(strict.at(), said.at(), both);
                assertEquals(strict.path(), said.path(), both);
            }
        }
        assertTrue(refused > 250, "refused " + refused);
    }

    private static <T> Map.Entry<Codec<?>, byte[]> seed(TypeRef<List<T>> type, IntFunction<T> row) {
        Codec<List<T>> codec = codec(type);
        return Map.entry(codec, codec.encode(rows(row).subList(0, 80)));
    }

    record Named(String name, @Nullable LocalDate day) {}

    @Test
    void valuesThatCannotBeWrittenAreNamed() {
        Codec<List<Named>> codec = codec(new TypeRef<List<Named>>() {});
        List<Named> rows = rows(i -> new Named(i == 77 ? null : "n", null));
        SamewireException error = assertThrows(SamewireException.class, () -> codec.encode(rows));
        assertEquals(Code.TYPE_MISMATCH, error.code());
        assertEquals("$[77].name", error.path());
        rows.set(77, new Named("\ud800", null));
        assertEquals(Code.BAD_UTF8, assertThrows(SamewireException.class, () -> codec.encode(rows)).code());
        rows.set(77, new Named("n", LocalDate.of(10_000, 1, 1)));
        assertEquals("$[77].day", assertThrows(SamewireException.class, () -> codec.encode(rows)).path());
        rows.set(77, null);
        assertEquals("$[77]", assertThrows(SamewireException.class, () -> codec.encode(rows)).path());
        rows.set(77, new Named("n", null));
        assertEquals(rows, codec.decode(codec.encode(rows)));
    }

    record Level1(List<Level2> all) {}

    record Level2(List<Level3> all) {}

    record Level3(byte a) {}

    @Test
    void partsThatOccurAgainAndAgainAreNoMessage() {
        Level2 level2 = new Level2(Collections.nCopies(3000, new Level3((byte) 1)));
        List<Level1> rows = Collections.nCopies(3000, new Level1(Collections.nCopies(3000, level2)));
        Codec<List<Level1>> codec = Pack.builder(new TypeRef<List<Level1>>() {})
            .limits(Limits.DEFAULT.withFrameBytes(1 << 16)).build();
        assertEquals(Code.LIMIT_SIZE, assertThrows(SamewireException.class, () -> codec.encode(rows)).code());
    }

    @Test
    void columnsAreBoundedByTheLimitOfItems() {
        Codec<List<Point>> codec = codec(new TypeRef<List<Point>>() {});
        byte[] message = codec.encode(rows(i -> new Point(i, i)));
        Codec<List<Point>> few = Pack.builder(new TypeRef<List<Point>>() {}).limits(Limits.DEFAULT.withItems(ROWS - 1))
            .build();
        assertEquals(Code.LIMIT_ITEMS, assertThrows(SamewireException.class, () -> few.decode(message)).code());
    }

    @Test
    void keysAreInOrderAndDistinct() {
        record Keyed(Set<String> keys) {}
        List<Keyed> rows = rows(i -> new Keyed(new TreeSet<>(List.of("b", "a" + i))));
        Codec<List<Keyed>> codec = codec(new TypeRef<List<Keyed>>() {});
        assertEquals(rows, codec.decode(codec.encode(rows)));
    }
}
