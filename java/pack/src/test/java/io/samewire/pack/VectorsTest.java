package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.peers.Schemas;
import io.samewire.core.FrameScanner;
import io.samewire.core.Frames;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.Notation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case of every vector file, with all that {@code spec/vectors/README.md} says follows from it. */
class VectorsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final int WHOLLY_CUT = Integer.getInteger("samewire.wholly.cut", 10_000);
    private static final int NEAR_ENDS = Math.min(256, WHOLLY_CUT / 2);
    private static final Path ROOT = Path.of(System.getProperty("samewire.root"));
    private static final Map<String, Integer> EXECUTED = new TreeMap<>();

    /** Native types by the schema text they are emitted for. */
    private static final Map<String, TypeRef<?>> TYPES = new HashMap<>();
    private static final Map<String, CodecBuilder<?>> BUILDERS = new HashMap<>();

    @TestFactory
    Stream<DynamicTest> vectors() throws IOException {
        JsonNode schemas = MAPPER.readTree(ROOT.resolve("build/peers/schemas.json").toFile());
        schemas.forEach(entry ->
            TYPES.put(entry.get("schema").textValue(), Schemas.TYPES.get(entry.get("id").textValue())));
        List<DynamicTest> tests = new ArrayList<>();
        for (String part : List.of("pack", "columns")) {
            try (Stream<Path> files = Files.list(ROOT.resolve("spec/vectors").resolve(part))) {
                for (Path file : files.sorted().toList()) {
                    String name = part + "/" + file.getFileName();
                    EXECUTED.put(name, 0);
                    for (JsonNode vector : MAPPER.readTree(file.toFile()).get("cases")) {
                        tests.add(DynamicTest.dynamicTest(name + ": " + vector.get("name").textValue(), () -> {
                            run(vector);
                            EXECUTED.merge(name, 1, Integer::sum);
                        }));
                    }
                }
            }
        }
        return tests.stream();
    }

    @AfterAll
    static void report() throws IOException {
        Path folder = Files.createDirectories(ROOT.resolve("build/executed"));
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("language", "java");
        report.put("vectors", EXECUTED);
        MAPPER.writerWithDefaultPrettyPrinter().writeValue(folder.resolve("java.json").toFile(), report);
    }

    private static void run(JsonNode vector) {
        switch (vector.get("kind").textValue()) {
            case "canonical" -> canonical(vector);
            case "rewritten" -> rewritten(vector);
            case "sorted" -> sorted(vector);
            case "accepted" -> accepted(vector);
            case "rejected" -> rejected(vector);
            case "resolved" -> resolved(vector);
            case "unresolved" -> unresolved(vector);
            case "schema" -> schema(vector);
            case "bad_schema" -> badSchema(vector);
            case "difference" -> difference(vector);
            case "frames" -> frames(vector);
            default -> throw new AssertionError("no such kind: " + vector);
        }
    }

    private static TypeRef<?> type(String schema) {
        TypeRef<?> type = TYPES.get(schema);
        assertNotNull(type, () -> "no native type was emitted for " + schema);
        return type;
    }

    @SuppressWarnings("unchecked") // The values come from the same type by reflection.
    private static Codec<Object> codec(String schema, String profile, JsonNode vector, Limits limits) {
        Codec<Object> codec = (Codec<Object>) BUILDERS.computeIfAbsent(schema, key -> Pack.builder(type(key)))
            .profile(Profile.valueOf(profile.toUpperCase())).digest(vector.path("digest").booleanValue())
            .check(vector.path("check").booleanValue()).limits(limits).build();
        assertEquals(schema, codec.schema().annotated());
        return codec;
    }

    private static Codec<Object> codec(JsonNode vector, Limits limits) {
        String profile = vector.has("profile") ? vector.get("profile").textValue() : "compact";
        return codec(vector.get("schema").textValue(), profile, vector, limits);
    }

    private static byte[] hex(JsonNode vector, String field) {
        return HEX.parseHex(vector.get(field).textValue());
    }

    private static Limits limits(JsonNode given) {
        Limits d = Limits.DEFAULT;
        return new Limits(given.path("depth").asInt(d.depth()), given.path("frame_bytes").asInt(d.frameBytes()),
            given.path("text_bytes").asInt(d.textBytes()), given.path("items").asInt(d.items()),
            given.path("cells").asInt(d.cells()), given.path("buffered_bytes").asInt(d.bufferedBytes()));
    }

    private static void canonical(JsonNode vector) {
        TypeRef<?> type = type(vector.get("schema").textValue());
        byte[] bytes = hex(vector, "hex");
        Codec<Object> codec = codec(vector, Limits.DEFAULT);
        Object value = Notation.read(type, vector.get("value"));
        assertEquals(HEX.formatHex(bytes), HEX.formatHex(codec.encode(value)), "encode");
        everyOutput(codec, value, bytes);
        Object decoded = codec.decode(bytes);
        assertEquals(vector.get("value"), Notation.write(type, decoded), "decode");
        assertEquals(HEX.formatHex(bytes), HEX.formatHex(codec.encode(decoded)), "encode again");
        cutsAndLimits(vector, codec, bytes, value);
    }

    /** The value comes as a message of the profile {@code fast}. */
    private static void rewritten(JsonNode vector) {
        byte[] bytes = hex(vector, "hex");
        Codec<Object> codec = codec(vector, Limits.DEFAULT);
        Codec<Object> fast = codec(vector.get("schema").textValue(), "fast", MAPPER.createObjectNode(), Limits.DEFAULT);
        Object value = fast.decode(hex(vector, "rows"));
        assertEquals(HEX.formatHex(bytes), HEX.formatHex(codec.encode(value)), "encode");
        everyOutput(codec, value, bytes);
        assertEquals(vector.get("rows").textValue(), HEX.formatHex(fast.encode(codec.decode(bytes))), "decode");
        cutsAndLimits(vector, codec, bytes, value);
    }

    /** Equal values, whose maps differ in the order of their entries. */
    @SuppressWarnings("unchecked") // The values come from the same type by reflection.
    private static void sorted(JsonNode vector) {
        TypeRef<?> type = type(vector.get("schema").textValue());
        Codec<Object> plain = codec(vector, Limits.DEFAULT);
        Codec<Object> codec = (Codec<Object>) Pack.builder(type)
            .profile(Profile.valueOf(vector.get("profile").textValue().toUpperCase())).check(false).sortKeys(true)
            .build();
        byte[] bytes = hex(vector, "hex");
        for (JsonNode notation : vector.get("values")) {
            Object value = Notation.read(type, notation);
            assertEquals(HEX.formatHex(bytes), HEX.formatHex(codec.encode(value)), "encode");
            everyOutput(codec, value, bytes);
            if (!vector.get("schema").textValue().startsWith("list<struct")) {
                assertArrayEquals(bytes, plain.encode(withoutOrder(value)), "maps without order, by default");
            }
        }
        assertArrayEquals(bytes, plain.encode(plain.decode(bytes)), "encode again");
        assertNotEquals(HEX.formatHex(bytes),
            HEX.formatHex(plain.encode(Notation.read(type, vector.get("values").get(0)))), "without the option");
    }

    /** Copies lists and maps; the maps get a class without an order. */
    private static Object withoutOrder(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(VectorsTest::withoutOrder).collect(Collectors.toCollection(ArrayList::new));
        }
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        Map<Object, Object> copy = new HashMap<>();
        map.forEach((key, part) -> copy.put(key, withoutOrder(part)));
        return copy;
    }

    private static void cutsAndLimits(JsonNode vector, Codec<Object> codec, byte[] bytes, Object value) {
        cuts(bytes.length).forEach(end -> refused("truncated", end, null, () -> codec.decode(bytes, 0, end)));
        byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 1);
        refused("trailing", bytes.length, "$", () -> codec.decode(longer));
        limitsOf(vector, codec, bytes, value);
        twoFrames(bytes);
    }

    /**
     * Every place before {@code end}; of a long message those near its ends and some between: time grows with the
     * square.
     */
    private static IntStream cuts(int end) {
        return IntStream.range(0, end).filter(
            at -> end <= WHOLLY_CUT || at < NEAR_ENDS || at >= end - NEAR_ENDS || at % 101 == 0);
    }

    private static void everyOutput(Codec<Object> codec, Object value, byte[] bytes) {
        Output output = new Output(0);
        output.clear();
        assertEquals(bytes.length, codec.encodeInto(value, output));
        codec.encodeInto(value, output);
        byte[] twice = java.util.Arrays.copyOf(bytes, 2 * bytes.length);
        System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
        assertArrayEquals(twice, output.toByteArray(), "encodeInto, twice");
        java.nio.ByteBuffer direct = java.nio.ByteBuffer.allocateDirect(bytes.length);
        assertEquals(bytes.length, codec.encodeInto(value, direct));
        assertEquals(HEX.formatHex(bytes), HEX.formatHex(codec.encode(codec.decode(direct.flip()))),
            "through a direct buffer");
        java.io.ByteArrayOutputStream chunks = new java.io.ByteArrayOutputStream();
        codec.encodeChunks(value, 7).forEach(chunks::writeBytes);
        assertArrayEquals(bytes, chunks.toByteArray(), "in chunks");
    }

    private static void limitsOf(JsonNode vector, Codec<Object> codec, byte[] bytes, Object value) {
        for (String name : List.of("depth", "items", "cells", "text_bytes", "frame_bytes")) {
            int used = vector.get("uses").path(name).intValue();
            if (used < 1) {
                continue;
            }
            String code = switch (name) {
                case "depth" -> "limit_depth";
                case "items", "cells" -> "limit_items";
                default -> "limit_size";
            };
            boolean writes = !name.equals("text_bytes");
            Codec<Object> enough = codec(vector, limits(MAPPER.createObjectNode().put(name, used)));
            enough.decode(bytes);
            assertArrayEquals(bytes, enough.encode(value), name);
            if (used >= 2) {
                Codec<Object> less = codec(vector, limits(MAPPER.createObjectNode().put(name, used - 1)));
                refused(code, null, null, () -> less.decode(bytes));
                if (writes) {
                    refused(code, -1, null, () -> less.encode(value));
                }
            }
        }
    }

    private static void twoFrames(byte[] message) {
        byte[] frame = Frames.frame(message);
        byte[] both = java.util.Arrays.copyOf(frame, 2 * frame.length);
        System.arraycopy(frame, 0, both, frame.length, frame.length);
        List<String> wanted = List.of(HEX.formatHex(message), HEX.formatHex(message));
        cuts(both.length + 1).forEach(cut -> {
            List<String> got = new ArrayList<>();
            assertEquals(null, scan(both, cut, Limits.DEFAULT, got));
            assertEquals(wanted, got);
        });
    }

    /** Feeds a stream in two parts. Returns the error that it ends in, or null. */
    private static SamewireException scan(byte[] stream, int cut, Limits limits, List<String> messages) {
        FrameScanner scanner = new FrameScanner(limits);
        try {
            scanner.feed(stream, 0, cut);
            drain(scanner, messages);
            scanner.feed(stream, cut, stream.length);
            drain(scanner, messages);
            scanner.end();
            return null;
        } catch (SamewireException error) {
            assertEquals(error, assertThrows(SamewireException.class, scanner::next), "the same error again");
            return error;
        }
    }

    private static void drain(FrameScanner scanner, List<String> messages) {
        for (byte[] message = scanner.next(); message != null; message = scanner.next()) {
            messages.add(HEX.formatHex(message));
        }
    }

    private static void accepted(JsonNode vector) {
        TypeRef<?> type = type(vector.get("schema").textValue());
        Codec<Object> codec = codec(vector, Limits.DEFAULT);
        Object value = codec.decode(hex(vector, "hex"));
        JsonNode wanted = vector.get("value");
        assertEquals(vector.get("canonical").textValue(), HEX.formatHex(codec.encode(value)), "encode");
        assertEquals(vector.get("canonical").textValue(), HEX.formatHex(codec.encode(Notation.read(type, wanted))),
            "encode");
        // A set comes in the order of the message, the notation has it in the canonical one.
        assertEquals(wanted, Notation.write(type, codec.decode(codec.encode(value))), "decode");
    }

    private static void rejected(JsonNode vector) {
        Codec<Object> codec = codec(vector, limits(vector.path("limits")));
        byte[] bytes = hex(vector, "hex");
        String path = vector.get("path").textValue();
        refused(vector.get("error").textValue(), vector.get("at").intValue(), path, () -> codec.decode(bytes));
        byte[] within = new byte[bytes.length + 9];
        System.arraycopy(bytes, 0, within, 5, bytes.length);
        refused(vector.get("error").textValue(), vector.get("at").intValue(), path,
            () -> codec.decode(within, 5, 5 + bytes.length));
    }

    private static void resolved(JsonNode vector) {
        TypeRef<?> type = type(vector.get("schema").textValue());
        Decoder<Object> decoder = codec(vector,
            limits(vector.path("limits"))).resolve(vector.get("writer").textValue());
        byte[] bytes = hex(vector, "hex");
        assertEquals(vector.get("value"), Notation.write(type, decoder.decode(bytes)));
        cuts(bytes.length).forEach(end -> refused("truncated", end, null, () -> decoder.decode(bytes, 0, end)));
    }

    private static void unresolved(JsonNode vector) {
        Codec<Object> codec = codec(vector, limits(vector.path("limits")));
        String writer = vector.get("writer").textValue();
        String code = vector.get("error").textValue();
        String path = vector.get("path").textValue();
        if (vector.has("hex")) {
            Decoder<Object> decoder = codec.resolve(writer);
            refused(code, vector.get("at").intValue(), path, () -> decoder.decode(hex(vector, "hex")));
        } else {
            refused(code, -1, path, () -> codec.resolve(writer));
        }
    }

    private static void schema(JsonNode vector) {
        Schema schema = Schema.parse(vector.get("text").textValue());
        assertEquals(vector.get("canonical").textValue(), schema.text());
        assertEquals(vector.get("digest").textValue(), HEX.formatHex(schema.digest()));
        assertEquals(schema, Schema.parse(schema.text()));
        String annotated = vector.path("annotated").asText(schema.text());
        assertEquals(annotated, schema.annotated());
        assertEquals(annotated, Schema.parse(annotated).annotated());
    }

    private static void badSchema(JsonNode vector) {
        refused(vector.get("error").textValue(), vector.get("at").intValue(), null,
            () -> Schema.parse(vector.get("text").textValue()));
    }

    private static void difference(JsonNode vector) {
        Schema here = Schema.parse(vector.get("here").textValue());
        Schema there = Schema.parse(vector.get("there").textValue());
        JsonNode wanted = vector.get("difference");
        Difference difference = here.difference(there);
        assertEquals(wanted.isNull() ? null
            : new Difference(wanted.get("path").textValue(), wanted.get("here").textValue(),
            wanted.get("there").textValue()), difference);
        assertEquals(difference == null, here.equals(there));
        assertEquals(difference == null, there.difference(here) == null);
    }

    private static void frames(JsonNode vector) {
        byte[] stream = hex(vector, "hex");
        List<String> wanted = new ArrayList<>();
        vector.get("messages").forEach(message -> wanted.add(message.textValue()));
        for (int cut = 0; cut <= stream.length; cut++) {
            List<String> got = new ArrayList<>();
            SamewireException error = scan(stream, cut, limits(vector.path("limits")), got);
            assertEquals(wanted, got);
            assertEquals(vector.path("error").textValue(), error == null ? null : error.code().toString());
            assertEquals(vector.path("at").asLong(-1), error == null ? -1 : error.at());
        }
        if (!wanted.isEmpty()) {
            FrameScanner scanner = new FrameScanner(limits(vector.path("limits")));
            scanner.feed(stream);
            refused("misuse", -1, null, scanner::end);
            for (String message : wanted) {
                assertEquals(message, HEX.formatHex(scanner.next()));
            }
        }
    }

    private static void refused(String code, Integer at, String path, org.junit.jupiter.api.function.Executable work) {
        SamewireException error = assertThrows(SamewireException.class, work);
        assertEquals(code, error.code().toString(), error::getMessage);
        if (at != null) {
            assertEquals(at.longValue(), error.at(), error::getMessage);
        }
        if (path != null) {
            assertEquals(path, error.path(), error::getMessage);
        }
    }
}
