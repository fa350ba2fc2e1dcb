package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.SamewireException;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of named modules, compiled against this module and run in a layer of its own. */
class ModulePathTest {
    private static final Map<String, String> SOURCES = Map.of(
        "module-info.java", """
            module shop {
                requires io.samewire.pack;
                exports shop;
                opens shop.model to io.samewire.pack;
            }
            """,
        "shop/model/Order.java", """
            package shop.model;

            import io.samewire.pack.Nullable;
            import java.util.List;
            import java.util.Map;

            public record Order(String id, List<Line> lines, Map<String, Status> states, @Nullable Payment payment) {
                private record Line(int count, double price) {}

                private enum Status { OPEN, SHIPPED }

                sealed interface Payment permits Card, Cash {}

                private record Card(String number) implements Payment {}

                record Cash() implements Payment {}

                public static Order example() {
                    return new Order("1", List.of(new Line(2, 1.5)), Map.of("a", Status.SHIPPED), new Card("4711"));
                }
            }
            """,
        "shop/model/Bean.java", """
            package shop.model;

            public class Bean {
                private int hidden;
                protected String shown;

                public static String through(io.samewire.pack.Codec<Bean> codec) {
                    Bean bean = new Bean();
                    bean.hidden = 7;
                    bean.shown = "shown";
                    Bean back = codec.decode(codec.encode(bean));
                    return back.shown + back.hidden;
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
            import io.samewire.pack.Codec;
            import io.samewire.pack.Pack;
            import shop.closed.Closed;
            import shop.model.Bean;
            import shop.model.Order;

            public final class Program {
                public record Exported(String name, int size) {}

                public static boolean open() {
                    Codec<Order> codec = Pack.codec(Order.class);
                    return codec.decode(codec.encode(Order.example())).equals(Order.example());
                }

                public static String bean() {
                    return Bean.through(Pack.codec(Bean.class));
                }

                public static String exported() {
                    Codec<Exported> codec = Pack.codec(Exported.class);
                    String back = codec.decode(codec.encode(new Exported("a", 1))).toString();
                    try {
                        codec.encode(new Exported(null, 1));
                        return "no error";
                    } catch (SamewireException error) {
                        return back + " " + error.code() + " " + error.path();
                    }
                }

                public static String closed() {
                    try {
                        Pack.codec(Closed.class);
                        return "no error";
                    } catch (SamewireException error) {
                        return error.getMessage();
                    }
                }

                public static String module() {
                    return Pack.class.getModule().toString();
                }
            }
            """);

    private static Class<?> program;

    @BeforeAll
    static void compileAndLoad(@TempDir Path folder) throws Exception {
        List<Path> modules = List.of(home(Pack.class), home(SamewireException.class),
            home(org.objectweb.asm.ClassWriter.class));
        List<String> arguments = new ArrayList<>(List.of("-d", folder.resolve("classes").toString(),
            "--module-path", String.join(File.pathSeparator, modules.stream().map(Path::toString).toList())));
        for (Map.Entry<String, String> source : SOURCES.entrySet()) {
            Path file = folder.resolve("source").resolve(source.getKey());
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler().run(null, complaints, complaints,
            arguments.toArray(new String[0]));
        assertEquals(0, status, () -> complaints.toString(StandardCharsets.UTF_8));
        ModuleFinder finder = ModuleFinder.compose(ModuleFinder.of(folder.resolve("classes")),
            ModuleFinder.of(modules.toArray(new Path[0])));
        ModuleLayer boot = ModuleLayer.boot();
        ModuleLayer layer = boot.defineModulesWithOneLoader(
            boot.configuration().resolve(finder, ModuleFinder.of(), Set.of("shop")),
            ClassLoader.getPlatformClassLoader());
        program = layer.findLoader("shop").loadClass("shop.Program");
    }

    private static Path home(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static Object call(String method) throws ReflectiveOperationException {
        return program.getMethod(method).invoke(null);
    }

    @Test
    void thisIsAModule() throws ReflectiveOperationException {
        assertEquals("module io.samewire.pack", call("module"));
    }

    @Test
    void whatIsOpenNeedsNotBePublic() throws ReflectiveOperationException {
        assertEquals(true, call("open"));
        assertEquals("shown7", call("bean"));
    }

    @Test
    void whatIsPublicAndExportedNeedsNotBeOpen() throws ReflectiveOperationException {
        assertEquals("Exported[name=a, size=1] type_mismatch $.name", call("exported"));
    }

    @Test
    void whatIsNeitherIsToldWhatToDo() throws ReflectiveOperationException {
        String message = (String) call("closed");
        assertTrue(message.startsWith("misuse: ") && message.contains("open its package to io.samewire.pack"), message);
    }
}
