package io.samewire.pack.records;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case of the vectors of record files, with all that {@code spec/vectors/README.md} says follows from it. */
class VectorsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final Path ROOT = Path.of(System.getProperty("samewire.root"));
    private static final Map<String, Integer> EXECUTED = new TreeMap<>();

    /** The notations of all records before the first error, and that error or null. */
    private record Found(List<JsonNode> records, SamewireException error) {}

    @TestFactory
    Stream<DynamicTest> vectors() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("spec/vectors/records"))) {
            for (Path file : files.sorted().toList()) {
                String name = "records/" + file.getFileName();
                EXECUTED.put(name, 0);
                for (JsonNode vector : MAPPER.readTree(file.toFile()).get("cases")) {
                    tests.add(DynamicTest.dynamicTest(name + ": " + vector.get("name").textValue(), () -> {
                        run(vector);
                        EXECUTED.merge(name, 1, Integer::sum);
                    }));
                }
            }
        }
        return tests.stream();
    }

    @AfterAll
    static void report() throws IOException {
        Path folder = Files.createDirectories(ROOT.resolve("build/executed"));
        MAPPER.writeValue(folder.resolve("java-records.json").toFile(),
            Map.of("language", "java", "vectors", EXECUTED));
    }

    private static void run(JsonNode vector) throws IOException {
        switch (vector.get("kind").textValue()) {
            case "written" -> written(vector);
            case "appended" -> appended(vector);
            case "read" -> assertEquals(new Found(list(vector.get("records")), null),
                read(vector, new MemoryFile(hex(vector, "hex")), false));
            case "refused" -> refused(vector);
            default -> throw new AssertionError("no such kind: " + vector);
        }
    }

    private static byte[] hex(JsonNode vector, String field) {
        return HEX.parseHex(vector.get(field).textValue());
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> list = new ArrayList<>();
        array.forEach(list::add);
        return list;
    }

    private static Limits limits(JsonNode vector) {
        Limits d = Limits.DEFAULT;
        JsonNode given = vector.path("limits");
        return d.withFrameBytes(given.path("frame_bytes").asInt(d.frameBytes()))
            .withBufferedBytes(given.path("buffered_bytes").asInt(d.bufferedBytes()));
    }

    private static Found read(JsonNode vector, MemoryFile file, boolean growing) throws IOException {
        String schema = vector.get("schema").textValue();
        List<JsonNode> found = new ArrayList<>();
        try (RecordReader<Object> reader = RecordReader.open(file, RecordTypes.codec(schema, limits(vector)),
            new RecordReaderOptions(growing, false, limits(vector)))) {
            reader.forEachRemaining(value -> found.add(RecordTypes.notation(schema, value)));
        } catch (SamewireException error) {
            return new Found(found, error);
        }
        return new Found(found, null);
    }

    private static void written(JsonNode vector) throws IOException {
        String schema = vector.get("schema").textValue();
        MemoryFile file = new MemoryFile(new byte[0]);
        RecordWriter<Object> writer = RecordWriter.create(file, RecordTypes.codec(schema, Limits.DEFAULT),
            RecordWriterOptions.DEFAULT);
        List<List<JsonNode>> blocks = new ArrayList<>();
        for (JsonNode block : vector.get("blocks")) {
            blocks.add(list(block));
            for (JsonNode notation : block) {
                writer.write(RecordTypes.value(schema, notation));
            }
            writer.flush();
        }
        if (vector.get("indexed").booleanValue()) {
            writer.close();
        }
        byte[] data = hex(vector, "hex");
        assertEquals(HEX.formatHex(data), HEX.formatHex(file.contents()));
        List<JsonNode> records = blocks.stream().flatMap(List::stream).toList();
        assertEquals(new Found(records, null), read(vector, new MemoryFile(data), false));
        List<Integer> ends = new ArrayList<>();
        vector.get("ends").forEach(end -> ends.add(end.intValue()));
        for (int cut = 0; cut < data.length; cut++) {
            assertEquals(new Found(records, null), read(vector, new MemoryFile(data).cutAt(cut), false));
            cut(vector, Arrays.copyOf(data, cut), blocks, ends);
        }
        sought(vector, data, records);
    }

    private static void cut(JsonNode vector, byte[] data, List<List<JsonNode>> blocks, List<Integer> ends)
        throws IOException {
        int cut = data.length;
        long whole = ends.stream().skip(1).filter(end -> end <= cut).count();
        List<JsonNode> before = blocks.stream().limit(whole).flatMap(List::stream).toList();
        Found found = read(vector, new MemoryFile(data), false);
        assertEquals(before, found.records);
        assertEquals(ends.contains(cut), found.error == null);
        if (found.error != null) {
            assertError("truncated", cut, null, found.error);
        }
        if (cut >= ends.get(0)) {
            assertEquals(new Found(before, null), read(vector, new MemoryFile(data), true));
        }
    }

    private static void sought(JsonNode vector, byte[] data, List<JsonNode> records) throws IOException {
        String schema = vector.get("schema").textValue();
        try (RecordReader<Object> reader = RecordReader.open(new MemoryFile(data),
            RecordTypes.codec(schema, Limits.DEFAULT), RecordReaderOptions.DEFAULT)) {
            assertEquals(records.size(), reader.count());
            for (int number = records.size(); number >= 0; number--) {
                reader.seek(number);
                List<JsonNode> found = new ArrayList<>();
                reader.forEachRemaining(value -> found.add(RecordTypes.notation(schema, value)));
                assertEquals(records.subList(number, records.size()), found);
            }
        }
    }

    private static void appended(JsonNode vector) throws IOException {
        String schema = vector.get("schema").textValue();
        MemoryFile file = new MemoryFile(hex(vector, "before"));
        try (RecordWriter<Object> writer = RecordWriter.append(file, RecordTypes.codec(schema, Limits.DEFAULT),
            RecordWriterOptions.DEFAULT)) {
            for (JsonNode notation : vector.get("records")) {
                writer.write(RecordTypes.value(schema, notation));
            }
        }
        assertEquals(vector.get("hex").textValue(), HEX.formatHex(file.contents()));
    }

    private static void refused(JsonNode vector) throws IOException {
        byte[] data = hex(vector, "hex");
        for (int cut = 0; cut <= data.length; cut++) {
            Found found = read(vector, new MemoryFile(data).cutAt(cut), false);
            assertEquals(list(vector.get("records")), found.records);
            assertError(vector.get("error").textValue(), vector.get("at").asLong(-1), vector.get("path").textValue(),
                found.error);
        }
    }

    private static void assertError(String code, long at, String path, SamewireException error) {
        assertEquals(code + " " + at + " " + path, error.code() + " " + error.at() + " " + error.path());
    }
}
