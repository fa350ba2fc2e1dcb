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
import java.util.List;
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

    private Hop() {}

    /** One way to write a data set. */
    private record Way(String name, boolean ours, byte[] data, Supplier<Object> encode, Supplier<Object> decode) {
        static <T> Way of(String name, boolean ours, T value, Function<T, byte[]> encode, Function<byte[], ?> decode) {
            byte[] data = encode.apply(value);
            return new Way(name, ours, data, () -> encode.apply(value), () -> decode.apply(data));
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
        TypeRef<?> plainType = root(outer + "Plain");
        Peers.WithJackson json = Peers.json(plainType);
        Peers.WithJackson msgpack = Peers.msgpack(plainType);
        Object plain = json.decode(Files.readAllBytes(folder.resolve("plain.json")));
        Peers.WithFory fory = new Peers.WithFory(Class.forName(TYPES + outer));
        List<Way> ways = new ArrayList<>();
        ways.add(Way.of("Samewire compact", true, value, compact::encode, compact::decode));
        ways.add(Way.of("Samewire fast", true, value, fast::encode, fast::decode));
        ways.add(Way.of("JSON (Jackson)", false, plain, json::encode, json::decode));
        ways.add(Way.of("msgpack (Jackson)", false, plain, msgpack::encode, msgpack::decode));
        ways.add(Way.of("Fory", false, (Object) value, fory::encode, fory::decode));
        return ways;
    }

    private static void time(List<Way> ways, JsonNode plan, Path folder, ArrayNode rows) throws IOException {
        List<Timing.Operation> encodes = ways.stream().map(way -> new Timing.Operation(way.encode())).toList();
        List<Timing.Operation> decodes = ways.stream().map(way -> new Timing.Operation(way.decode())).toList();
        List<Timing.Operation> all = new ArrayList<>(encodes);
        all.addAll(decodes);
        Timing.measure(all, plan.get("warm").asDouble(), plan.get("rounds").asInt(), plan.get("round").asDouble());
        for (int i = 0; i < ways.size(); i++) {
            Way way = ways.get(i);
            String file = "java-" + i + ".bin";
            Files.write(folder.resolve(file), way.data());
            ObjectNode row = rows.addObject();
            row.put("name", way.name()).put("ours", way.ours()).put("file", file);
            row.set("encode", JSON.valueToTree(encodes.get(i).cpu()));
            row.set("decode", JSON.valueToTree(decodes.get(i).cpu()));
        }
    }
}
