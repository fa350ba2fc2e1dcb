package io.samewire.redis.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.ValkeyServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program of {@code docs/redis-spring.md} prints what the page says. */
@Timeout(120)
class QuickStartTest {
    private static final Pattern PROGRAM = Pattern.compile("```java\\n(.*?)```\\s+```text\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    void programOfThePagePrintsWhatItSays() throws Exception {
        Path root = Path.of(System.getProperty("samewire.root", "../.."));
        Matcher page = PROGRAM.matcher(Files.readString(root.resolve("docs/redis-spring.md")));
        assertTrue(page.find());
        Path source = Files.writeString(folder.resolve("Shop.java"), page.group(1));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-nowarn", "-parameters",
            "-proc:none", "-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            "-d", folder.toString(), source.toString()));
        PrintStream usual = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (ValkeyServer server = ValkeyServer.start();
                URLClassLoader classes = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            System.setProperty("REDIS_URL", server.uri());
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            Thread.currentThread().setContextClassLoader(classes);
            classes.loadClass("Shop").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            System.setOut(usual);
            System.clearProperty("REDIS_URL");
        }
        assertEquals(page.group(2), printed.toString(StandardCharsets.UTF_8));
    }
}
