package io.samewire.redis.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.JsonFactory;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case of {@code spec/vectors/redis}, with all that {@code spec/vectors/README.md} says follows from it. */
class VectorsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper(JsonFactory.builder()
        .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(10_000).build()).build());
    private static final HexFormat HEX = HexFormat.of();
    private static final Path ROOT = Path.of(System.getProperty("samewire.root"));
    private static final Map<String, Integer> EXECUTED = new TreeMap<>();
    private static final int WHOLLY_CUT = 3000;
    private static final int STEP = 9973;
    private static final Map<String, String> CODES = Map.of("depth", "limit_depth", "items", "limit_items", "cells",
        "limit_items", "frame_bytes", "limit_size");

    @TestFactory
    Stream<DynamicTest> vectors() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("spec/vectors/redis"))) {
            for (Path file : files.sorted().toList()) {
                String name = "redis/" + file.getFileName();
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
        MAPPER.writerWithDefaultPrettyPrinter().writeValue(folder.resolve("java-redis.json").toFile(),
            Map.of("vectors", EXECUTED));
    }

    private static void run(JsonNode vector) {
        switch (vector.get("kind").textValue()) {
            case "canonical", "accepted" -> reply(vector);
            case "rejected" -> rejected(vector);
            case "stream" -> stream(vector);
            case "command" -> command(vector);
            default -> throw new AssertionError("no such kind: " + vector);
        }
    }

    private static byte[] hex(JsonNode vector, String field) {
        return HEX.parseHex(vector.get(field).textValue());
    }

    private static Limits limits(JsonNode given) {
        Limits d = Limits.DEFAULT;
        // The largest that an array can have, where a vector has more.
        int frame = (int) Math.min(given.path("frame_bytes").asLong(d.frameBytes()), Integer.MAX_VALUE);
        return new Limits(given.path("depth").asInt(d.depth()), frame, d.textBytes(),
            given.path("items").asInt(d.items()), given.path("cells").asInt(d.cells()), d.bufferedBytes());
    }

    private static IntStream cuts(byte[] stream) {
        return IntStream.range(0, stream.length).filter(at -> stream.length < WHOLLY_CUT || at % STEP == 0);
    }

    private static Replies scanned(byte[] stream, int cut, Limits limits) {
        return Replies.scanned(stream, new int[] {cut}, limits);
    }

    private static SamewireException refusal(byte[] bytes, Limits limits) {
        return assertThrows(SamewireException.class, () -> Reply.read(bytes, limits, Utf8.STRICT));
    }

    private static void reply(JsonNode vector) {
        byte[] bytes = hex(vector, "hex");
        Reply reply = Reply.read(bytes, Limits.DEFAULT, Utf8.STRICT);
        assertEquals(vector.get("value"), Notation.of(reply));
        byte[] canonical = vector.has("canonical") ? hex(vector, "canonical") : bytes;
        RequestWriter out = new RequestWriter();
        new ReplyWriter(out).reply(reply);
        assertEquals(HEX.formatHex(canonical), HEX.formatHex(out.toByteArray()));
        var whole = new Replies(List.of(bytes.length), null);
        assertEquals(whole, Replies.walked(bytes, Limits.DEFAULT));
        cuts(bytes).forEach(cut -> {
            assertEquals(whole, scanned(bytes, cut, Limits.DEFAULT), () -> "cut at " + cut);
            SamewireException cutOff = refusal(Arrays.copyOf(bytes, cut), Limits.DEFAULT);
            assertEquals("truncated at " + cut, cutOff.code() + " at " + cutOff.at());
            assertThrows(IncompleteReplyException.class, () -> new ReplyReader().reset(bytes, 0, cut).skip());
        });
        byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
        System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
        assertEquals(List.of(bytes.length, bytes.length), scanned(twice, bytes.length - 1, Limits.DEFAULT).lengths());
        SamewireException trailing = refusal(twice, Limits.DEFAULT);
        assertEquals("trailing at " + bytes.length, trailing.code() + " at " + trailing.at());
        CODES.forEach((name, code) -> {
            int used = vector.get("uses").get(name).intValue();
            if (used > 0) {
                Limits enough = limits(MAPPER.createObjectNode().put(name, used));
                assertEquals(whole, scanned(bytes, 0, enough), name);
                assertEquals(whole, Replies.walked(bytes, enough), name);
            }
            if (used > 1) {
                Limits less = limits(MAPPER.createObjectNode().put(name, used - 1));
                assertEquals(code, refusal(bytes, less).code().toString());
                assertEquals(scanned(bytes, 0, less), Replies.walked(bytes, less), name);
            }
        });
    }

    private static void rejected(JsonNode vector) {
        byte[] bytes = hex(vector, "hex");
        Limits limits = limits(vector.path("limits"));
        String wanted = vector.get("error").textValue() + " at " + vector.get("at").intValue();
        SamewireException error = refusal(bytes, limits);
        assertEquals(wanted, error.code() + " at " + error.at());
        String found = error.code().toString().equals("truncated") ? null : wanted;
        assertEquals(found, Replies.walked(bytes, limits).fault());
        cuts(bytes).forEach(cut -> assertEquals(found, scanned(bytes, cut, limits).fault(), () -> "cut at " + cut));
    }

    private static void stream(JsonNode vector) {
        byte[] bytes = hex(vector, "hex");
        String wanted = vector.has("error") && !vector.get("error").textValue().equals("truncated")
            ? vector.get("error").textValue() + " at " + vector.get("at").intValue() : null;
        cuts(bytes).forEach(cut -> {
            var found = scanned(bytes, cut, Limits.DEFAULT);
            assertEquals(wanted, found.fault());
            List<JsonNode> values = new ArrayList<>();
            int from = 0;
            for (int length : found.lengths()) {
                byte[] reply = Arrays.copyOfRange(bytes, from, from + length);
                values.add(Notation.of(Reply.read(reply, Limits.DEFAULT, Utf8.STRICT)));
                from += length;
            }
            List<JsonNode> expected = new ArrayList<>();
            vector.get("values").forEach(expected::add);
            assertEquals(expected, values);
        });
        assertEquals(scanned(bytes, 0, Limits.DEFAULT), Replies.walked(bytes, Limits.DEFAULT));
    }

    private static void command(JsonNode vector) {
        RequestWriter out = new RequestWriter();
        out.raw(new byte[] {'b', 'e'});
        out.begin(vector.get("arguments").size());
        for (JsonNode argument : vector.get("arguments")) {
            if (argument.has("integer")) {
                out.word(Long.parseLong(argument.get("integer").textValue()));
            } else {
                out.word(hex(argument, "bytes"));
            }
        }
        byte[] written = Arrays.copyOfRange(out.array(), 2, out.length());
        assertEquals(vector.get("hex").textValue(), HEX.formatHex(written));
        assertEquals(List.of(written.length), scanned(written, 3, Limits.DEFAULT).lengths());
    }
}
