package io.samewire.pack.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.Codec;
import io.samewire.pack.Decoder;
import io.samewire.pack.Pack;
import io.samewire.pack.Profile;
import io.samewire.pack.TypeRef;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;

/** Tables of columns: those that Python makes of the same message. */
class ArrowTableTest {
    record Point(int x, Optional<String> label) {}

    record Times(Instant at, Duration took) {}

    record Numbers(BigInteger whole, BigDecimal exact) {}

    record Anything(Object value) {}

    record Tree(List<Tree> kids) {}

    record Held(Tree tree) {}

    private static JsonNode sample() throws IOException {
        try (InputStream in = ArrowTableTest.class.getResourceAsStream("/sample.json")) {
            return new ObjectMapper().readTree(in);
        }
    }

    private static byte[] hex(JsonNode stored, String name) {
        return HexFormat.of().parseHex(stored.get(name).textValue());
    }

    /** The fields, without the numbers of dictionaries, which writers choose. */
    private static String shape(Field field) {
        DictionaryEncoding encoding = field.getDictionary();
        String dictionary = encoding == null ? "" : " of " + encoding.getIndexType() + " " + encoding.isOrdered();
        List<String> children = field.getChildren().stream().map(ArrowTableTest::shape).toList();
        // In a table of Java's, and in a stream that it reads, an encoded field has the type of its index.
        return field.getName() + ": " + field.getType() + dictionary + (field.isNullable() ? "?" : "") + children
            + new java.util.TreeMap<>(field.getMetadata());
    }

    private static List<String> shapes(VectorSchemaRoot root) {
        return root.getSchema().getFields().stream().map(ArrowTableTest::shape).toList();
    }

    /** The values of a table as a stream carries it. */
    private static List<String> carried(byte[] stream, BufferAllocator allocator) throws IOException {
        List<String> found = new ArrayList<>();
        try (ArrowStreamReader reader = new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            found.addAll(shapes(root));
            while (reader.loadNextBatch()) {
                for (FieldVector vector : root.getFieldVectors()) {
                    found.add(vector.getName() + ": " + values(vector, reader));
                }
            }
        }
        return found;
    }

    private static List<String> values(FieldVector vector, ArrowStreamReader reader) throws IOException {
        List<String> values = new ArrayList<>();
        DictionaryEncoding encoding = vector.getField().getDictionary();
        if (encoding != null) {
            try (var decoded = DictionaryEncoder.decode(vector, reader.lookup(encoding.getId()))) {
                for (int i = 0; i < decoded.getValueCount(); i++) {
                    values.add(String.valueOf(decoded.getObject(i)));
                }
            }
            return values;
        }
        for (int i = 0; i < vector.getValueCount(); i++) {
            Object value = vector.getObject(i);
            values.add(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value));
        }
        return values;
    }

    private static byte[] stream(ArrowTable table) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ArrowStreamWriter writer = new ArrowStreamWriter(table.root(), table.dictionaries(), out)) {
            writer.writeBatch();
        }
        return out.toByteArray();
    }

    @Test
    void tablesAreThoseOfPython() throws IOException {
        JsonNode stored = sample();
        Decoder<Object> decoder = Pack.decoder(stored.get("schema").textValue(), Limits.DEFAULT);
        try (BufferAllocator allocator = new RootAllocator()) {
            List<String> expected = carried(hex(stored, "table"), allocator);
            for (String profile : List.of("compact", "fast")) {
                try (ArrowTable table = ArrowTable.of(decoder.columns(hex(stored, profile)), allocator)) {
                    assertEquals(90, table.root().getRowCount());
                    List<String> found = carried(stream(table), allocator);
                    for (int i = 0; i < expected.size(); i++) {
                        assertEquals(expected.get(i), found.get(i));
                    }
                    assertEquals(expected.size(), found.size());
                }
            }
        }
    }

    @Test
    void emptyTablesHaveTheirFields() throws IOException {
        JsonNode stored = sample();
        Decoder<Object> decoder = Pack.decoder(stored.get("schema").textValue(), Limits.DEFAULT);
        byte[] none = {(byte) 0x80, 0};
        try (BufferAllocator allocator = new RootAllocator();
            ArrowTable table = ArrowTable.of(decoder.columns(none), allocator);
            ArrowTable full = ArrowTable.of(decoder.columns(hex(stored, "fast")), allocator)) {
            assertEquals(0, table.root().getRowCount());
            assertEquals(shapes(full.root()), shapes(table.root()));
            assertEquals(shapes(full.root()).size(), carried(stream(table), allocator).size() / 2);
        }
    }

    @Test
    void timesAreInTheUnitAskedFor() {
        Codec<List<Times>> codec = Pack.codec(new TypeRef<>() {});
        byte[] fine = codec.encode(List.of(new Times(Instant.ofEpochSecond(-1, 5), Duration.ofNanos(-7))));
        try (BufferAllocator allocator = new RootAllocator()) {
            try (ArrowTable table = ArrowTable.of(codec.columns(fine), allocator, TimeUnit.NANOSECOND)) {
                assertEquals(-999_999_995, ((TimeStampVector) table.root().getVector("at")).get(0));
                assertEquals(Duration.ofNanos(-7), table.root().getVector("took").getObject(0));
            }
            // The first and the last that there are.
            List<Times> ends = List.of(
                new Times(Instant.ofEpochSecond(0, Long.MIN_VALUE), Duration.ofNanos(Long.MIN_VALUE)),
                new Times(Instant.ofEpochSecond(0, Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE)));
            try (ArrowTable table = ArrowTable.of(codec.columns(codec.encode(ends)), allocator, TimeUnit.NANOSECOND)) {
                assertEquals(Long.MIN_VALUE, ((TimeStampVector) table.root().getVector("at")).get(0));
                assertEquals(Long.MAX_VALUE, ((TimeStampVector) table.root().getVector("at")).get(1));
                assertEquals(Duration.ofNanos(Long.MIN_VALUE), table.root().getVector("took").getObject(0));
            }
            refused(Code.TYPE_MISMATCH, "$[].at", () -> ArrowTable.of(codec.columns(fine), allocator));
            byte[] late = codec.encode(List.of(new Times(Instant.parse("3000-01-01T00:00:00Z"), Duration.ZERO)));
            refused(Code.TYPE_MISMATCH, "$[].at",
                () -> ArrowTable.of(codec.columns(late), allocator, TimeUnit.NANOSECOND));
            refused(Code.MISUSE, null, () -> ArrowTable.of(codec.columns(late), allocator, TimeUnit.SECOND));
        }
    }

    @Test
    void numbersThatNoColumnHoldsAreRefused() {
        Codec<List<Numbers>> codec = Pack.codec(new TypeRef<>() {});
        BigInteger most = BigInteger.TEN.pow(38).subtract(BigInteger.ONE);
        Map<Numbers, String> cases = Map.of(
            new Numbers(most, new BigDecimal(most, 18)), "",
            new Numbers(most.negate(), new BigDecimal("1E+19")), "",
            new Numbers(most.add(BigInteger.ONE), BigDecimal.ZERO), "$[].whole",
            new Numbers(BigInteger.ONE, new BigDecimal("1E-19")), "$[].exact",
            new Numbers(BigInteger.ONE, new BigDecimal("1E+20")), "$[].exact",
            new Numbers(BigInteger.ONE, new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE)), "$[].exact",
            new Numbers(BigInteger.ONE, new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE)), "$[].exact",
            new Numbers(BigInteger.ONE, new BigDecimal(BigInteger.ZERO, Integer.MIN_VALUE)), "");
        try (BufferAllocator allocator = new RootAllocator()) {
            cases.forEach((numbers, path) -> {
                byte[] message = codec.encode(List.of(numbers));
                if (!path.isEmpty()) {
                    refused(Code.TYPE_MISMATCH, path, () -> ArrowTable.of(codec.columns(message), allocator));
                    return;
                }
                try (ArrowTable table = ArrowTable.of(codec.columns(message), allocator)) {
                    BigDecimal whole = (BigDecimal) table.root().getVector("whole").getObject(0);
                    BigDecimal exact = (BigDecimal) table.root().getVector("exact").getObject(0);
                    assertEquals(numbers.whole(), whole.toBigIntegerExact());
                    assertEquals(0, numbers.exact().signum() == 0 ? exact.signum()
                        : numbers.exact().compareTo(exact));
                }
            });
        }
    }

    @Test
    void typesWithoutColumnsAreRefusedAndNothingLeaks() {
        Codec<List<Anything>> any = Pack.codec(new TypeRef<>() {});
        Codec<List<Held>> held = Pack.codec(new TypeRef<>() {});
        try (BufferAllocator allocator = new RootAllocator()) {
            refused(Code.UNSUPPORTED, "$[].value",
                () -> ArrowTable.of(any.columns(any.encode(List.of(new Anything(1L)))), allocator));
            refused(Code.UNSUPPORTED, "$[].tree",
                () -> ArrowTable.of(held.columns(held.encode(List.of(new Held(new Tree(List.of()))))), allocator));
            assertEquals(0, allocator.getAllocatedMemory());
        }
        Codec<List<Point>> points = Pack.builder(new TypeRef<List<Point>>() {}).profile(Profile.FAST).build();
        byte[] message = points.encode(List.of(new Point(1, Optional.of("a")), new Point(2, Optional.empty())));
        try (BufferAllocator small = new RootAllocator(16)) {
            assertThrows(RuntimeException.class, () -> ArrowTable.of(points.columns(message), small).close());
            assertEquals(0, small.getAllocatedMemory());
        }
    }

    private static void refused(Code code, String path, org.junit.jupiter.api.function.Executable call) {
        SamewireException error = assertThrows(SamewireException.class, call);
        assertEquals(code, error.code());
        assertEquals(path, error.path());
    }
}
