package io.samewire.pack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.peers.Schemas;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.Notation;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/**
 * Java's side of the matrix ({@code spec/matrix/README.md}): {@code encode SCHEMAS VALUES OUT} or {@code reencode
 * SCHEMAS VALUES IN OUT}.
 */
public final class Peer {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();

    private final Map<String, TypeRef<?>> types = new HashMap<>();
    private final Map<String, CodecBuilder<?>> builders = new HashMap<>();
    private final Map<String, Codec<Object>> codecs = new HashMap<>();

    private Peer(Path schemas) throws IOException {
        for (JsonNode entry : MAPPER.readTree(schemas.toFile())) {
            String id = entry.get("id").textValue();
            TypeRef<?> type = Schemas.TYPES.get(id);
            if (type == null) {
                throw new IllegalStateException("no native type was emitted for " + id);
            }
            types.put(id, type);
        }
    }

    /** Runs the protocol; exits with 0 when all lines are written. */
    public static void main(String[] args) throws IOException {
        Peer peer = new Peer(Path.of(args[1]));
        boolean again = args[0].equals("reencode");
        Path out = Path.of(args[again ? 4 : 3]);
        try (BufferedReader values = Files.newBufferedReader(Path.of(args[2]));
            BufferedReader messages = again ? Files.newBufferedReader(Path.of(args[3])) : null;
            BufferedWriter lines = Files.newBufferedWriter(out)) {
            for (String line = values.readLine(); line != null; line = values.readLine()) {
                lines.write(peer.answer(MAPPER.readTree(line), again ? messages.readLine() : null));
                lines.write('\n');
            }
        }
    }

    @SuppressWarnings("unchecked") // The values come from the same type.
    private Codec<Object> codec(String id, String profile) {
        return codecs.computeIfAbsent(id + profile, key -> (Codec<Object>) builders
            .computeIfAbsent(id, name -> Pack.builder(types.get(name)))
            .profile(Profile.valueOf(profile.toUpperCase(Locale.ROOT))).build());
    }

    private String answer(JsonNode line, String message) {
        String id = line.get("schema").textValue();
        try {
            Codec<Object> codec = codec(id, line.get("profile").textValue());
            Object value = message == null ? Notation.read(types.get(id), line.get("value"))
                : codec.decode(HEX.parseHex(message));
            return HEX.formatHex(codec.encode(value));
        } catch (SamewireException error) {
            return "error " + error.code() + " " + (error.path() == null ? "-" : error.path());
        }
    }
}
