package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the program's own code throws while a message is decoded has the path of the value that it threw for. */
class NativePathsTest {
    /** What is written: types that accept everything. */
    record Line(String sku, long price, int count) {}

    @Tuple
    record Pair(String name, Line line) {}

    sealed interface Part permits Whole, Half {}

    record Whole(long price) implements Part {}

    record Half(List<Line> lines) implements Part {}

    record Order(String id, long price, List<Line> lines, Map<Long, Line> named, @Nullable Line maybe,
        Optional<Long> perhaps, List<Long> numbers, List<@Nullable Long> gaps, List<List<Line>> deep, Set<Long> set,
        Map<String, Long> amounts, Line[] array, Pair pair, Deque<Long> queue, Part part, @Shared Line shared) {}

    /** What is read: the same, by code that refuses a price of 13 and a count below zero. */
    static final class Own {
        record Money(long cents) {}

        static final class Cents implements Converter<Money, Long> {
            @Override
            public Long encode(Money value) {
                return value.cents;
            }

            @Override
            public Money decode(Long wire) {
                if (wire == 13) {
                    throw new IllegalStateException("an unlucky price");
                }
                return new Money(wire);
            }
        }

        record Line(String sku, @As(Cents.class) Money price, int count) {
            Line {
                if (count < 0) {
                    throw new IllegalArgumentException("a count of " + count);
                }
            }
        }

        @Tuple
        record Pair(String name, Line line) {}

        sealed interface Part permits Whole, Half {}

        record Whole(@As(Cents.class) Money price) implements Part {}

        record Half(List<Line> lines) implements Part {}

        record Order(String id, @As(Cents.class) Money price, List<Line> lines,
            Map<@As(Cents.class) Money, Line> named, @Nullable Line maybe, Optional<@As(Cents.class) Money> perhaps,
            List<@As(Cents.class) Money> numbers, List<@Nullable @As(Cents.class) Money> gaps, List<List<Line>> deep,
            Set<@As(Cents.class) Money> set, Map<String, @As(Cents.class) Money> amounts, Line[] array, Pair pair,
            Deque<@As(Cents.class) Money> queue, Part part, @Shared Line shared) {}

    }

    private static final Line GOOD = new Line("a", 5, 1);
    private static final Line DEAR = new Line("b", 13, 1);
    private static final Line NONE = new Line("c", 5, -1);

    private record Case(String path, UnaryOperator<Order> change) {}

    private static Order order(int i) {
        Map<Long, Line> named = new LinkedHashMap<>();
        Map<String, Long> amounts = new LinkedHashMap<>();
        for (long k = 0; k < i % 4; k++) {
            named.put(k, GOOD);
            amounts.put("k" + k, k);
        }
        List<Line> lines = Collections.nCopies(i % 5, GOOD);
        return new Order("o" + i, i + 100, lines, named, i % 3 == 0 ? null : GOOD,
            i % 2 == 0 ? Optional.empty() : Optional.of(1L), List.of(1L, 2L), Arrays.asList(1L, null),
            List.of(lines, List.of(), lines), Set.of(), amounts, lines.toArray(new Line[0]), new Pair("p", GOOD),
            new ArrayDeque<>(), i % 2 == 0 ? new Whole(1) : new Half(lines), GOOD);
    }

    private static List<Case> cases() {
        Map<Long, Line> keyed = new LinkedHashMap<>(Map.of(12L, GOOD));
        keyed.put(13L, GOOD);
        Map<Long, Line> valued = new LinkedHashMap<>(Map.of(1L, GOOD));
        valued.put(2L, GOOD);
        valued.put(3L, NONE);
        return List.of(
            new Case(".price", o -> with(o, 1, 13L)),
            new Case(".lines[2]", o -> with(o, 2, List.of(GOOD, GOOD, NONE))),
            new Case(".lines[1].price", o -> with(o, 2, List.of(GOOD, DEAR, NONE))),
            new Case(".named[1].key", o -> with(o, 3, keyed)),
            new Case(".named[2].value", o -> with(o, 3, valued)),
            new Case(".maybe", o -> with(o, 4, NONE)),
            new Case(".maybe.price", o -> with(o, 4, DEAR)),
            new Case(".perhaps", o -> with(o, 5, Optional.of(13L))),
            new Case(".numbers[3]", o -> with(o, 6, List.of(1L, 2L, 3L, 13L))),
            new Case(".gaps[2]", o -> with(o, 7, Arrays.asList(null, 1L, 13L))),
            new Case(".deep[2][1].price", o -> with(o, 8, List.of(List.of(), List.of(GOOD), List.of(GOOD, DEAR)))),
            new Case(".set[1]", o -> with(o, 9, new LinkedHashSet<>(List.of(1L, 13L)))),
            new Case(".amounts[1].value", o -> with(o, 10, new TreeMap<>(Map.of("a", 1L, "b", 13L)))),
            new Case(".array[1]", o -> with(o, 11, new Line[] {GOOD, NONE})),
            new Case(".pair[1].price", o -> with(o, 12, new Pair("p", DEAR))),
            new Case(".queue[0]", o -> with(o, 13, new ArrayDeque<>(List.of(13L)))),
            new Case(".part.price", o -> with(o, 14, new Whole(13))),
            new Case(".part.lines[1]", o -> with(o, 14, new Half(List.of(GOOD, NONE)))),
            new Case(".shared.price", o -> with(o, 15, DEAR)));
    }

    private static Order with(Order order, int component, Object value) {
        try {
            Object[] values = new Object[16];
            Class<?>[] types = new Class<?>[16];
            for (int i = 0; i < values.length; i++) {
                var each = Order.class.getRecordComponents()[i];
                types[i] = each.getType();
                values[i] = i == component ? value : each.getAccessor().invoke(order);
            }
            return Order.class.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException failed) {
            throw new AssertionError(failed);
        }
    }

    record Orders(List<Order> orders) {}

    @Name("Orders")
    record OwnOrders(List<Own.Order> orders) {}

    private static SamewireException refused(Decoder<?> decoder, byte[] message) {
        SamewireException error = assertThrows(SamewireException.class, () -> decoder.decode(message));
        assertEquals(Code.TYPE_MISMATCH, error.code(), error.getMessage());
        return error;
    }

    @TestFactory
    Stream<DynamicTest> namesTheValue() {
        Codec<OwnOrders> reader = Pack.codec(OwnOrders.class);
        return cases().stream().map(one -> DynamicTest.dynamicTest(one.path, () -> {
            for (Profile profile : Profile.values()) {
                Codec<Orders> writer = Pack.builder(Orders.class).profile(profile).build();
                for (int n : new int[] {6, 80}) {
                    List<Order> orders = new ArrayList<>();
                    for (int i = 0; i < n; i++) {
                        orders.add(i == n - 3 ? one.change.apply(order(i)) : order(i));
                    }
                    SamewireException error = refused(reader, writer.encode(new Orders(orders)));
                    assertEquals("$.orders[" + (n - 3) + "]" + one.path, error.path(), profile + " of " + n);
                    String thrown = error.getCause() instanceof IllegalStateException
                        ? "java.lang.IllegalStateException: an unlucky price"
                        : "java.lang.IllegalArgumentException: a count of -1";
                    assertEquals("type_mismatch in " + error.path() + ": the native type does not accept the value: "
                        + thrown, error.getMessage());
                }
            }
        }));
    }

    @Test
    void namesTheFirst() {
        Codec<List<Own.Line>> reader = Pack.codec(new TypeRef<List<Own.Line>>() {});
        List<Line> lines = new ArrayList<>(Collections.nCopies(100, GOOD));
        lines.set(40, NONE);
        lines.set(60, DEAR);
        for (Profile profile : Profile.values()) {
            Codec<List<Line>> writer = Pack.builder(new TypeRef<List<Line>>() {}).profile(profile).build();
            assertEquals("$[40]", refused(reader, writer.encode(lines)).path());
        }
        Codec<Own.Line> one = Pack.codec(Own.Line.class);
        assertEquals("$", refused(one, Pack.codec(Line.class).encode(NONE)).path());
        assertEquals("$.price", refused(one, Pack.codec(Line.class).encode(DEAR)).path());
    }

    @Name("Order")
    record Older(String id, @Nullable Long price, List<Line> lines) {}

    @Name("Order")
    record Newer(@Default("13") Own.@As(Own.Cents.class) Money price, List<Own.Line> lines) {}

    @Test
    void namesTheReadersFieldOfOtherWriters() {
        List<Older> orders = new ArrayList<>(Collections.nCopies(70, new Older("a", 1L, List.of(GOOD))));
        orders.set(66, new Older("b", 13L, List.of()));
        List<Older> nulls = new ArrayList<>(Collections.nCopies(70, new Older("a", 1L, List.of(GOOD))));
        nulls.set(65, new Older("b", null, List.of()));
        for (Profile profile : Profile.values()) {
            Codec<List<Older>> writer = Pack.builder(new TypeRef<List<Older>>() {}).profile(profile).build();
            Decoder<List<Newer>> reader =
                Pack.codec(new TypeRef<List<Newer>>() {}).resolve(writer.schema().text());
            assertEquals("$[66].price", refused(reader, writer.encode(orders)).path());
            assertEquals("$[65].price", refused(reader, writer.encode(nulls)).path());
        }
    }

    record Tree(String name, int size, List<Tree> children) {}

    @Name("Tree")
    record OwnTree(String name, int size, List<OwnTree> children) {
        OwnTree {
            if (size < 0) {
                throw new IllegalArgumentException("a size of " + size);
            }
        }
    }

    @Test
    void namesAnInnerNodeOfATree() {
        Tree bad = new Tree("d", -1, List.of());
        Tree tree = new Tree("a", 1, List.of(new Tree("b", 1, List.of()), new Tree("c", 1, List.of(bad))));
        assertEquals("$.children[1].children[0]",
            refused(Pack.codec(OwnTree.class), Pack.codec(Tree.class).encode(tree)).path());
    }

    record Counts(List<Map<Long, Integer>> counts) {}

    @Name("Counts")
    record Parity(List<Map<@As(Even.class) Boolean, Integer>> counts) {}

    static final class Even implements Converter<Boolean, Long> {
        @Override
        public Long encode(Boolean value) {
            return value ? 0L : 1L;
        }

        @Override
        public Boolean decode(Long wire) {
            return wire % 2 == 0;
        }
    }

    @Test
    void namesTheMapWhoseKeysBecomeTheSame() {
        byte[] data = Pack.codec(Counts.class).encode(new Counts(List.of(Map.of(1L, 1, 2L, 2), Map.of(2L, 1, 4L, 2))));
        SamewireException error = refused(Pack.codec(Parity.class), data);
        assertEquals("$.counts[1]", error.path());
        assertEquals("a native collection treats two keys as equal, or the bytes changed meanwhile", error.text());
    }

    @Test
    void keepsWhatWasThrown() {
        IllegalStateException thrown = new IllegalStateException("own");
        Codec<List<Own.Money>> codec = Pack.builder(new TypeRef<List<Own.Money>>() {})
            .converter(Own.Money.class, Long.class, Own.Money::cents, wire -> {
                throw thrown;
            }).build();
        SamewireException error = refused(codec, codec.encode(List.of(new Own.Money(1))));
        assertSame(thrown, error.getCause());
        assertInstanceOf(IllegalStateException.class, error.getCause());
        assertEquals("$[0]", error.path());
    }
}
