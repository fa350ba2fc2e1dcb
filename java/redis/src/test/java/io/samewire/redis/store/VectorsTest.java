package io.samewire.redis.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.pack.Codec;
import io.samewire.pack.CodecBuilder;
import io.samewire.pack.Name;
import io.samewire.pack.Nullable;
import io.samewire.pack.Pack;
import io.samewire.pack.Profile;
import io.samewire.pack.TypeRef;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Every case of {@code spec/vectors/typed}, on a real server. */
class VectorsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final Path ROOT = Path.of(System.getProperty("samewire.root"));
    private static final Map<String, Integer> EXECUTED = new TreeMap<>();

    private static ValkeyServer server;
    private static RedisClient client;

    record Book(String name, int year) { }

    @Name("Book")
    record LaterBook(long year, @Nullable String author, String name) { }

    @Name("Book")
    record ShortBook(String name) { }

    @Name("a b")
    record Quoted(@Name("ß") boolean sharp) { }

    /** The types of all schemas of the vectors; a new schema needs one here. */
    private static final Map<String, CodecBuilder<?>> TYPES = Stream.of(Pack.builder(Book.class),
        Pack.builder(LaterBook.class), Pack.builder(ShortBook.class), Pack.builder(Quoted.class),
        Pack.builder(long.class), Pack.builder(String.class), Pack.builder(int[].class), Pack.builder(double[].class),
        Pack.builder(new TypeRef<@Nullable Integer>() { }))
        .collect(Collectors.toMap(type -> type.build().schema().text(), Function.identity()));

    @BeforeAll
    static void start() {
        server = ValkeyServer.start();
        client = RedisClient.connect(server.uri());
    }

    @AfterAll
    static void stop() throws IOException {
        client.close();
        server.close();
        Path folder = Files.createDirectories(ROOT.resolve("build/executed"));
        MAPPER.writerWithDefaultPrettyPrinter().writeValue(folder.resolve("java-typed.json").toFile(),
            Map.of("vectors", EXECUTED));
    }

    @TestFactory
    Stream<DynamicTest> vectors() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("spec/vectors/typed"))) {
            for (Path file : files.sorted().toList()) {
                String name = "typed/" + file.getFileName();
                EXECUTED.put(name, 0);
                for (JsonNode vector : MAPPER.readTree(file.toFile()).get("cases")) {
                    tests.add(DynamicTest.dynamicTest(name + ": " + vector.get("name").textValue(), () -> {
                        run(vector, TYPES.get(vector.get("schema").textValue()));
                        EXECUTED.merge(name, 1, Integer::sum);
                    }));
                }
            }
        }
        return tests.stream();
    }

    private static void run(JsonNode vector, CodecBuilder<?> type) {
        client.execute(Server.flushall());
        switch (vector.get("kind").textValue()) {
            case "written" -> written(vector, type);
            case "read" -> read(vector, type.profile(Profile.COMPACT).build());
            case "refused" -> refused(vector, type.build());
            default -> throw new AssertionError("no such kind: " + vector);
        }
    }

    private static byte[] hex(JsonNode vector, String field) {
        return HEX.parseHex(vector.get(field).textValue());
    }

    private static byte[] held(String key) {
        return client.execute(Strings.get(key).as(Text.BYTES)).orElseThrow();
    }

    /** The notation is not read here: a reader of the same type reads the value, and another store writes it. */
    private static <T> void written(JsonNode vector, CodecBuilder<T> type) {
        byte[] data = hex(vector, "hex");
        client.execute(Strings.set("given:x", Bytes.wrap(data)));
        Profile profile = Profile.valueOf(vector.get("profile").textValue().toUpperCase(Locale.ROOT));
        TypedValues<T> typed = client.typed(type.profile(profile).build());
        T value = typed.store("given:").get("x").orElseThrow();
        typed.store("made:").put("x", value);
        typed.store("many:").putAll(Map.of("x", value));
        assertArrayEquals(data, held("made:x"));
        assertArrayEquals(data, held("many:x"));
        assertArrayEquals(hex(vector, "text"), held(vector.get("key").textValue()));
    }

    /** The store of a reader, with the value and the schemas in the server. */
    private static <T> Store<T> given(JsonNode vector, Codec<T> codec) {
        client.execute(Strings.set("x", Bytes.wrap(hex(vector, "hex"))));
        vector.get("keys").properties().forEach(key ->
            client.execute(Strings.set(key.getKey(), Bytes.wrap(HEX.parseHex(key.getValue().textValue())))));
        return client.typed(codec).store("");
    }

    private static <T> void read(JsonNode vector, Codec<T> codec) {
        Store<T> store = given(vector, codec);
        for (T value : List.of(store.get("x").orElseThrow(), store.getAll(List.of("x")).get(0).orElseThrow(),
                store.get("x").orElseThrow())) {
            assertEquals(vector.get("canonical").textValue(), HEX.formatHex(codec.withoutDigest().encode(value)));
        }
    }

    private static <T> void refused(JsonNode vector, Codec<T> codec) {
        Store<T> store = given(vector, codec);
        List<Executable> attempts = List.of(() -> store.get("x"), () -> store.getAll(List.of("x")),
            () -> store.update("x", Function.identity()));
        String wanted = vector.get("error").textValue() + " at " + vector.get("at").asLong(-1) + " in "
            + vector.get("path").textValue();
        for (Executable attempt : attempts) {
            StoredValueException error = assertThrows(StoredValueException.class, attempt);
            assertEquals(wanted, error.code() + " at " + error.at() + " in " + error.path());
        }
        assertArrayEquals(hex(vector, "hex"), held("x"));
    }
}
