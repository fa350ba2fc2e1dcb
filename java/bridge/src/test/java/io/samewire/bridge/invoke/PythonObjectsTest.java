package io.samewire.bridge.invoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.PythonException;
import io.samewire.bridge.PythonObject;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.bridge.wire.Tags;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Objects of Python's as interfaces of Java. */
class PythonObjectsTest {
    /** An interface with a method that is implemented. */
    public interface Named {
        /** Python's. */
        String name();

        /** Java's, unless Python has it. */
        default String greeting() {
            return "hello " + name();
        }
    }

    /** Another one. */
    public interface Aged {
        /** Python's. */
        Integer age();
    }

    /** What is called with Python's objects. */
    public static final class Target {
        private static Object kept;

        private Target() {}

        public static int twice(IntUnaryOperator operator, int value) {
            return operator.applyAsInt(operator.applyAsInt(value));
        }

        public static Object keep(Runnable value) {
            kept = value;
            return value;
        }

        public static <T extends Named & Aged> String person(T person) {
            return person.name() + " " + person.age() + ", " + person.greeting();
        }

        public static String submit(Runnable task) {
            return "runnable";
        }

        public static String submit(Callable<Object> task) throws Exception {
            return "callable " + task.call();
        }

        public static String fails(Callable<Object> task) throws Exception {
            try {
                return String.valueOf(task.call());
            } finally {
                kept = "finally";
            }
        }

        public static List<Long> longs(Supplier<List<Long>> source) {
            return source.get();
        }

        public static boolean same(Object one, Object other) {
            return one.equals(other) && one == other;
        }

        public static String composed(Function<Integer, Integer> one) {
            return String.valueOf(one.andThen(value -> value * 10).apply(1));
        }

        public static List<String> sorted(List<String> list, Comparator<String> order) {
            List<String> copy = new ArrayList<>(list);
            copy.sort(order.reversed());
            return copy;
        }

        public static Object called(PythonObject object) {
            return object.callPython("member", 1, "two");
        }

        public static String both(BiFunction<Object, Object, Object> function) {
            return "function";
        }

        public static String both(UnaryOperator<Object> function) {
            return "operator";
        }
    }

    private final Caller caller = new Caller();
    private final List<String> called = new ArrayList<>();

    private Object call(String member, Caller.Argument... arguments) throws Throwable {
        return caller.invokeStatic(Target.class, member, arguments);
    }

    /** Passes over the receiver, and keeps what was called. */
    private void begin(Definition definition, Input in) {
        in.varint();
        called.add(definition.member() + definition.arguments() + " " + definition.result());
    }

    private void returns(Output reply, String kind, Consumer<Output> value) {
        reply.u8(caller.first ? Messages.FIRST_RETURN : Messages.RETURN);
        if (caller.first) {
            reply.string(kind);
        }
        value.accept(reply);
    }

    private static void raises(Output reply, String type, String code) {
        reply.u8(Messages.THROW);
        reply.varint(0);
        reply.string(type);
        reply.string(code);
        reply.bool(true);
        reply.string("its text");
        reply.string("");
    }

    private static Caller.Argument callable() {
        return Caller.peer(1, "");
    }

    private static Caller.Argument peer(long number, Class<?>... interfaces) {
        StringBuilder names = new StringBuilder();
        for (Class<?> one : interfaces) {
            names.append(names.length() == 0 ? "" : " ").append(one.getName());
        }
        return Caller.peer(number, names.toString());
    }

    @Test
    void aCallableIsAnyFunctionalInterface() throws Throwable {
        caller.python = (definition, in, reply) -> {
            begin(definition, in);
            int value = in.i32();
            returns(reply, "i32", out -> out.i32(value + 5));
        };
        assertEquals(11, call("twice", callable(), Caller.i32(1)));
        assertEquals("applyAsInt[object, i32] i32", called.get(0));
    }

    @Test
    void theSameObjectIsTheSameProxyAndGoesHome() throws Throwable {
        assertEquals(new Result.Ref(1, 0, true), call("keep", callable()));
        Object first = Target.kept;
        call("keep", callable());
        assertSame(first, Target.kept);
        assertTrue((boolean) call("same", peer(2, Runnable.class), peer(2, Runnable.class)));
    }

    @Test
    void oneObjectImplementsManyInterfaces() throws Throwable {
        caller.python = (definition, in, reply) -> {
            begin(definition, in);
            switch (definition.member()) {
                case "name" -> returns(reply, "option<string>", out -> {
                    out.bool(true);
                    out.string("Ada");
                });
                case "age" -> returns(reply, "option<i32>", out -> {
                    out.bool(true);
                    out.i32(36);
                });
                default -> raises(reply, "", "misuse");
            }
        };
        assertEquals("Ada 36, hello Ada", call("person", peer(3, Named.class, Aged.class)));
    }

    @Test
    void misuseInAnOverrideIsNoReasonForTheDefaultMethod() throws Throwable {
        boolean[] absent = {false};
        caller.python = (definition, in, reply) -> {
            begin(definition, in);
            switch (definition.member()) {
                case "name" -> returns(reply, "option<string>", out -> out.bool(false));
                case "age" -> returns(reply, "option<i32>", out -> out.bool(false));
                default -> raises(reply, absent[0] ? "" : "samewire.errors.SamewireError", "misuse");
            }
        };
        for (int i = 0; i < 2; i++) {
            assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
                () -> call("person", peer(3, Named.class, Aged.class))).code());
        }
        absent[0] = true;
        assertEquals("null null, hello null", call("person", peer(3, Named.class, Aged.class)));
    }

    @Test
    void aCallableIsPreferablyWhatReturnsSomething() throws Throwable {
        caller.python = (definition, in, reply) -> {
            begin(definition, in);
            returns(reply, "any", out -> {
                out.u8(Tags.STRING);
                out.string("x");
            });
        };
        assertEquals("callable x", call("submit", callable()));
        assertEquals(Code.TYPE_MISMATCH, assertThrows(SamewireException.class,
            () -> call("both", callable())).code());
    }

    @Test
    void whatPythonRaisesGoesThroughJava() throws Throwable {
        caller.python = (definition, in, reply) -> {
            begin(definition, in);
            raises(reply, "ValueError", "");
        };
        Target.kept = null;
        PythonException error = assertThrows(PythonException.class, () -> call("fails", callable()));
        assertEquals("ValueError", error.type());
        assertEquals("finally", Target.kept);
    }

    @Test
    void aCheckedExceptionThatComesHomeIsItself() throws Throwable {
        IOException mine = new IOException("mine");
        Output written = new Output(Limits.DEFAULT);
        caller.session.references().write(written, mine);
        long number = Caller.input(written).varint() >>> 1;
        caller.python = (definition, in, reply) -> {
            begin(definition, in);
            reply.u8(Messages.THROW);
            reply.varint(number << 1);
            reply.string("java.io.IOException");
            reply.string("");
            reply.bool(false);
            reply.string("");
        };
        assertSame(mine, assertThrows(IOException.class, () -> call("fails", callable())));
        assertSame(mine, assertThrows(IOException.class, () -> call("twice", callable(), Caller.i32(1))));
    }

    @Test
    void resultsAreConvertedByTheirDeclaredType() throws Throwable {
        caller.python = (definition, in, reply) -> {
            begin(definition, in);
            returns(reply, "any", out -> {
                out.u8(Tags.LIST_I32);
                out.row(new int[] {1, 2});
            });
        };
        caller.call(Definition.STATIC, Target.class.getName(), "longs", "value", callable());
        Object longs = caller.call(Definition.STATIC, Target.class.getName(), "longs", "list", callable());
        // A value of the interface's type variable is of the type that stands for it.
        assertEquals(List.of(1L, 2L), longs);
    }

    @Test
    void defaultMethodsOfACallableAreJavas() throws Throwable {
        caller.python = (definition, in, reply) -> {
            begin(definition, in);
            assertEquals("apply", definition.member());
            returns(reply, "any", out -> {
                out.u8(Tags.I32);
                out.i32(4);
            });
        };
        assertEquals("40", call("composed", callable()));
    }

    @Test
    void aPythonObjectCanBeCalledByName() throws Throwable {
        caller.python = (definition, in, reply) -> {
            begin(definition, in);
            returns(reply, "any", out -> {
                out.u8(Tags.STRING);
                out.string("done");
            });
        };
        assertEquals("done", call("called", callable()));
        assertEquals("member[object, any, any] any", called.get(0));
    }

    @Test
    void aClassIsNotImplemented() {
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
            () -> call("keep", peer(1, Thread.class))).code());
        assertEquals(Code.TYPE_MISMATCH, assertThrows(SamewireException.class,
            () -> call("keep", peer(1, Named.class))).code());
    }
}
