package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Tests written in another language of the JVM: each method without parameters of their class is one. The compiler runs
 * in a JVM of its own, some 8 s, and only if its output for these sources and options is not yet in {@code build}.
 */
final class SampleCompiler {
    private static final Path ROOT = Path.of(System.getProperty("samewire.root")).toAbsolutePath().normalize();

    private SampleCompiler() {}

    /** On the class path, and as a named module that opens its package to {@code pack}. */
    static Stream<DynamicTest> tests(List<String> folders, String compiler, List<String> options, String tests) {
        try {
            Path classes = compiled(folders, compiler, options);
            ClassLoader unnamed = new URLClassLoader(new URL[] {classes.toUri().toURL()},
                SampleCompiler.class.getClassLoader());
            return Stream.concat(tests(unnamed, tests, ""),
                tests(SampleModule.loader(classes), tests, ", in a named module"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (NoSuchAlgorithmException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Stream<DynamicTest> tests(ClassLoader loader, String tests, String where) {
        try {
            Class<?> type = Class.forName(tests, true, loader);
            return Arrays.stream(type.getMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 0
                    && !Modifier.isStatic(method.getModifiers()) && method.getReturnType() == void.class
                    && method.getDeclaringClass() != Object.class)
                .sorted(Comparator.comparing(Method::getName))
                .map(method -> DynamicTest.dynamicTest(method.getName() + where, () -> run(type, method)));
        } catch (ClassNotFoundException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void run(Class<?> type, Method method) throws Throwable {
        try {
            method.invoke(type.getDeclaredConstructor().newInstance());
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }

    private static Path compiled(List<String> folders, String compiler, List<String> options)
        throws IOException, InterruptedException, NoSuchAlgorithmException {
        List<Path> sources = new ArrayList<>();
        for (String folder : folders) {
            try (Stream<Path> all = Files.list(ROOT.resolve("java/pack/src/test").resolve(folder))) {
                all.sorted().forEach(sources::add);
            }
        }
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String entry : classPath.split(":")) {
            if (entry.endsWith(".jar")) {
                digest.update(Path.of(entry).getFileName().toString().getBytes(StandardCharsets.UTF_8));
            }
        }
        digest.update((compiler + options).getBytes(StandardCharsets.UTF_8));
        for (Path source : sources) {
            digest.update(Files.readAllBytes(source));
        }
        String key = HexFormat.of().formatHex(digest.digest(), 0, 8);
        Path made = ROOT.resolve("build/java/samples").resolve(folders.get(0) + "-" + key);
        if (Files.isDirectory(made)) {
            return made;
        }
        Files.createDirectories(made.getParent());
        Path fresh = Files.createTempDirectory(made.getParent(), folders.get(0));
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath, compiler, "-classpath", classPath, "-d",
            fresh.toString()));
        command.addAll(options);
        sources.forEach(source -> command.add(source.toString()));
        Path log = fresh.resolveSibling(fresh.getFileName() + ".log");
        int exit = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor();
        assertEquals(0, exit, () -> read(log));
        Files.delete(log);
        return Files.move(fresh, made, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
