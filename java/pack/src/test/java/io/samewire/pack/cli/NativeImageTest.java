package io.samewire.pack.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.core.SamewireException;
import io.samewire.pack.As;
import io.samewire.pack.Codec;
import io.samewire.pack.Converter;
import io.samewire.pack.Nullable;
import io.samewire.pack.Pack;
import io.samewire.pack.Shared;
import io.samewire.pack.TypeRef;
import io.samewire.peers.Schemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The metadata for native images that the command writes has every class that a program's codecs look at: a JVM records
 * these while the program runs, interpreted.
 */
class NativeImageTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path OWN = Path.of(System.getProperty("samewire.root"),
        "java/pack/src/main/resources/META-INF/native-image/io.samewire/samewire-pack/reflect-config.json");
    /**
     * Where names are constants: the builder of images registers what they name. Other classes of that kind ask for
     * nothing here.
     */
    private static final Set<String> CONSTANT = Set.of("io.samewire.pack.wire.Memory",
        "io.samewire.pack.records.ZstdLibrary");

    private sealed interface Part permits Bolt, Sheet {}

    private record Bolt(int length, @As(Inches.class) Double width) implements Part {}

    private sealed interface Sheet extends Part permits Plate {}

    private record Plate(double area, @Nullable String coat) implements Sheet {}

    private enum State { NEW, OLD }

    private static class Item {
        private String name = "";
    }

    private static final class Order extends Item {
        private State state = State.NEW;
        private Part[] parts = {};
        private Vector<Line> lines = new Vector<>();
        private Map<State, Line[]> byState = Map.of();
        private @Shared Line first = new Line(0, Optional.empty());
        private URI at = URI.create("a:b");
        private Money price = new Money(1);
    }

    private record Line(long count, Optional<String> text) {}

    private record Money(long cents) {}

    /** Of what {@code @As} names. */
    static final class Inches implements Converter<Double, String> {
        @Override
        public String encode(Double value) {
            return value.toString();
        }

        @Override
        public Double decode(String wire) {
            return Double.valueOf(wire);
        }
    }

    /** Of what the builder is given. */
    static final class Cents implements Converter<Money, Long> {
        @Override
        public Long encode(Money value) {
            return value.cents();
        }

        @Override
        public Money decode(Long wire) {
            return new Money(wire);
        }
    }

    /** The program that is recorded. */
    static final class Program {
        static final TypeRef<Map<String, List<Line>>> LINES = new TypeRef<>() {};
        static final TypeRef<kotlin.Pair<String, Line>> PAIR = new TypeRef<>() {};
        static final List<TypeRef<?>> SCALA = List.of(new TypeRef<scala.collection.immutable.List<String>>() {},
            new TypeRef<scala.collection.immutable.Vector<String>>() {},
            new TypeRef<scala.collection.immutable.Seq<Line>>() {}, new TypeRef<scala.Option<Line>>() {},
            new TypeRef<scala.collection.immutable.Set<String>>() {},
            new TypeRef<scala.collection.immutable.Map<String, Line>>() {},
            new TypeRef<scala.math.BigDecimal>() {}, new TypeRef<scala.math.BigInt>() {});

        private Program() {}

        public static void main(String[] arguments) {
            Codec<Order> orders = Pack.builder(Order.class).converter(new Cents()).build();
            Order order = new Order();
            order.parts = new Part[] {new Bolt(3, 0.5), new Plate(2.25, null)};
            order.lines.add(new Line(1, Optional.of("a")));
            order.byState = Map.of(State.OLD, new Line[] {new Line(2, Optional.empty())});
            Order back = orders.decode(orders.encode(order));
            System.out.println(List.of(back.parts) + " " + back.lines + back.byState.get(State.OLD)[0] + back.price);
            Codec<Map<String, List<Line>>> lines = Pack.codec(LINES);
            System.out.println(lines.decode(lines.encode(Map.of("k", List.of(back.first)))));
            Codec<kotlin.Pair<String, Line>> pairs = Pack.codec(PAIR);
            System.out.println(pairs.decode(pairs.encode(new kotlin.Pair<>("l", back.first))));
            List<TypeRef<?>> others = new ArrayList<>(SCALA);
            others.addAll(Schemas.TYPES.values());
            for (TypeRef<?> type : others) {
                try {
                    Pack.codec(type).decode(new byte[0]);
                } catch (SamewireException truncated) {
                    continue;
                }
            }
        }
    }

    private record Ran(int code, String out, String err) {}

    private static Ran run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(List.of(arguments), new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Ran(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static Map<String, JsonNode> entries(Path file) throws IOException {
        Map<String, JsonNode> entries = new TreeMap<>();
        for (JsonNode entry : JSON.readTree(file.toFile())) {
            entries.put(entry.get("name").textValue(), entry);
        }
        return entries;
    }

    /** Runs the program in another JVM, and returns what it looked at, a line for each. */
    private static List<String> recorded(Path folder) throws IOException, InterruptedException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", RecordingAgent.class.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        Path agent = folder.resolve("agent.jar");
        new JarOutputStream(Files.newOutputStream(agent), manifest).close();
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
            "-javaagent:" + agent + "=" + folder.resolve("uses"), "-Dsamewire.pack.interpret=true",
            "-cp", System.getProperty("java.class.path"), Program.class.getName())
            .redirectErrorStream(true).redirectOutput(output.toFile()).start();
        int code = process.waitFor();
        String printed = Files.readString(output);
        assertEquals(0, code, printed);
        assertEquals(List.of(
            "[Bolt[length=3, width=0.5], Plate[area=2.25, coat=null]] [Line[count=1, text=Optional[a]]]Line[count=2,"
            + " text=Optional.empty]Money[cents=1]", "{k=[Line[count=0, text=Optional.empty]]}",
            "(l, Line[count=0, text=Optional.empty])"), printed.lines().toList());
        return Files.readAllLines(folder.resolve("uses"));
    }

    private static boolean has(JsonNode entry, String... flags) {
        for (String flag : flags) {
            if (entry.path(flag).booleanValue()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isGranted(String kind, String name, Map<String, JsonNode> entries)
        throws ClassNotFoundException {
        String type = name.startsWith("[") ? Class.forName(name).getTypeName() : name;
        JsonNode entry = entries.get(kind.equals("array") ? type + "[]" : type);
        return entry != null && switch (kind) {
            case "fields" -> has(entry, "allDeclaredFields", "allPublicFields");
            case "methods" -> has(entry, "allDeclaredMethods", "allPublicMethods");
            case "constructors" -> has(entry, "allDeclaredConstructors", "allPublicConstructors");
            case "components" -> has(entry, "allRecordComponents");
            case "subclasses" -> has(entry, "allPermittedSubclasses");
            default -> true;
        };
    }

    private static List<String> types() {
        List<String> types = new ArrayList<>(List.of(Order.class.getName(), Cents.class.getName(),
            Program.LINES.getClass().getName(), Program.PAIR.getClass().getName()));
        Program.SCALA.forEach(type -> types.add(type.getClass().getName()));
        Schemas.TYPES.values().forEach(type -> types.add(type.getClass().getName()));
        return types;
    }

    @Test
    void registersAllThatARunningProgramLooksAt(@TempDir Path folder) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("native-image", folder.resolve("made").toString()));
        arguments.addAll(types());
        Ran ran = run(arguments.toArray(String[]::new));
        assertEquals(0, ran.code(), ran.err());
        Map<String, JsonNode> entries = entries(folder.resolve("made/reflect-config.json"));
        assertFalse(entries.keySet().stream().anyMatch(Set.copyOf(entries(OWN).keySet())::contains));
        entries.putAll(entries(OWN));
        Set<String> missing = new TreeSet<>();
        Set<String> used = new TreeSet<>();
        for (String line : recorded(folder)) {
            String[] words = line.split(" ");
            used.add(words[0] + " " + words[1]);
            if (!CONSTANT.contains(words[2]) && !isGranted(words[0], words[1], entries)) {
                missing.add(line);
            }
        }
        assertEquals(Set.of(), missing);
        // The recording works.
        assertTrue(used.containsAll(Set.of("subclasses " + Sheet.class.getName(), "components " + Plate.class.getName(),
            "fields " + Item.class.getName(), "constructors " + Inches.class.getName())), used::toString);
    }

    @Test
    void classesOfScalaHaveTheirFiles(@TempDir Path folder) throws IOException {
        Ran ran = run("native-image", folder.toString(), Program.SCALA.get(0).getClass().getName());
        assertEquals(2, ran.out().lines().count(), ran.out());
        List<String> patterns = new ArrayList<>();
        JSON.readTree(folder.resolve("resource-config.json").toFile()).at("/resources/includes")
            .forEach(one -> patterns.add(one.get("pattern").textValue()));
        assertTrue(patterns.contains("\\Qscala/collection/immutable/List.class\\E"), patterns::toString);
        assertTrue(patterns.contains("\\Qscala/collection/immutable/List.tasty\\E"), patterns::toString);
    }

    @Test
    void writesWhatAProgramNeedsAndNoMore(@TempDir Path folder) throws IOException {
        Ran ran = run("native-image", folder.toString(), Line.class.getName());
        assertEquals("wrote " + folder.resolve("reflect-config.json") + System.lineSeparator(), ran.out());
        assertEquals("""
            [
              {"name": "io.samewire.pack.cli.NativeImageTest$Line", "allDeclaredConstructors": true, \
            "allDeclaredMethods": true,
                "allDeclaredFields": true, "allRecordComponents": true, "allPermittedSubclasses": true}
            ]
            """, Files.readString(folder.resolve("reflect-config.json")));
    }

    @Test
    void saysWhatIsWrong(@TempDir Path folder) throws IOException {
        String at = folder.toString();
        assertTrue(run("--help").out().startsWith("usage: java -cp CLASSPATH"));
        assertEquals(2, run().code());
        assertTrue(run("native-image", at).err().contains("expected native-image FOLDER TYPE"));
        assertTrue(run("native-image", at, "shop.None").err().contains("expected the name of a class on the class"));
        assertTrue(run("native-image", at, "java.util.List").err().contains("hand over a TypeRef"));
        assertTrue(run("native-image", at, "java.lang.Thread").err().startsWith("samewire-pack: java.lang.Thread: "));
        Path file = Files.createFile(folder.resolve("file"));
        Ran unwritable = run("native-image", file.toString(), Line.class.getName());
        assertEquals(1, unwritable.code());
        assertTrue(unwritable.err().startsWith("samewire-pack: cannot write: "), unwritable.err());
    }
}
