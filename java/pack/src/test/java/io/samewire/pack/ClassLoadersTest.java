package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.SamewireException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Types of a class loader below the library, so of another module: of plug-ins, web applications, {@code java
 * Program.java}.
 */
class ClassLoadersTest {
    enum Suit {
        CLUBS, HEARTS
    }

    sealed interface Form permits Circle, Square {}

    record Circle(double radius) implements Form {}

    record Square(int side) implements Form {}

    record Hand(String owner, List<Suit> suits, Map<String, Form> forms, @Nullable Hand next) {
        static Hand example() {
            Map<String, Form> forms = new LinkedHashMap<>();
            forms.put("round", new Circle(1.5));
            forms.put("edged", new Square(3));
            Hand next = new Hand("Bob", List.of(), Map.of(), null);
            return new Hand("Ann", new ArrayList<>(List.of(Suit.HEARTS, Suit.CLUBS)), forms, next);
        }
    }

    public static class Plain {
        private int hidden = 7;
        public List<String> shown = new ArrayList<>(List.of("a"));
    }

    /** Defines this test's own classes afresh. */
    private static final class Below extends ClassLoader {
        Below() {
            super(ClassLoadersTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(ClassLoadersTest.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] code = file.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException absent) {
                throw new ClassNotFoundException(name, absent);
            }
        }
    }

    @SuppressWarnings("unchecked") // A class that this code cannot name.
    private static Codec<Object> codec(Class<?> type) {
        return (Codec<Object>) Pack.codec(type);
    }

    @Test
    void recordsEnumsAndUnions() throws ReflectiveOperationException {
        Class<?> theirs = new Below().loadClass(Hand.class.getName());
        assertNotSame(Hand.class, theirs);
        var example = theirs.getDeclaredMethod("example");
        example.setAccessible(true);
        Object value = example.invoke(null);
        Codec<Object> codec = codec(theirs);
        byte[] bytes = codec.encode(value);
        assertArrayEquals(Pack.codec(Hand.class).encode(Hand.example()), bytes);
        assertEquals(value, codec.decode(bytes));
    }

    @Test
    void classesByTheirFields() throws ReflectiveOperationException {
        Class<?> theirs = new Below().loadClass(Plain.class.getName());
        Codec<Object> codec = codec(theirs);
        byte[] bytes = codec.encode(theirs.getConstructor().newInstance());
        assertEquals(List.of("a"), theirs.getField("shown").get(codec.decode(bytes)));
        assertEquals(7, Pack.codec(Plain.class).decode(bytes).hidden);
    }

    @Test
    void nothingKeepsTheLoader() throws Exception {
        WeakReference<ClassLoader> loader = used();
        for (int i = 0; i < 100 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertNull(loader.get(), "something of this library holds it");
    }

    private static WeakReference<ClassLoader> used() throws ReflectiveOperationException {
        Class<?> theirs = new Below().loadClass(Plain.class.getName());
        Codec<Object> codec = codec(theirs);
        byte[] bytes = codec.encode(theirs.getConstructor().newInstance());
        assertEquals(theirs, codec.decode(bytes).getClass());
        assertThrows(SamewireException.class, () -> codec.encode(null));
        assertThrows(SamewireException.class, () -> codec.decode(new byte[] {(byte) 0x80}));
        codec.resolve("struct Plain { more: i8, hidden: i16, shown: list<string> }");
        return new WeakReference<>(theirs.getClassLoader());
    }
}
