package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The decoder without Java types reads the vectors, and refuses what codecs refuse, at the same place. */
class DynamicDecoderTest {
    private static final Path VECTORS = Path.of(System.getProperty("samewire.root", "../.."), "spec/vectors");
    /** Schemas whose values are written in JSON as they are decoded. */
    private static final Pattern PLAIN = Pattern.compile(
        "(?!.*\\b(any|ref|union|map|f32|f64|bytes|date|time|timestamp|duration|decimal|set)\\b).*");

    private int read;
    private int compared;
    private int refused;

    @Test
    void readsTheVectors() throws Exception {
        run("pack");
        assertTrue(read > 900 && compared > 400 && refused > 400, read + " " + compared + " " + refused);
    }

    @Test
    void readsTheVectorsOfColumns() throws Exception {
        run("columns");
        assertTrue(read > 230 && compared > 120 && refused > 40, read + " " + compared + " " + refused);
    }

    private void run(String part) throws Exception {
        File[] files = VECTORS.resolve(part).toFile().listFiles((folder, name) -> name.endsWith(".json"));
        Arrays.sort(files);
        for (File file : files) {
            for (JsonNode vector : new ObjectMapper().readTree(file).path("cases")) {
                run(file.getName() + ": " + vector.path("name").asText(), vector);
            }
        }
    }

    private void run(String name, JsonNode vector) {
        String kind = vector.path("kind").asText();
        if (!List.of("canonical", "rewritten", "accepted", "rejected").contains(kind)) {
            return;
        }
        JsonNode given = vector.path("limits");
        Limits d = Limits.DEFAULT;
        Limits limits = new Limits(given.path("depth").asInt(d.depth()),
            given.path("frame_bytes").asInt(d.frameBytes()), given.path("text_bytes").asInt(d.textBytes()),
            given.path("items").asInt(d.items()),
            given.path("cells").asInt(d.cells()), d.bufferedBytes());
        String schema = vector.get("schema").asText();
        Decoder<Object> decoder = Pack.decoder(schema, limits);
        byte[] message = HexFormat.of().parseHex(vector.get("hex").asText());
        if (kind.equals("rejected")) {
            SamewireException error = assertThrows(SamewireException.class, () -> decoder.decode(message), name);
            assertEquals(vector.get("error").asText(), error.code().toString(), name);
            assertEquals(vector.get("at").asLong(), error.at(), name);
            refused++;
            return;
        }
        Object value = decoder.decode(message);
        read++;
        if (PLAIN.matcher(schema).matches()) {
            JsonNode wanted = vector.has("value") ? vector.get("value")
                : json(decoder.decode(HexFormat.of().parseHex(vector.get("rows").asText())));
            assertEquals(wanted, json(value), name);
            compared++;
        }
        byte[] longer = Arrays.copyOf(message, message.length + 1);
        assertEquals("trailing", assertThrows(SamewireException.class, () -> decoder.decode(longer)).code().toString());
    }

    private static JsonNode json(Object value) {
        JsonNodeFactory make = JsonNodeFactory.instance;
        if (value == null) {
            return make.nullNode();
        } else if (value instanceof Boolean truth) {
            return make.booleanNode(truth);
        } else if (value instanceof List<?> list) {
            ArrayNode array = make.arrayNode();
            list.forEach(one -> array.add(json(one)));
            return array;
        } else if (value instanceof Map<?, ?> map) {
            ObjectNode object = make.objectNode();
            map.forEach((key, one) -> object.set((String) key, json(one)));
            return object;
        }
        return make.textNode(value.toString());
    }
}
