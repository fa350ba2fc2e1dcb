package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A command that nobody executes is reported by Error Prone: whatever returns one is marked. */
class CheckReturnValueTest {
    @Test
    void marksAllThatReturnsACommand() throws Exception {
        URI classes = Command.class.getResource("Command.class").toURI();
        List<String> unmarked = new ArrayList<>();
        int found = 0;
        try (Stream<Path> files = Files.list(Path.of(classes).getParent())) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = file.getFileName().toString().replace(".class", "");
                if (name.equals("package-info")) {
                    continue;
                }
                Class<?> one = Class.forName(Command.class.getPackageName() + "." + name);
                for (Method method : one.getDeclaredMethods()) {
                    if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()
                        && Command.class.isAssignableFrom(method.getReturnType())) {
                        found++;
                        if (!isMarked(method)) {
                            unmarked.add(one.getSimpleName() + "." + method.getName());
                        }
                    }
                }
            }
        }
        assertTrue(found > 500, found + " methods");
        assertEquals(List.of(), unmarked);
    }

    private static boolean isMarked(Method method) {
        for (Class<?> one = method.getDeclaringClass(); one != null; one = one.getEnclosingClass()) {
            if (one.isAnnotationPresent(CheckReturnValue.class)) {
                return true;
            }
        }
        return method.isAnnotationPresent(CheckReturnValue.class);
    }
}
