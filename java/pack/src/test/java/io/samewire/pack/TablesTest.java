package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.TableMessages.Table;
import io.samewire.pack.columns.BoolColumn;
import io.samewire.pack.columns.Column;
import io.samewire.pack.columns.DoubleColumn;
import io.samewire.pack.columns.EnumColumn;
import io.samewire.pack.columns.InstantColumn;
import io.samewire.pack.columns.IntColumn;
import io.samewire.pack.columns.ListColumn;
import io.samewire.pack.columns.LongColumn;
import io.samewire.pack.columns.MapColumn;
import io.samewire.pack.columns.StructColumn;
import io.samewire.pack.columns.TextColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages as columns ({@code spec/tables.md} section 6): the values and errors of decoding. */
class TablesTest {
    enum Suit { CLUBS, DIAMONDS, HEARTS, SPADES }

    record Point(int x, @Nullable Double y) {}

    @Tuple
    record Pair(byte left, String right) {}

    record Numbers(byte a, @Unsigned byte b, short c, @Unsigned short d, int e, @Unsigned int f, long g,
        @Unsigned long h, float i, double j, boolean k, BigInteger l, BigDecimal m) {}

    record Options(@Nullable Byte a, @Nullable Short b, @Nullable Integer c, @Nullable Long d, @Nullable Float e,
        @Nullable Double f, @Nullable Boolean g, @Nullable BigInteger h, @Nullable BigDecimal i, @Nullable String j,
        @Nullable byte[] k, @Nullable UUID l, @Nullable LocalDate m, @Nullable LocalTime n, @Nullable Instant o,
        @Nullable Duration p, @Nullable Suit q, @Nullable Point r, Optional<Pair> s, @Nullable List<Integer> t,
        @Nullable Set<String> u, @Nullable Map<String, Point> v) {}

    record Scalars(String a, byte[] b, UUID c, LocalDate d, LocalTime e, Instant f, Duration g, Suit h, Object i) {}

    record Nested(Point at, Pair pair, List<Long> runs, List<Point> points, Map<Integer, Point> by, Set<UUID> ids,
        List<List<String>> texts, Tree tree) {}

    record Tree(String name, List<Tree> kids) {}

    record Row<T>(T v) {}

    static final class Before {
        record Book(int a, boolean gone) {}
    }

    static final class After {
        record Book(long a) {}
    }

    private static final int ROWS = 100;

    /** Rows in both profiles, and what decodes them. */
    private static <T> List<Table> both(TypeRef<List<T>> type, IntFunction<T> row, int rows) {
        return both(type, row, rows, Limits.DEFAULT);
    }

    private static <T> List<Table> both(TypeRef<List<T>> type, IntFunction<T> row, int rows, Limits limits) {
        List<T> values = IntStream.range(0, rows).mapToObj(row).toList();
        List<Table> tables = new ArrayList<>();
        for (Profile profile : Profile.values()) {
            Codec<List<T>> codec = Pack.builder(type).profile(profile).build();
            Decoder<Object> decoder = Pack.decoder(codec.schema().text(), limits);
            tables.add(new Table(profile.toString(), decoder, codec.encode(values)));
        }
        return tables;
    }

    /** Tables of all types, of few rows and of as many as make columns. */
    private static List<Table> allTypes(Limits limits) {
        List<Table> tables = new ArrayList<>();
        for (int rows : new int[] {0, 1, 3, ROWS}) {
            tables.addAll(both(new TypeRef<>() {}, TablesTest::numbers, rows, limits));
            tables.addAll(both(new TypeRef<>() {}, TablesTest::options, rows, limits));
            tables.addAll(both(new TypeRef<>() {}, TablesTest::scalars, rows, limits));
            tables.addAll(both(new TypeRef<>() {}, TablesTest::nested, rows, limits));
        }
        return tables;
    }

    private static Numbers numbers(int i) {
        long mixed = i * 0x9e37_79b9_7f4a_7c15L;
        return new Numbers((byte) mixed, (byte) mixed, (short) mixed, (short) mixed, (int) mixed, (int) mixed, mixed,
            mixed, i / 3f, i % 7 / 4d, i % 3 == 0, BigInteger.valueOf(mixed).pow(i % 3),
            BigDecimal.valueOf(mixed, i % 9));
    }

    private static Options options(int i) {
        if (i % 3 == 1) {
            return new Options(null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, Optional.empty(), null, null, null);
        }
        Numbers n = numbers(i);
        Scalars s = scalars(i);
        Nested d = nested(i);
        return new Options(n.a, n.c, n.e, n.g, n.i, n.j, n.k, n.l, n.m, s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, d.at,
            Optional.of(d.pair), List.of(i), new TreeSet<>(Set.of("k" + i, "l")), Map.of("m" + i, d.at));
    }

    private static Scalars scalars(int i) {
        return new Scalars("text " + i % 9, new byte[i % 4], new UUID(i, ~i), LocalDate.ofEpochDay(i * 31L),
            LocalTime.ofNanoOfDay(i * 1_000_003L), Instant.ofEpochSecond(-5, i * 1_000_000L), Duration.ofNanos(i - 50),
            Suit.values()[i % 4], i % 2 == 0 ? (Object) "any" : (Object) (long) i);
    }

    private static Nested nested(int i) {
        Point at = new Point(i, i % 2 == 0 ? null : i / 2d);
        Map<Integer, Point> by = new LinkedHashMap<>();
        IntStream.range(0, i % 3 == 0 ? 70 : i % 4).forEach(k -> by.put(k, at));
        return new Nested(at, new Pair((byte) i, "p" + i % 5), Collections.nCopies(i % 20, (long) i),
            Collections.nCopies(i % 5 == 0 ? 80 : i % 3, at), by, new TreeSet<>(Set.of(new UUID(1, i))),
            List.of(Collections.nCopies(i % 3, "t" + i), List.of()),
            new Tree("root", List.of(new Tree("leaf", List.of()))));
    }

    private static Limits limits(int cells) {
        Limits d = Limits.DEFAULT;
        return new Limits(d.depth(), d.frameBytes(), d.textBytes(), d.items(), cells, d.bufferedBytes());
    }

    private static Object columns(Table table, byte[] message) {
        return TableMessages.outcome(() -> List.of(table.decoder().columns(message).toArray()));
    }

    private static Object decoded(Table table, byte[] message) {
        return TableMessages.outcome(() -> table.decoder().decode(message));
    }

    @Test
    void columnsHaveTheValuesOfDecoding() throws Exception {
        for (Table table : allTypes(Limits.DEFAULT)) {
            assertEquals(decoded(table, table.message()), columns(table, table.message()), table.name());
        }
        List<Table> vectors = TableMessages.ofVectors(Limits.DEFAULT);
        for (Table table : vectors) {
            assertEquals(decoded(table, table.message()), columns(table, table.message()), table.name());
        }
        assertTrue(vectors.size() > 500, vectors.size() + " tables");
    }

    @Test
    void refusesWhatTheVectorsRejectAsDecodingDoes() throws Exception {
        int refused = 0;
        for (JsonNode vector : TableMessages.cases()) {
            if (!vector.path("kind").asText().equals("rejected") || vector.has("limits")) {
                continue;
            }
            Decoder<Object> decoder = Pack.decoder(vector.get("schema").asText(), Limits.DEFAULT);
            byte[] message = HexFormat.of().parseHex(vector.get("hex").asText());
            Object found = TableMessages.outcome(() -> decoder.columns(message));
            if (!found.equals("unsupported -1 $")) {
                assertEquals(TableMessages.outcome(() -> decoder.decode(message)), found, vector.path("name").asText());
                refused++;
            }
        }
        assertTrue(refused > 30, refused + " refused");
    }

    @Test
    void acceptsAndRefusesChangedMessagesAsDecodingDoes() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        Mutator mutator = new Mutator(random);
        // What a false count may make is bounded, so that the test does not take a gigabyte.
        List<Table> tables = new ArrayList<>(TableMessages.ofVectors(limits(20_000)));
        tables.addAll(allTypes(limits(20_000)));
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < 8_000; i++) {
            Table table = tables.get(random.nextInt(tables.size()));
            byte[] other = tables.get(random.nextInt(tables.size())).message();
            byte[] message = mutator.mutated(table.message(), other);
            Object expected = decoded(table, message);
            Object found = columns(table, message);
            // The nulls of structs take more room in columns.
            if (!(found instanceof String text && text.startsWith("limit_items "))) {
                assertEquals(expected, found, () -> table.name() + " " + table.decoder().schema().text() + " "
                    + HexFormat.of().formatHex(message));
            }
            if (expected instanceof String) {
                refused++;
            } else {
                accepted++;
            }
        }
        assertTrue(accepted > 100 && refused > 1_000, accepted + " accepted, " + refused + " refused");
    }

    @Test
    void nullsStandAsZeroAndTheirValidityIsFalse() {
        for (Table table : both(new TypeRef<>() {}, TablesTest::options, ROWS)) {
            StructColumn columns = table.decoder().columns(table.message());
            for (Column column : columns.columns().values()) {
                assertEquals(ROWS, column.validity().length, column.kind());
                assertTrue(column.validity()[0] && !column.validity()[1], column.kind());
                assertNull(column.get(1));
            }
            assertEquals(0, columns.column("c", IntColumn.class).values()[1]);
            assertTrue(Double.isNaN(columns.column("f", DoubleColumn.class).values()[1]));
            assertEquals(-1, columns.column("q", EnumColumn.class).codes()[1]);
            assertTrue(Double.isNaN(columns.column("o", InstantColumn.class).toMilliseconds()[1]));
            StructColumn points = columns.column("r", StructColumn.class);
            assertEquals(0, points.column("x", IntColumn.class).values()[1]);
            ListColumn lists = columns.column("t", ListColumn.class);
            assertEquals(lists.offsets()[1], lists.offsets()[2]);
        }
    }

    @Test
    void textsOfADictionaryHaveCodes() {
        List<String> sides = List.of("buy", "sell");
        List<Table> tables = both(new TypeRef<List<Row<String>>>() {}, i -> new Row<>(sides.get(i % 2)), ROWS);
        TextColumn compact = tables.get(Profile.COMPACT.ordinal()).decoder()
            .columns(tables.get(Profile.COMPACT.ordinal()).message()).column("v", TextColumn.class);
        assertArrayEquals(new String[] {"buy", "sell"}, compact.values());
        assertArrayEquals(IntStream.range(0, ROWS).map(i -> i % 2).toArray(), compact.codes());
        Table fast = tables.get(Profile.FAST.ordinal());
        TextColumn plain = fast.decoder().columns(fast.message()).column("v", TextColumn.class);
        assertNull(plain.codes());
        assertEquals(ROWS, plain.values().length);
        assertEquals("sell", plain.get(3));
    }

    @Test
    void instantsAreNumbersOfTheCoarsestUnit() {
        Instant far = Instant.parse("9999-12-31T23:59:59.000000001Z");
        check(ChronoUnit.SECONDS, List.of(Instant.EPOCH, Instant.ofEpochSecond(-1)), 0, -1);
        check(ChronoUnit.MILLIS, List.of(Instant.ofEpochSecond(1), Instant.ofEpochMilli(500)), 1_000, 500);
        check(ChronoUnit.MICROS, List.of(Instant.ofEpochSecond(0, -1_000), Instant.ofEpochSecond(1)), -1, 1_000_000);
        check(ChronoUnit.NANOS, List.of(Instant.ofEpochSecond(0, 1), Instant.ofEpochSecond(0, -1)), 1, -1);
        check(ChronoUnit.SECONDS, List.of(far, Instant.ofEpochSecond(0, -1)), far.getEpochSecond(), -1);
    }

    private static void check(ChronoUnit unit, List<Instant> times, long... values) {
        for (Table table : both(new TypeRef<List<Row<Instant>>>() {}, i -> new Row<>(times.get(i % 2)), ROWS)) {
            InstantColumn column = table.decoder().columns(table.message()).column("v", InstantColumn.class);
            assertEquals(unit, column.unit());
            assertArrayEquals(IntStream.range(0, ROWS).mapToLong(i -> values[i % 2]).toArray(), column.values());
            boolean whole = times.get(0).getNano() % unit.getDuration().toNanos() == 0;
            assertEquals(whole, column.nanoseconds() == null);
            for (int i = 0; i < 2; i++) {
                assertEquals(times.get(i), column.get(i));
                double expected = times.get(i).getEpochSecond() * 1e3 + times.get(i).getNano() / 1e6;
                assertEquals(expected, column.toMilliseconds()[i], 1e-6);
            }
        }
    }

    @Test
    void columnsOfOneFieldComeTogether() {
        List<List<Row<Instant>>> lists = List.of(instants(64, 1_000), instants(64, 1), instants(1, 1), instants(64, 1));
        for (Table table : both(new TypeRef<List<Row<List<Row<Instant>>>>>() {}, i -> new Row<>(lists.get(i)), 4)) {
            assertEquals(decoded(table, table.message()), columns(table, table.message()));
        }
        List<List<Row<String>>> texts = List.of(texts(1, 1), texts(70, 3), texts(70, 70), texts(2, 2), texts(64, 1));
        for (Table table : both(new TypeRef<List<Row<List<Row<String>>>>>() {}, i -> new Row<>(texts.get(i)), 5)) {
            assertEquals(decoded(table, table.message()), columns(table, table.message()));
        }
    }

    private static List<Row<Instant>> instants(int n, int nanos) {
        return Collections.nCopies(n, new Row<>(Instant.ofEpochSecond(n, nanos)));
    }

    private static List<Row<String>> texts(int n, int distinct) {
        return IntStream.range(0, n).mapToObj(i -> new Row<>("text " + i % distinct)).toList();
    }

    @Test
    void nestedTypesAreColumnsOfColumns() {
        for (Table table : both(new TypeRef<>() {}, TablesTest::nested, ROWS)) {
            StructColumn columns = table.decoder().columns(table.message());
            assertEquals(List.of("at", "pair", "runs", "points", "by", "ids", "texts", "tree"),
                List.copyOf(columns.columns().keySet()));
            assertEquals(7, columns.column("at", StructColumn.class).column("x", IntColumn.class).values()[7]);
            ListColumn runs = columns.column("runs", ListColumn.class);
            assertEquals(ROWS + 1, runs.offsets().length);
            assertEquals(runs.offsets()[ROWS], ((LongColumn) runs.child()).values().length);
            MapColumn by = columns.column("by", MapColumn.class);
            assertEquals(69, by.keys().get(by.offsets()[1] - 1));
            assertEquals("recursive", columns.column("tree").kind());
        }
    }

    @Test
    void aCodecAndAResolvingDecoderHaveTheColumnsOfTheMessage() {
        Codec<List<Before.Book>> old = Pack.builder(new TypeRef<List<Before.Book>>() {}).build();
        byte[] message = old.encode(List.of(new Before.Book(1, true), new Before.Book(2, false)));
        Codec<List<After.Book>> reader = Pack.builder(new TypeRef<List<After.Book>>() {}).build();
        for (Decoder<?> decoder : List.of(old, reader.resolve(old.schema().text()))) {
            StructColumn columns = decoder.columns(message);
            assertArrayEquals(new boolean[] {true, false}, columns.column("gone", BoolColumn.class).values());
            assertArrayEquals(new int[] {1, 2}, columns.column("a", IntColumn.class).values());
        }
        byte[] padded = new byte[message.length + 5];
        System.arraycopy(message, 0, padded, 3, message.length);
        assertEquals(2, old.columns(padded, 3, message.length + 3).length());
        assertThrows(SamewireException.class, () -> old.columns(padded, 3, 2));
    }

    @Test
    void nullStructsHaveTheRoomThatTheLimitAllows() {
        Limits few = limits(40_000);
        for (Profile profile : Profile.values()) {
            Codec<List<Row<Optional<Options>>>> codec =
                Pack.builder(new TypeRef<List<Row<Optional<Options>>>>() {}).profile(profile).build();
            byte[] message = codec.encode(Collections.nCopies(3_000, new Row<>(Optional.empty())));
            Decoder<Object> decoder = Pack.decoder(codec.schema().text(), few);
            assertEquals(3_000, ((List<?>) decoder.decode(message)).size());
            SamewireException error = assertThrows(SamewireException.class, () -> decoder.columns(message));
            assertEquals(Code.LIMIT_ITEMS, error.code());
            assertEquals("$[].v", error.path());
            assertEquals(3_000, codec.columns(message).length());
        }
    }

    @Test
    void refusesTypesThatAreNoTable() {
        for (String schema : List.of("i32", "list<i32>", "set<string>", "struct S { a: i8 }", "list<tuple<i8>>",
            "list<struct T { kids: list<T> }>")) {
            Decoder<Object> decoder = Pack.decoder(schema, Limits.DEFAULT);
            SamewireException error = assertThrows(SamewireException.class, () -> decoder.columns(new byte[0]), schema);
            assertEquals(Code.UNSUPPORTED, error.code());
        }
    }

    @Test
    void saysWhatColumnThereIsNot() {
        Codec<List<Point>> codec = Pack.builder(new TypeRef<List<Point>>() {}).build();
        StructColumn columns = codec.columns(codec.encode(List.of(new Point(1, null))));
        misuse("x, y", () -> columns.column("z"));
        misuse("IntColumn", () -> columns.column("x", DoubleColumn.class));
        misuse("value 1", () -> columns.get(1));
        misuse("value -1", () -> columns.column("x").get(-1));
    }

    private static void misuse(String part, Runnable run) {
        SamewireException error = assertThrows(SamewireException.class, run::run);
        assertEquals(Code.MISUSE, error.code());
        assertTrue(error.getMessage().contains(part), error.getMessage());
    }
}
