package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.AbstractCollection;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;

/** Java's own types: what schema they have, and that values come back as what was declared. */
class NativeTypesTest {
    enum Color { RED, @Name("gr-ün") GREEN, BLUE }

    record Scalars(boolean b, byte i8, short i16, int i32, long i64, @Unsigned byte u8, @Unsigned short u16,
        @Unsigned int u32,
        @Unsigned long u64, float f32, double f64, String text, byte[] bytes, UUID uuid, BigInteger big,
            BigDecimal decimal,
        LocalDate date, LocalTime time, Instant instant, Duration duration, Color color, Object any) {}

    private record Hidden(int secret, List<Hidden> more) {}

    record Boxes(Boolean b, Byte i8, Short i16, Integer i32, Long i64, @Unsigned Integer u32, Float f32, Double f64) {}

    record Options(@Nullable String text, @Nullable Integer number, Optional<String> some, OptionalInt i,
        OptionalLong l,
        OptionalDouble d, @Nullable Boolean truth, int @Nullable [] ints, @Nullable byte[] bytes,
            Optional<List<@Nullable String>> list) {}

    record Containers(Collection<String> collection, ArrayList<Integer> list, LinkedList<Long> linked,
        Deque<String> deque,
        SortedSet<String> sorted, NavigableMap<Integer, String> tree, HashMap<String, Integer> hash,
        ConcurrentHashMap<String,
            Color> many,
        EnumSet<Color> colors, EnumMap<Color, Integer> counts, String[] strings, Hidden[] hidden, boolean[] flags,
            int[][] matrix,
        Set<@Unsigned Long> unsigned, Map<UUID, List<Boolean>> nested) {}

    record Pair<A, B>(A left, B right) {}

    record Maybe<T>(@Nullable T one, List<@Nullable T> more) {}

    static class Renamed<T> extends TypeRef<T> {}

    enum Twice { A, @Name("A") B }

    @Tuple
    record Loop(@Nullable Loop next) {}

    class Inner {
        int value;
    }

    @Tuple
    record Point(int x, @Nullable Double y) {}

    sealed interface CompiledType permits Circle, Polygon, Nothing {}

    record Circle(double radius) implements CompiledType {}

    sealed interface Polygon extends CompiledType permits Square, Triangle {}

    record Square(double side) implements Polygon {}

    record Triangle(double a, double b, double c) implements Polygon {}

    record Nothing() implements CompiledType {}

    sealed interface Vehicle permits Car {}

    /** Comes before the class that extends it, by its name too. */
    static sealed class Car implements Vehicle permits Racer {
        int wheels = 4;
    }

    static final class Racer extends Car {
        int speed = 300;
    }

    static class Base {
        protected String id;
        transient int cached = 7;
    }

    static final class Bean extends Base {
        static int made;
        private int count;
        @Name("display name")
        String name;

        private Bean() {
            made++;
        }
    }

    static final class Immutable {
        private final String name;
        private final int[] values;

        private Immutable(String name, int[] values) {
            this.name = name;
            this.values = values;
        }
    }

    record Node(String name, @Nullable Node next, @Shared Leaf leaf) {}

    record Leaf(String label) {}

    static final class Checked {
        final int value;

        Checked(int value) throws IOException {
            if (value < 0) {
                throw new IOException("negative");
            }
            this.value = value;
        }
    }

    record Positive(int value) {
        Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("not positive");
            }
        }
    }

    private static <T> T through(Codec<T> codec, T value) {
        byte[] bytes = codec.encode(value);
        T back = codec.decode(bytes);
        assertArrayEquals(bytes, codec.encode(back));
        return back;
    }

    private static SamewireException refused(Code code, org.junit.jupiter.api.function.Executable work) {
        SamewireException error = assertThrows(SamewireException.class, work);
        assertEquals(code, error.code(), error::getMessage);
        return error;
    }

    @Test
    void everyScalar() {
        Codec<Scalars> codec = Pack.codec(Scalars.class);
        assertEquals("struct Scalars { b: bool, 'i8': i8, 'i16': i16, 'i32': i32, 'i64': i64, 'u8': u8, 'u16': u16, "
            + "'u32': u32, 'u64': u64, 'f32': f32, 'f64': f64, text: string, 'bytes': bytes, 'uuid': uuid, "
            + "big: bigint, 'decimal': decimal, 'date': date, 'time': time, instant: timestamp, 'duration': duration, "
            + "color: enum Color { BLUE, RED, 'gr-ün' }, 'any': any }", codec.schema().text().replace('"', '\''));
        Scalars value = new Scalars(true, (byte) -1, (short) -300, Integer.MIN_VALUE, Long.MAX_VALUE, (byte) 200,
            (short) 60_000, -1, -2L,
            1.5f, -0.0, "täxt 🎉", new byte[] {1, 2}, new UUID(1, 2), BigInteger.TEN.pow(40), new BigDecimal("1.00"),
            LocalDate.of(2024, 2, 29), LocalTime.MAX, Instant.ofEpochSecond(-5, 7), Duration.ofSeconds(-3, 1),
            Color.GREEN,
            Map.of("k", List.of(1L, 2.5, "x")));
        Scalars back = through(codec, value);
        assertEquals(value.text, back.text);
        assertArrayEquals(value.bytes, back.bytes);
        assertEquals(value.decimal, back.decimal);
        assertEquals(value.instant, back.instant);
        assertEquals(value.duration, back.duration);
        assertEquals(value.color, back.color);
        assertEquals(value.any, back.any);
        assertEquals(value.u64, back.u64);
        assertEquals(Double.doubleToRawLongBits(-0.0), Double.doubleToRawLongBits(back.f64));
    }

    @Test
    void boxesAndOptions() {
        Boxes boxes = new Boxes(true, (byte) 1, (short) 2, 3, 4L, -5, 6f, 7d);
        assertEquals(boxes, through(Pack.codec(Boxes.class), boxes));
        Codec<Options> codec = Pack.codec(Options.class);
        Options none = new Options(null, null, Optional.empty(), OptionalInt.empty(), OptionalLong.empty(),
            OptionalDouble.empty(), null,
            null, null, Optional.empty());
        assertEquals(none, through(codec, none));
        List<String> list = new ArrayList<>(List.of("a"));
        list.add(null);
        Options all = new Options("t", 1, Optional.of("s"), OptionalInt.of(2), OptionalLong.of(3),
            OptionalDouble.of(4), false,
            new int[] {5}, new byte[] {6}, Optional.of(list));
        Options back = through(codec, all);
        assertEquals(all.text, back.text);
        assertEquals(all.d, back.d);
        assertEquals(all.truth, back.truth);
        assertArrayEquals(all.ints, back.ints);
        assertArrayEquals(all.bytes, back.bytes);
        assertEquals(all.list, back.list);
        assertNull(through(Pack.codec(new TypeRef<@Nullable String>() {}), null));
    }

    @Test
    void everyContainer() {
        Codec<Containers> codec = Pack.codec(Containers.class);
        Map<UUID, List<Boolean>> nested = new LinkedHashMap<>();
        nested.put(new UUID(9, 9), List.of(true, false, true, true, true, false, false, true, true));
        Containers value = new Containers(List.of("c"), new ArrayList<>(List.of(1, 2)), new LinkedList<>(List.of(3L)),
            new ArrayDeque<>(List.of("d")), new TreeSet<>(Set.of("z", "a")), new TreeMap<>(Map.of(2, "b", 1, "a")),
            new HashMap<>(Map.of("h", 1)), new ConcurrentHashMap<>(Map.of("m", Color.RED)),
            EnumSet.of(Color.GREEN, Color.RED),
            new EnumMap<>(Map.of(Color.BLUE, 5)), new String[] {"s", "t"},
            new Hidden[] {new Hidden(1, List.of(new Hidden(2,
                List.of())))},
            new boolean[] {true, false, true}, new int[][] {{1}, {}, {2, 3}}, Set.of(-1L, 1L), nested);
        Containers back = through(codec, value);
        assertEquals(new ArrayList<>(value.collection), back.collection);
        assertEquals(value.linked, back.linked);
        assertEquals("d", back.deque.peek());
        assertEquals(value.sorted, back.sorted);
        assertEquals(value.tree, back.tree);
        assertEquals(value.many, back.many);
        assertEquals(value.colors, back.colors);
        assertEquals(value.counts, back.counts);
        assertArrayEquals(value.strings, back.strings);
        assertArrayEquals(value.hidden, back.hidden);
        assertArrayEquals(value.flags, back.flags);
        assertTrue(Arrays.deepEquals(value.matrix, back.matrix));
        assertEquals(List.of(1L, -1L), List.copyOf(back.unsigned), "unsigned order");
        assertEquals(value.nested, back.nested);
    }

    private static void made(Class<?> wanted, byte[] message, List<TypeRef<?>> declared) {
        for (TypeRef<?> type : declared) {
            assertEquals(wanted, Pack.codec(type).decode(message).getClass(), type::toString);
        }
    }

    @Test
    void whatIsMadeForInterfaces() {
        byte[] list = {(byte) 0x80, 1, 2};
        made(ArrayList.class, list, List.of(new TypeRef<Collection<Integer>>() {}, new TypeRef<List<Integer>>() {},
            new TypeRef<AbstractCollection<Integer>>() {}, new TypeRef<AbstractList<Integer>>() {}));
        made(ArrayDeque.class, list, List.of(new TypeRef<Queue<Integer>>() {}, new TypeRef<Deque<Integer>>() {}));
        made(LinkedHashSet.class, list,
            List.of(new TypeRef<Set<Integer>>() {}, new TypeRef<AbstractSet<Integer>>() {}));
        made(TreeSet.class, list,
            List.of(new TypeRef<SortedSet<Integer>>() {}, new TypeRef<NavigableSet<Integer>>() {}));
        byte[] map = {(byte) 0x80, 1, 2, 4};
        made(LinkedHashMap.class, map,
            List.of(new TypeRef<Map<Integer, Integer>>() {}, new TypeRef<AbstractMap<Integer, Integer>>() {}));
        made(TreeMap.class, map,
            List.of(new TypeRef<SortedMap<Integer, Integer>>() {}, new TypeRef<NavigableMap<Integer, Integer>>() {}));
        made(ConcurrentHashMap.class, map, List.of(new TypeRef<ConcurrentMap<Integer, Integer>>() {}));
        made(ConcurrentSkipListMap.class, map, List.of(new TypeRef<ConcurrentNavigableMap<Integer, Integer>>() {}));
    }

    @Test
    void longRowsOfBoxes() {
        List<Integer> numbers = new ArrayList<>();
        Map<Short, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < 1000; i++) {
            numbers.add(i * i * (i % 7 == 0 ? -1 : 1));
            map.put((short) (i - 500), i / 3.0);
        }
        assertEquals(numbers, through(Pack.codec(new TypeRef<List<Integer>>() {}), numbers));
        assertEquals(map, through(Pack.codec(new TypeRef<Map<Short, Double>>() {}), map));
    }

    @Test
    void genericRecords() {
        Codec<Pair<String, List<Integer>>> codec = Pack.codec(new TypeRef<Pair<String, List<Integer>>>() {});
        assertEquals("struct Pair { left: string, right: list<i32> }", codec.schema().text());
        Pair<String, List<Integer>> pair = new Pair<>("a", List.of(1, 2));
        assertEquals(pair, through(codec, pair));
        assertEquals("struct Pair_Pair_string_string_string { left: struct Pair_string_string { left: string, "
            + "right: string }, right: string }",
            Pack.codec(new TypeRef<Pair<Pair<String, String>, String>>() {}).schema().text());
        Codec<Maybe<String>> maybe = Pack.codec(new TypeRef<Maybe<String>>() {});
        assertEquals("struct Maybe { one: option<string>, more: list<option<string>> }", maybe.schema().text());
        Maybe<String> none = new Maybe<>(null, new ArrayList<>(Arrays.asList("a", null)));
        assertEquals(none, through(maybe, none));
    }

    @Test
    void tuplesAndUnions() {
        Codec<List<Point>> tuples = Pack.codec(new TypeRef<List<Point>>() {});
        assertEquals("list<tuple<i32, option<f64>>>", tuples.schema().text());
        assertEquals(List.of(new Point(1, null), new Point(2, 3.0)),
            through(tuples, List.of(new Point(1, null), new Point(2,
            3.0))));
        Codec<List<CompiledType>> unions = Pack.codec(new TypeRef<List<CompiledType>>() {});
        assertEquals("list<union { struct Circle { radius: f64 }, struct Nothing {}, struct Square { side: f64 }, "
            + "struct Triangle { a: f64, b: f64, c: f64 } }>", unions.schema().text());
        List<CompiledType> types = List.of(new Circle(1), new Nothing(), new Triangle(1, 2, 3), new Square(4));
        assertEquals(types, through(unions, types));
    }

    @Test
    void recursiveListsOfEveryLengthAreArrayLists() {
        Codec<Hidden> codec = Pack.codec(Hidden.class);
        List<Hidden> below = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            Hidden value = new Hidden(n, new ArrayList<>(below));
            Hidden back = through(codec, value);
            assertEquals(value, back);
            ArrayList<?> list = assertInstanceOf(ArrayList.class, back.more);
            list.add(null);
            assertEquals(n + 1, list.size());
            below.add(value);
        }
    }

    @Test
    void aMemberThatExtendsAnother() {
        Codec<List<Vehicle>> codec = Pack.codec(new TypeRef<List<Vehicle>>() {});
        assertEquals("list<union { struct Car { wheels: i32 }, struct Racer { wheels: i32, speed: i32 } }>",
            codec.schema().text());
        List<Vehicle> back = through(codec, List.of(new Racer(), new Car()));
        assertEquals(300, assertInstanceOf(Racer.class, back.get(0)).speed);
        assertEquals(Car.class, back.get(1).getClass());
    }

    @Test
    void classesByFieldsAndByConstructor() {
        Codec<Bean> beans = Pack.codec(Bean.class);
        assertEquals("struct Bean { id: string, count: i32, \"display name\": string }", beans.schema().text());
        Bean bean = new Bean();
        bean.id = "i";
        bean.count = 3;
        bean.name = "n";
        Bean back = through(beans, bean);
        assertEquals("i3n7", back.id + back.count + back.name + back.cached);
        Codec<Immutable> immutables = Pack.codec(Immutable.class);
        assertEquals("struct Immutable { name: string, values: list<i32> }", immutables.schema().text());
        Immutable made = through(immutables, new Immutable("x", new int[] {1, 2}));
        assertEquals("x", made.name);
        assertArrayEquals(new int[] {1, 2}, made.values);
    }

    @Test
    void sharedStructs() {
        Leaf leaf = new Leaf("shared");
        Node node = new Node("a", new Node("b", null, leaf), leaf);
        Node back = through(Pack.codec(Node.class), node);
        assertEquals(node, back);
        assertSame(back.leaf, back.next.leaf);
    }

    @Test
    void anysOfEveryKind() {
        Codec<Object> codec = Pack.codec(Object.class);
        assertEquals(5L, through(codec, (short) 5));
        assertEquals(1.5, through(codec, 1.5f));
        assertEquals(BigInteger.TWO.pow(64), through(codec, BigInteger.TWO.pow(64)));
        for (long value : new long[] {7, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertEquals(value, through(codec, BigInteger.valueOf(value)));
            assertArrayEquals(codec.encode(value), codec.encode(BigInteger.valueOf(value)));
        }
        assertArrayEquals(new int[] {1, -1}, (int[]) through(codec, new int[] {1, -1}));
        assertEquals(NumericArray.u16(new short[] {-1}), through(codec, NumericArray.u16(new short[] {-1})));
        assertEquals(List.of("x", List.of()), through(codec, new Object[] {"x", new Object[0]}));
        assertInstanceOf(LinkedHashMap.class, through(codec, Map.of(1, true)));
        refused(Code.TYPE_MISMATCH, () -> codec.encode(Map.of(1.5, 1)));
        assertEquals("$[1]", refused(Code.TYPE_MISMATCH, () -> codec.encode(List.of(1, new StringBuilder()))).path());
        List<Object> cycle = new ArrayList<>();
        cycle.add(cycle);
        refused(Code.LIMIT_DEPTH, () -> codec.encode(cycle));
    }

    @Test
    void whatTheConstructorRefuses() {
        record Same(int value) {}
        byte[] minus = Pack.builder(new TypeRef<List<Same>>() {}).check(false).build().encode(List.of(new Same(-1)));
        SamewireException error = refused(Code.TYPE_MISMATCH, () ->
            Pack.codec(new TypeRef<List<Positive>>() {}).decode(minus));
        assertInstanceOf(IllegalArgumentException.class, error.getCause());
        Codec<List<Checked>> refusing = Pack.codec(new TypeRef<List<Checked>>() {});
        SamewireException checked = refused(Code.TYPE_MISMATCH, () -> refusing.decode(minus));
        assertInstanceOf(IOException.class, checked.getCause());
    }

    @Test
    void typesWithoutSchema() {
        refused(Code.UNSUPPORTED, () -> Pack.codec(Thread.class));
        refused(Code.UNSUPPORTED, () -> Pack.codec(Runnable.class));
        refused(Code.UNSUPPORTED, () -> Pack.codec(new TypeRef<List<CharSequence>>() {}));
        SamewireException zoned = refused(Code.UNSUPPORTED, () -> Pack.codec(java.time.ZonedDateTime.class));
        assertTrue(zoned.getMessage().contains("use Instant"), zoned::getMessage);
        refused(Code.MISUSE, () -> Pack.codec(new TypeRef<Set<Double>>() {}));
        refused(Code.MISUSE, () -> Pack.codec(new TypeRef<Optional<Object>>() {}));
        refused(Code.MISUSE, () -> Pack.codec(Nothing.class));
        refused(Code.MISUSE, () -> Pack.codec(Pair.class));
        refused(Code.MISUSE, () -> new Renamed<String>() {});
        refused(Code.MISUSE, () -> Pack.codec(Twice.class));
        refused(Code.MISUSE, () -> Pack.codec(Loop.class));
        assertTrue(refused(Code.MISUSE, () -> Pack.codec(Inner.class)).text().endsWith("make it static"));
        class Local {
            int field;
        }
        assertTrue(refused(Code.MISUSE, () -> Pack.codec(Local.class)).text().endsWith("declare it outside"));
        refused(Code.MISUSE, () -> Pack.codec(new TypeRef<List<@Unsigned String>>() {}));
    }
}
