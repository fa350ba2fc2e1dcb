package io.samewire.bridge.invoke;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Output;
import io.samewire.bridge.wire.Tags;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Calls with arguments of every kind, for parameters of every type. */
class CallTest {
    /** What is called: each method returns the class and text of what it got. */
    public static final class Target {
        /** A constant. */
        public static final int CONSTANT = 7;
        /** A field of a class. */
        public static String shared = "before";
        /** A field. */
        public long field = 1;

        private static String shown(Object value) {
            String text = value instanceof Object[] ? Arrays.deepToString((Object[]) value)
                : value instanceof int[] ? Arrays.toString((int[]) value)
                : value instanceof double[] ? Arrays.toString((double[]) value) : String.valueOf(value);
            return value == null ? "null" : value.getClass().getSimpleName() + " " + text;
        }

        public static String object(Object value) {
            return shown(value);
        }

        public static String longs(List<Long> value) {
            long sum = 0;
            for (long one : value) {
                sum += one;
            }
            return shown(value) + " " + sum;
        }

        public static String grid(int[][] value) {
            return shown(value);
        }

        public static String boxed(Long value) {
            return shown(value);
        }

        public static String small(byte value) {
            return shown(value);
        }

        public static String single(float value) {
            return shown(value);
        }

        public static String character(char value) {
            return shown(value);
        }

        public static String unit(TimeUnit value) {
            return shown(value);
        }

        public static String buffer(ByteBuffer value) {
            return shown(value);
        }

        public static String sorted(SortedSet<String> value) {
            return shown(value);
        }

        public static String deque(Deque<Object> value) {
            return shown(value);
        }

        public static String tree(TreeMap<String, Double> value) {
            return shown(value) + value.get("a");
        }

        public static String nested(Map<String, List<Long>> value) {
            long sum = 0;
            for (long one : value.get("k")) {
                sum += one;
            }
            return shown(value) + sum;
        }

        public static String doubles(double[] value) {
            return shown(value);
        }

        public static String strings(String... value) {
            return shown(value);
        }

        public static String format(String format, Object... values) {
            return String.format(format, values);
        }

        public static <T extends Comparable<T>> T largest(Collection<T> values) {
            return Collections.max(values);
        }

        public static void fails() throws IOException {
            throw new IOException("as asked");
        }

        public static BigInteger large() {
            return BigInteger.ONE.shiftLeft(100);
        }

        public static int[] array() {
            return new int[] {1, 2, 3};
        }

        public static Map<String, Object> values() {
            Map<String, Object> made = new TreeMap<>();
            made.put("list", List.of(1, 2));
            made.put("mixed", Arrays.asList(1, "two", null));
            made.put("optional", Optional.of(2.5));
            made.put("set", Set.of("x"));
            made.put("unit", TimeUnit.DAYS);
            return made;
        }

        public static List<Object> cyclic() {
            List<Object> list = new ArrayList<>();
            list.add(list);
            return list;
        }
    }

    private final Caller caller = new Caller();

    private Object call(String member, Caller.Argument... arguments) throws Throwable {
        return caller.invokeStatic(Target.class, member, arguments);
    }

    private static Caller.Argument any(String kind, Consumer<Output> bytes) {
        return Caller.of(kind, bytes);
    }

    private static Caller.Argument listOf(int... values) {
        return any("list", out -> {
            out.varint(values.length);
            for (int value : values) {
                out.u8(Tags.I32);
                out.i32(value);
            }
        });
    }

    private void mismatch(String member, Caller.Argument... arguments) {
        SamewireException error = assertThrows(SamewireException.class, () -> call(member, arguments));
        assertEquals(Code.TYPE_MISMATCH, error.code());
        assertEquals(-1, error.at());
    }

    @Test
    void naturalTypesWhereObjectIsDeclared() throws Throwable {
        assertEquals("Integer 5", call("object", Caller.i32(5)));
        assertEquals("Long 5", call("object", Caller.i64(5)));
        assertEquals("Double 0.5", call("object", Caller.f64(0.5)));
        assertEquals("Boolean true", call("object", Caller.bool(true)));
        assertEquals("String x", call("object", Caller.text("x")));
        assertEquals("null", call("object", Caller.none()));
        assertEquals("ArrayList [1, 2]", call("object", Caller.ints("list<i32>", 1, 2)));
        assertEquals("int[] [1, 2]", call("object", Caller.ints("array<i32>", 1, 2)));
        assertEquals("ArrayList [3]", call("object", listOf(3)));
        assertEquals("Integer 3", call("object", any("any", out -> {
            out.u8(Tags.I32);
            out.i32(3);
        })));
    }

    @Test
    void numbersAreConvertedAndChecked() throws Throwable {
        assertEquals("Long 5", call("boxed", Caller.i32(5)));
        assertEquals("Byte -128", call("small", Caller.i32(-128)));
        assertEquals("Float 0.5", call("single", Caller.f64(0.5)));
        mismatch("small", Caller.i32(128));
        mismatch("single", Caller.f64(1e300));
        mismatch("boxed", Caller.f64(1));
        mismatch("small", Caller.bool(true));
        mismatch("small", Caller.none());
    }

    @Test
    void textsAreConvertedAndChecked() throws Throwable {
        assertEquals("Character x", call("character", Caller.text("x")));
        mismatch("character", Caller.text("xy"));
        assertEquals("DAYS", ((String) call("unit", Caller.text("DAYS"))).split(" ")[1]);
        mismatch("unit", Caller.text("days"));
        assertEquals("HeapByteBuffer", ((String) call("buffer", any("bytes", out -> out.bytes(new byte[3]))))
            .split(" ")[0]);
    }

    @Test
    void elementsAreConvertedByTypeArguments() throws Throwable {
        assertEquals("ArrayList [1, 2] 3", call("longs", Caller.ints("list<i32>", 1, 2)));
        assertEquals("ArrayList [1, 2] 3", call("longs", listOf(1, 2)));
        mismatch("longs", any("list<string>", out -> out.strings(new String[] {"x"})));
        assertEquals("TreeSet [a, b]", call("sorted", any("list<string>",
            out -> out.strings(new String[] {"b", "a"}))));
        assertEquals("ArrayDeque [1]", call("deque", listOf(1)));
        assertEquals("TreeMap {a=1.0}1.0", call("tree", any("map", out -> {
            out.varint(1);
            out.u8(Tags.STRING);
            out.string("a");
            out.u8(Tags.I32);
            out.i32(1);
        })));
        assertEquals("LinkedHashMap {k=[1, 2]}3", call("nested", any("map", out -> {
            out.varint(1);
            out.u8(Tags.STRING);
            out.string("k");
            out.u8(Tags.LIST_I32);
            out.row(new int[] {1, 2});
        })));
    }

    @Test
    void listsBecomeArraysDeeply() throws Throwable {
        assertEquals("int[][] [[1, 2], [3]]", call("grid", any("list", out -> {
            out.varint(2);
            out.u8(Tags.LIST_I32);
            out.row(new int[] {1, 2});
            out.u8(Tags.LIST);
            out.varint(1);
            out.u8(Tags.I32);
            out.i32(3);
        })));
        assertEquals("double[] [1.0, 2.0]", call("doubles", Caller.ints("list<i32>", 1, 2)));
        assertEquals("double[] [1.0, 2.0]", call("doubles", Caller.ints("array<i32>", 1, 2)));
        assertEquals("String[] [a]", call("strings", any("list<string>", out -> out.strings(new String[] {"a"}))));
    }

    @Test
    void argumentsAreSpread() throws Throwable {
        assertEquals("String[] []", call("strings"));
        assertEquals("String[] [a, b]", call("strings", Caller.text("a"), Caller.text("b")));
        assertEquals("1 x", call("format", Caller.text("%d %s"), Caller.i32(1), Caller.text("x")));
        assertEquals(9, call("largest", Caller.ints("list<i32>", 3, 9, 2)));
    }

    @Test
    void fieldsAreReadAndWritten() throws Throwable {
        String name = Target.class.getName();
        Target target = new Target();
        assertEquals(7, caller.call(Definition.STATIC_GET, name, "CONSTANT", ""));
        caller.call(Definition.SET, "", "field", "", caller.object(target), Caller.i32(9));
        assertEquals(9L, target.field);
        assertEquals(9L, caller.call(Definition.GET, "", "field", "", caller.object(target)));
        caller.call(Definition.STATIC_SET, name, "shared", "", Caller.text("after"));
        assertEquals("after", caller.call(Definition.STATIC_GET, name, "shared", ""));
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> caller.call(Definition.STATIC_SET, name,
            "CONSTANT", "", Caller.i32(1))).code());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> caller.call(Definition.STATIC_GET, name,
            "none", "")).code());
        assertEquals(3, caller.call(Definition.GET, "", "length", "", caller.object(new long[3])));
        assertArrayEquals(new int[] {1, 2}, (int[]) caller.call(Definition.METHOD, "", "clone", "value",
            caller.object(new int[] {1, 2})));
    }

    @Test
    void exceptionsOfTheProgramAreItsOwn() {
        assertEquals("as asked", assertThrows(IOException.class, () -> call("fails")).getMessage());
    }

    @Test
    void resultsAreAskedForAsOtherKinds() throws Throwable {
        String name = Target.class.getName();
        assertEquals(Result.Ref.class, call("array").getClass());
        assertArrayEquals(new int[] {1, 2, 3}, (int[]) caller.call(Definition.STATIC, name, "array", "value"));
        assertArrayEquals(new long[] {1, 2, 3}, (long[]) caller.call(Definition.STATIC, name, "array", "list<i64>"));
        assertEquals(List.of(1, 2, 3), caller.call(Definition.STATIC, name, "array", "list"));
        assertEquals(Result.Ref.class, caller.call(Definition.STATIC, name, "object", "object",
            Caller.i32(5)).getClass());
        Map<Object, Object> expected = new HashMap<>();
        expected.put("list", List.of(1, 2));
        expected.put("mixed", Arrays.asList(1, "two", null));
        expected.put("optional", 2.5);
        expected.put("set", Set.of("x"));
        expected.put("unit", "DAYS");
        assertEquals(expected, caller.call(Definition.STATIC, name, "values", "value"));
        assertEquals("option<bigint>", ((Result.Packed) call("large")).schema());
        SamewireException deep = assertThrows(SamewireException.class,
            () -> caller.call(Definition.STATIC, name, "cyclic", "value"));
        assertEquals(Code.LIMIT_DEPTH, deep.code());
    }

    @Test
    void methodsOfClassesThatAreNotPublic() throws Throwable {
        assertEquals(2, caller.invoke(Collections.unmodifiableList(List.of(1, 2)), "size"));
        assertEquals(true, caller.invoke(Arrays.asList(1, 2), "contains", Caller.i32(2)));
        assertEquals(5, caller.invoke(new StringBuilder("12345"), "length"));
    }

    @Test
    void whatIsNotThereIsNamed() {
        SamewireException error = assertThrows(SamewireException.class, () -> call("nothing"));
        assertEquals(Code.MISUSE, error.code());
        assertTrue(error.getMessage().contains("nothing"));
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> caller.call(Definition.STATIC,
            "no.such.Class", "x", "")).code());
    }
}
