package io.samewire.bridge.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case of {@code spec/vectors/bridge}, with all that {@code spec/vectors/README.md} says follows from it. */
class VectorsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final Path ROOT = Path.of(System.getProperty("samewire.root"));
    private static final Map<String, Integer> EXECUTED = new TreeMap<>();
    private static final long MOST_BLOB = Integer.MAX_VALUE - 8L;
    private static final int WHOLLY_CUT = 300;
    private static final int STEP = 97;
    private static final JsonNode NONE = JsonNodeFactory.instance.objectNode();

    @TestFactory
    Stream<DynamicTest> vectors() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("spec/vectors/bridge"))) {
            for (Path file : files.sorted().toList()) {
                String name = "bridge/" + file.getFileName();
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
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("vectors", EXECUTED);
        MAPPER.writerWithDefaultPrettyPrinter().writeValue(folder.resolve("java-bridge.json").toFile(), report);
    }

    /** An output that never makes a large value of its own accord. */
    static Output output() {
        Output out = new Output(Limits.DEFAULT);
        out.inline(true);
        return out;
    }

    private static void run(JsonNode vector) {
        switch (vector.get("kind").textValue()) {
            case "canonical", "accepted" -> accepted(vector);
            case "rejected" -> assertEquals(wanted(vector), error(vector, hex(vector, "hex"), vector.path("limits")));
            case "frames" -> frames(vector);
            default -> throw new AssertionError("no such kind: " + vector);
        }
    }

    private static byte[] hex(JsonNode vector, String field) {
        return HEX.parseHex(vector.get(field).textValue());
    }

    private static Limits limits(JsonNode given) {
        Limits d = Limits.DEFAULT;
        return new Limits(given.path("depth").asInt(d.depth()), given.path("frame_bytes").asInt(d.frameBytes()),
            d.textBytes(), given.path("items").asInt(d.items()), given.path("cells").asInt(d.cells()),
            d.bufferedBytes());
    }

    private static JsonNode read(JsonNode vector, byte[] data, JsonNode limits) {
        Input in = new Input(limits(limits), limits.path("blob_bytes").asLong(MOST_BLOB));
        // The message lies within an array: its offsets are its own.
        byte[] array = new byte[data.length + 9];
        System.arraycopy(data, 0, array, 5, data.length);
        in.reset(array, 5, 5 + data.length, (into, from, length) -> {
            throw new AssertionError("the test reads no large values");
        });
        if (!vector.has("of")) {
            return new MessageNotation(MessageNotation.Site.of(vector.path("site"))).read(in);
        }
        JsonNode value = Notation.read(in, Kind.parse(vector.get("of").textValue()));
        in.finish();
        return value;
    }

    private static String written(JsonNode vector) {
        Output out = output();
        if (vector.has("of")) {
            Kind kind = Kind.parse(vector.get("of").textValue());
            assertEquals(vector.get("of").textValue(), kind.text());
            Notation.write(vector.get("value"), kind, out);
        } else {
            new MessageNotation(MessageNotation.Site.of(vector.path("site"))).write(vector.get("value"), out);
        }
        return HEX.formatHex(out.array(), 0, out.length());
    }

    private static String error(JsonNode vector, byte[] data, JsonNode limits) {
        SamewireException error = assertThrows(SamewireException.class, () -> read(vector, data, limits));
        return error.code() + " at " + error.at();
    }

    private static String wanted(JsonNode vector) {
        return vector.get("error").textValue() + " at " + vector.get("at").longValue();
    }

    private static void accepted(JsonNode vector) {
        byte[] data = hex(vector, "hex");
        assertEquals(vector.get("value"), read(vector, data, NONE));
        String kind = vector.get("kind").textValue();
        assertEquals(vector.get(kind.equals("canonical") ? "hex" : "canonical").textValue(), written(vector));
        if (!vector.has("of") && vector.get("value").has("blob")) {
            return;
        }
        for (int end = 0; end < data.length; end += end < WHOLLY_CUT ? 1 : STEP) {
            assertEquals("truncated at " + end, error(vector, Arrays.copyOf(data, end), NONE));
        }
        if (data.length < Messages.HELLO_BYTES) {
            assertEquals("trailing at " + data.length, error(vector, Arrays.copyOf(data, data.length + 1), NONE));
        }
        Map.of("depth", "limit_depth", "items", "limit_items", "cells", "limit_items").forEach((name, code) -> {
            int used = vector.get("uses").get(name).intValue();
            if (used > 0) {
                assertEquals(vector.get("value"),
                    read(vector, data, JsonNodeFactory.instance.objectNode().put(name, used)));
            }
            if (used > 1) {
                String refused = error(vector, data, JsonNodeFactory.instance.objectNode().put(name, used - 1));
                assertEquals(code, refused.substring(0, refused.indexOf(' ')));
            }
        });
    }

    private static void frames(JsonNode vector) {
        // What cuts a stream into messages is the channel's, and tested with it; here is what the bytes say.
        byte[] data = hex(vector, "hex");
        List<String> found = new ArrayList<>();
        String failed = null;
        int at = 0;
        int most = limits(vector.path("limits")).frameBytes();
        Input in = new Input(Limits.DEFAULT, MOST_BLOB);
        while (at < data.length && failed == null) {
            in.reset(data, at, data.length, null);
            if (in.remaining() < Output.HEAD) {
                failed = "truncated at " + data.length;
                break;
            }
            long length = Integer.toUnsignedLong(in.i32());
            if (length == 0 || length > most) {
                failed = (length == 0 ? "malformed" : "limit_size") + " at " + at;
            } else if (length > in.remaining()) {
                failed = "truncated at " + data.length;
            } else {
                at += Output.HEAD;
                found.add(HEX.formatHex(data, at, at + (int) length));
                at += (int) length;
            }
        }
        List<String> messages = new ArrayList<>();
        vector.get("messages").forEach(message -> messages.add(message.textValue()));
        assertEquals(messages, found);
        assertEquals(vector.has("error") ? wanted(vector) : null, failed);
    }
}
