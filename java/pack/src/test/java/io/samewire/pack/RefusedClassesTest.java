package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.SamewireException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that refuses to define classes, without an option that announces it: codecs interpret their types. */
class RefusedClassesTest {
    private sealed interface Part permits Bolt, Plate {}

    private record Bolt(int length, float width) implements Part {}

    private record Plate(double area, @Nullable String coat) implements Part {}

    private enum State { NEW, OLD }

    private record Stock(String name, State state, List<Part> parts, Map<String, Long> counts, Optional<Stock> next,
        @Unsigned int[] numbers, boolean sold) {}

    private record Pair(String left, long right) {}

    /** What both JVMs print. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try {
                MethodHandles.lookup().defineHiddenClass(new byte[0], false);
            } catch (IllegalAccessException | LinkageError refused) {
                System.out.println(refused.getMessage());
            }
            System.out.print(report());
        }

        static String report() {
            StringBuilder report = new StringBuilder();
            for (Profile profile : Profile.values()) {
                Codec<Stock> codec = Pack.builder(Stock.class).profile(profile).build();
                Stock inner = new Stock("in", State.OLD, List.of(), Map.of(), Optional.empty(), new int[] {-1}, false);
                Stock stock = new Stock("größe", State.NEW, List.of(new Bolt(3, 0.5f), new Plate(2.25, null)),
                    Map.of("Ж", -7L), Optional.of(inner), new int[] {1, 2}, true);
                byte[] bytes = codec.encode(stock);
                report.append(HexFormat.of().formatHex(bytes)).append('\n');
                Stock back = codec.decode(bytes);
                report.append(back.parts()).append(back.counts()).append(back.next().orElseThrow().numbers()[0]);
                report.append(HexFormat.of().formatHex(codec.encode(back))).append('\n');
                for (int end = 0; end < bytes.length; end++) {
                    byte[] cut = java.util.Arrays.copyOf(bytes, end);
                    SamewireException error = assertThrows(SamewireException.class, () -> codec.decode(cut));
                    report.append(error.getMessage()).append('\n');
                }
                Stock bad = new Stock("a", State.NEW, new ArrayList<>(List.of(new Plate(1, "\ud800"))), Map.of(),
                    Optional.empty(), new int[0], false);
                report.append(assertThrows(SamewireException.class, () -> codec.encode(bad)).getMessage()).append('\n');
                List<Pair> pairs = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    pairs.add(new Pair("n" + i % 7, i * 1_000_003L));
                }
                Codec<List<Pair>> columns = Pack.builder(new TypeRef<List<Pair>>() {}).profile(profile).build();
                report.append(HexFormat.of().formatHex(columns.encode(pairs))).append('\n');
                report.append(columns.decode(columns.encode(pairs)).equals(pairs)).append('\n');
            }
            return report.toString();
        }
    }

    private static String program(Path folder, String option) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", option,
            "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", System.getProperty("java.class.path"),
            Program.class.getName()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertEquals(0, process.waitFor(), () -> text(output));
        return text(output);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    @Test
    void writesAndReadsTheSameWhereNoClassCanBeDefined(@TempDir Path folder) throws Exception {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", RefusingAgent.class.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        Path agent = folder.resolve("agent.jar");
        new JarOutputStream(Files.newOutputStream(agent), manifest).close();
        assertEquals("classes cannot be defined here\n" + Program.report(), program(folder, "-javaagent:" + agent));
    }
}
