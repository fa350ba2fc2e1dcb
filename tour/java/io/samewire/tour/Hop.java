package io.samewire.tour;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.samewire.pack.Codec;
import io.samewire.pack.Pack;
import io.samewire.pack.Profile;
import io.samewire.pack.TypeRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The hop through Java: decodes what came to typed objects, encodes them again, and times it beside Jackson, msgpack and Fory.
 *
 * <p>Usage: {@code Hop WORK INCOMING}, INCOMING being the language whose messages it takes.
 */
public final class Hop {
    private static final String TYPES = "io.samewire.tour.types.";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** How much longer the JVM's compiler takes than those of the other languages until figures hold still. */
    private static final double WARM_UP = 3;

    private Hop() {}

    /** One way to write a data set; without data it is a peer that cannot, and {@code refused} says why. */
    private record Way(String name, byte[] data, Supplier<Object> encode, Supplier<Object> decode, String refused) {
        static <T> Way of(String name, T value, Function<T, byte[]> encode, Function<byte[], ?> decode) {
            byte[] data = encode.apply(value);
            decode.apply(data);
            return new Way(name, data, () -> encode.apply(value), () -> decode.apply(data), null);
        }

        /** A peer may throw any exception: the tour goes on without it. */
        static Way peer(String name, Callable<Way> way) {
            try {
                return way.call();
            } catch (Exception broken) {
                return new Way(name, null, null, null, String.valueOf(broken.getMessage()));
            }
        }
    }

    /** Runs every data set of the plan. */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Path work = Path.of(arguments[0]);
        JsonNode plan = JSON.readTree(work.resolve("tour.json").toFile());
        ObjectNode report = JSON.createObjectNode();
        report.put("runtime", "JDK " + Runtime.version().feature());
        ObjectNode sets = report.putObject("sets");
        for (JsonNode set : plan.get("sets")) {
            Path folder = work.resolve(set.get("id").asText());
            byte[] incoming = Files.readAllBytes(folder.resolve(arguments[1] + ".pack"));
            List<Way> ways = ways(root(set.get("outer").asText()), set.get("outer").asText(), incoming, folder);
            Files.write(folder.resolve("java.pack"), ways.get(0).data());
            time(ways, plan, folder, sets.putArray(set.get("id").asText()));
        }
        JSON.writeValue(work.resolve("java.json").toFile(), report);
    }

    private static TypeRef<?> root(String outer) throws ReflectiveOperationException {
        return (TypeRef<?>) Class.forName(TYPES + outer).getField("TYPE").get(null);
    }

    private static <T> List<Way> ways(TypeRef<T> type, String outer, byte[] incoming, Path folder)
            throws IOException, ReflectiveOperationException {
        Codec<T> compact = Pack.codec(type);
        Codec<T> fast = Pack.builder(type).profile(Profile.FAST).build();
        T value = compact.decode(incoming);
        TypeRef<?> plain = root(outer + "Plain");
        byte[] text = Files.readAllBytes(folder.resolve("plain.json"));
        return List.of(
                Way.of("Samewire compact", value, compact::encode, compact::decode),
                Way.of("Samewire fast", value, fast::encode, fast::decode),
                Way.peer("JSON (Jackson)", () -> {
                    Peers.WithJackson json = Peers.json(plain);
                    return Way.of("JSON (Jackson)", json.decode(text), json::encode, json::decode);
                }),
                Way.peer("msgpack (Jackson)", () -> {
                    Peers.WithJackson msgpack = Peers.msgpack(plain);
                    return Way.of("msgpack (Jackson)", Peers.json(plain).decode(text), msgpack::encode, msgpack::decode);
                }),
                Way.peer("Fory", () -> {
                    Peers.WithFory fory = new Peers.WithFory(Class.forName(TYPES + outer));
                    return Way.of("Fory", (Object) value, fory::encode, fory::decode);
                }));
    }

    private static void time(List<Way> ways, JsonNode plan, Path folder, ArrayNode rows) throws IOException {
        Map<Way, Timing.Operation> encodes = operations(ways, Way::encode);
        Map<Way, Timing.Operation> decodes = operations(ways, Way::decode);
        List<Timing.Operation> all = new ArrayList<>(encodes.values());
        all.addAll(decodes.values());
        Timing.measure(all, WARM_UP * plan.get("warm").asDouble(), plan.get("rounds").asInt(), plan.get("round").asDouble());
        for (Way way : ways) {
            ObjectNode row = rows.addObject().put("name", way.name());
            if (way.refused() != null) {
                row.put("refused", way.refused());
                continue;
            }
            String file = "java-" + rows.size() + ".bin";
            Files.write(folder.resolve(file), way.data());
            row.put("ours", way.name().startsWith("Samewire")).put("file", file);
            row.set("encode", JSON.valueToTree(encodes.get(way).cpu()));
            row.set("decode", JSON.valueToTree(decodes.get(way).cpu()));
        }
    }

    private static Map<Way, Timing.Operation> operations(List<Way> ways, Function<Way, Supplier<Object>> part) {
        Map<Way, Timing.Operation> operations = new LinkedHashMap<>();
        for (Way way : ways) {
            if (way.refused() == null) {
                operations.put(way, new Timing.Operation(part.apply(way)));
            }
        }
        return operations;
    }
}
