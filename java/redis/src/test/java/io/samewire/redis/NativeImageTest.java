package io.samewire.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.samewire.core.SamewireException;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What a native image must know of the client beyond its code: nothing. */
class NativeImageTest {
    private static final Map<String, List<String>> REFLECTIVE = Map.of(
        "java/lang/Class", List.of("forName", "newInstance", "getDeclared", "getField", "getMethod", "getConstructor",
            "getRecordComponents", "getPermittedSubclasses", "getResource"),
        "java/lang/ClassLoader", List.of("loadClass", "getResource", "getSystemResource"),
        "java/lang/invoke/MethodHandles$Lookup", List.of("find", "unreflect", "define"),
        "java/lang/reflect/Proxy", List.of("newProxyInstance"),
        "java/lang/reflect/Array", List.of("newInstance"),
        "java/util/ServiceLoader", List.of("load"),
        "java/util/ResourceBundle", List.of("getBundle"),
        "java/io/ObjectInputStream", List.of("<init>"),
        "java/lang/System", List.of("load"));

    private record Book(String name, int year, Optional<Book> next) {}

    private static void scan(Class<?> one, Set<String> found) throws IOException, URISyntaxException {
        Path place = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
            scan(place, found);
            return;
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            scan(jar.getPath("/"), found);
        }
    }

    private static void scan(Path folder, Set<String> found) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : files) {
            try (InputStream code = Files.newInputStream(file)) {
                ClassReader read = new ClassReader(code);
                read.accept(calls(read.getClassName(), found), ClassReader.SKIP_DEBUG);
            }
        }
    }

    private static ClassVisitor calls(String from, Set<String> found) {
        return new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                    String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMethodInsn(int opcode, String owner, String called, String type,
                            boolean isInterface) {
                        if (REFLECTIVE.getOrDefault(owner, List.of()).stream().anyMatch(called::startsWith)) {
                            found.add(from.substring(from.lastIndexOf('/') + 1) + " calls " + called);
                        }
                    }
                };
            }
        };
    }

    @Test
    void coreAndRedisUseNoReflection() throws Exception {
        Set<String> found = new TreeSet<>();
        scan(SamewireException.class, found);
        scan(RedisClient.class, found);
        // Fields that are constants: the builder of images finds them by itself.
        assertEquals(Set.of("Call calls findVarHandle", "Expiring calls findVarHandle"), found);
    }

    /** What a JVM with interpreted codecs prints. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (RedisClient client = RedisClient.connect(arguments[0])) {
                Store<Book> books = client.store(Book.class, "book:");
                books.put("1", new Book("a", 1, Optional.empty()));
                books.put("2", new Book("b", 2, books.get("1")));
                System.out.println(books.getAll(List.of("1", "2")));
            }
        }
    }

    @Test
    void storesWorkWithInterpretedCodecs(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        try (ValkeyServer server = ValkeyServer.start()) {
            Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-Dsamewire.pack.interpret=true", "-cp", System.getProperty("java.class.path"),
                Program.class.getName(), server.uri()).redirectErrorStream(true).redirectOutput(output.toFile())
                .start();
            int code = process.waitFor();
            assertEquals(0, code, Files.readString(output));
            assertEquals("[Optional[Book[name=a, year=1, next=Optional.empty]], Optional[Book[name=b, year=2, next="
                + "Optional[Book[name=a, year=1, next=Optional.empty]]]]]", Files.readString(output).strip());
            try (RedisClient client = RedisClient.connect(server.uri())) {
                assertEquals("b", client.store(Book.class, "book:").get("2").orElseThrow().name());
            }
        }
    }
}
