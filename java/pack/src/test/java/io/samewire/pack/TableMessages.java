package io.samewire.pack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Messages of the vectors as the rows of tables, made of their bytes. */
final class TableMessages {
    private static final Path VECTORS = Path.of(System.getProperty("samewire.root", "../.."), "spec/vectors");
    private static final int ALIGNED = 8;
    /** Flags of header bytes that a block's length follows: texts, wide texts, UTF-8. */
    private static final int[] BLOCKS = {1, 2, 32};
    private static final int REFS = 4;
    private static final int VERSION = 128;

    /** A message and what decodes it. */
    record Table(String name, Decoder<Object> decoder, byte[] message) {}

    private TableMessages() {}

    /** Every message that the vectors accept, as a table of one row, and of three where a message has no texts. */
    static List<Table> ofVectors(Limits limits) throws IOException {
        List<Table> tables = new ArrayList<>();
        for (JsonNode vector : cases()) {
            boolean isRead = List.of("canonical", "rewritten", "accepted").contains(vector.path("kind").asText());
            byte[] message = HexFormat.of().parseHex(vector.path("hex").asText());
            // Shared structs within shared structs: a walk over them all takes exponential time.
            boolean isShared = vector.path("schema").asText().contains("ref<") && message.length > 40;
            if (!isRead || isShared || vector.has("limits") || message.length > 4_000 || (message[0] & ALIGNED) != 0) {
                continue;
            }
            String schema = "list<struct TableRow { v: " + vector.get("schema").asText() + " }>";
            for (int rows : (message[0] & (1 | 2 | 32 | REFS)) == 0 ? new int[] {1, 3} : new int[] {1}) {
                try {
                    Decoder<Object> decoder = Pack.decoder(schema, limits);
                    decoder.decode(rows(message, rows));
                    tables.add(new Table(vector.path("name").asText(), decoder, rows(message, rows)));
                } catch (SamewireException refused) {
                    // A struct without fields cannot be a field, and more rows change the numbers of shared structs.
                    continue;
                }
            }
        }
        return tables;
    }

    /** The cases of pack and of columns. */
    static List<JsonNode> cases() throws IOException {
        List<JsonNode> cases = new ArrayList<>();
        for (String part : List.of("pack", "columns")) {
            File[] files = VECTORS.resolve(part).toFile().listFiles((folder, name) -> name.endsWith(".json"));
            Arrays.sort(files);
            for (File file : files) {
                new ObjectMapper().readTree(file).path("cases").forEach(cases::add);
            }
        }
        return cases;
    }

    /** The values of a message as the one field of so many rows: the bytes of a row are those of the root's. */
    private static byte[] rows(byte[] message, int rows) {
        int header = message[0];
        int at = 1 + ((header & 16) != 0 ? 8 : (header & 64) != 0 ? 2 : 0);
        int front = at;
        int blocks = 0;
        for (int flag : BLOCKS) {
            if ((header & flag) != 0) {
                int length = 0;
                for (int shift = 0, part = 0x80; part >= 0x80; shift += 7) {
                    part = message[at++] & 0xff;
                    length |= (part & 0x7f) << shift;
                }
                blocks += flag == 2 ? 2 * length : length;
            }
        }
        at += blocks;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(header & ~(16 | 64) | VERSION);
        out.write(message, front, at - front);
        out.write(rows);
        for (int i = 0; i < rows; i++) {
            out.write(message, at, message.length - at);
        }
        return out.toByteArray();
    }

    /** What comes of an attempt: the value in a form that can be compared, or code, offset and path of the error. */
    static Object outcome(Supplier<Object> run) {
        try {
            return plain(run.get());
        } catch (SamewireException error) {
            return error.code() + " " + error.at() + " " + error.path();
        }
    }

    /** A value with lists in the place of arrays, maps and sets. */
    static Object plain(Object value) {
        List<Object> parts = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, one) -> parts.add(List.of("entry", plain(key), plain(one))));
        } else if (value instanceof List<?> || value instanceof Set<?>) {
            ((Iterable<?>) value).forEach(one -> parts.add(plain(one)));
        } else if (value != null && value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                parts.add(plain(Array.get(value, i)));
            }
        } else {
            return value == null ? "null" : value;
        }
        return parts;
    }
}
