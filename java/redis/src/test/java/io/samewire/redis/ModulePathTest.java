package io.samewire.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.SamewireException;
import io.samewire.pack.Pack;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.ValkeyServer;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of named modules that requires this one alone, run in a layer of its own against a real server. */
class ModulePathTest {
    private static final Map<String, String> SOURCES = Map.of(
        "module-info.java", """
            module shop {
                requires io.samewire.redis;
                exports shop;
                opens shop.model to io.samewire.pack;
            }
            """,
        "shop/model/Order.java", """
            package shop.model;

            import java.util.List;

            public record Order(String id, List<Line> lines) {
                private record Line(int count, double price) {}

                public static Order example(String id) {
                    return new Order(id, List.of(new Line(2, 1.5)));
                }
            }
            """,
        "shop/closed/Closed.java", """
            package shop.closed;

            public record Closed(int value) {}
            """,
        "shop/Program.java", """
            package shop;

            import io.samewire.core.SamewireException;
            import io.samewire.pack.Pack;
            import io.samewire.redis.client.RedisClient;
            import io.samewire.redis.command.Commands;
            import io.samewire.redis.command.Strings;
            import io.samewire.redis.resp.Reply;
            import io.samewire.redis.resp.RedisException;
            import io.samewire.redis.store.Store;
            import shop.closed.Closed;
            import shop.model.Order;

            public final class Program {
                public static String commands(String uri) {
                    try (RedisClient client = RedisClient.connect(uri)) {
                        client.execute(Strings.set("key", "value"));
                        Reply length = client.execute(Commands.of("STRLEN", "key"));
                        try {
                            client.execute(Strings.incr("key"));
                            return "no error";
                        } catch (RedisException error) {
                            return client.execute(Strings.get("key")).orElseThrow() + " " + length + " " + error.word();
                        }
                    }
                }

                public static boolean open(String uri) {
                    try (RedisClient client = RedisClient.connect(uri)) {
                        Store<Order> orders = client.typed(Pack.codec(Order.class)).store("order:");
                        orders.put("1", Order.example("1"));
                        return orders.get("1").orElseThrow().equals(Order.example("1"));
                    }
                }

                public static String closed(String uri) {
                    try (RedisClient client = RedisClient.connect(uri)) {
                        client.store(Closed.class, "closed:");
                        return "no error";
                    } catch (SamewireException error) {
                        return error.getMessage();
                    }
                }

                public static String module(String uri) {
                    return RedisClient.class.getModule().toString();
                }
            }
            """);
    private static final String INSIDE = """
        package shop;

        class Inside {
            io.samewire.redis.cli.Main main;
        }
        """;

    private static ValkeyServer server;
    private static List<Path> modules;
    private static Class<?> program;

    @BeforeAll
    static void compileAndLoad(@TempDir Path folder) throws Exception {
        modules = List.of(home(RedisClient.class), home(Pack.class), home(SamewireException.class),
            home(org.objectweb.asm.ClassWriter.class));
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        assertEquals(0, compile(folder, SOURCES, complaints), () -> complaints.toString(StandardCharsets.UTF_8));
        ModuleFinder finder = ModuleFinder.compose(ModuleFinder.of(folder.resolve("classes")),
            ModuleFinder.of(modules.toArray(new Path[0])));
        ModuleLayer boot = ModuleLayer.boot();
        ModuleLayer layer = boot.defineModulesWithOneLoader(
            boot.configuration().resolve(finder, ModuleFinder.of(), Set.of("shop")),
            ClassLoader.getPlatformClassLoader());
        program = layer.findLoader("shop").loadClass("shop.Program");
        server = ValkeyServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static int compile(Path folder, Map<String, String> sources, ByteArrayOutputStream complaints)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-d", folder.resolve("classes").toString(),
            "--module-path", String.join(File.pathSeparator, modules.stream().map(Path::toString).toList())));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = folder.resolve("source").resolve(source.getKey());
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        return ToolProvider.getSystemJavaCompiler().run(null, complaints, complaints, arguments.toArray(new String[0]));
    }

    private static Path home(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static Object call(String method) throws ReflectiveOperationException {
        return program.getMethod(method, String.class).invoke(null, server.uri());
    }

    @Test
    void thisIsAModule() throws ReflectiveOperationException {
        assertEquals("module io.samewire.redis", call("module"));
    }

    @Test
    void whatRequiresItAloneHasCommandsErrorsAndReplies() throws ReflectiveOperationException {
        assertEquals("value 5 ERR", call("commands"));
    }

    @Test
    void whatIsOpenToPackNeedsNotBePublicToBeStored() throws ReflectiveOperationException {
        assertEquals(true, call("open"));
    }

    @Test
    void whatIsNotOpenIsToldWhatToDo() throws ReflectiveOperationException {
        String message = (String) call("closed");
        assertTrue(message.startsWith("misuse: ") && message.contains("open its package to io.samewire.pack"), message);
    }

    @Test
    void theCommandLineIsNoPartOfIt(@TempDir Path folder) throws Exception {
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        assertNotEquals(0, compile(folder, Map.of("module-info.java", SOURCES.get("module-info.java")
            .replace("opens shop.model to io.samewire.pack;", ""), "shop/Inside.java", INSIDE), complaints));
        String text = complaints.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("package io.samewire.redis.cli is not visible"), text);
    }
}
