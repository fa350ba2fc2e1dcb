package io.samewire.bridge.invoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.session.Thrown;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Code that calls a method of the JDK's does what reflection does. */
class DirectCodeTest {
    /** An argument of each type that the methods below take. */
    private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(Map.entry(boolean.class, true),
        Map.entry(byte.class, (byte) -3), Map.entry(char.class, 'b'), Map.entry(short.class, (short) 7),
        Map.entry(int.class, 2), Map.entry(long.class, 5_000_000_000L), Map.entry(float.class, 1.5f),
        Map.entry(double.class, -2.5), Map.entry(String.class, "ab"), Map.entry(CharSequence.class, "b"),
        Map.entry(Object.class, "abc"));

    private static Object outcome(Callable<Object> call) throws Exception {
        try {
            Object result = call.call();
            boolean isValue = result == null || result instanceof Comparable;
            return isValue ? result : result.getClass().getName().replaceAll("[/0-9].*", "");
        } catch (InvocationTargetException thrown) {
            return thrown.getCause().toString();
        } catch (Exception thrown) {
            return thrown.toString();
        }
    }

    private static int compare(Class<?> type, Object receiver) throws Exception {
        int compared = 0;
        for (Method method : type.getMethods()) {
            List<Object> arguments = new ArrayList<>();
            for (Class<?> parameter : method.getParameterTypes()) {
                arguments.add(SAMPLES.get(parameter));
            }
            if (!DirectCode.suits(method) || arguments.contains(null) || method.getDeclaringClass() == Object.class
                || method.getName().equals("random")) {
                continue;
            }
            Object[] given = arguments.toArray();
            assertTrue(DirectCode.fits(method, receiver, given), method.toString());
            BiFunction<Object, Object[], Object> code = DirectCode.make(method);
            assertNotNull(code, method.toString());
            assertEquals(outcome(() -> method.invoke(receiver, given)), outcome(() -> code.apply(receiver, given)),
                method.toString());
            compared++;
        }
        return compared;
    }

    @Test
    void methodsOfTheJdk() throws Exception {
        int compared = 0;
        for (Object receiver : List.of('c', 5, 6.5, 7L)) {
            compared += compare(receiver.getClass(), receiver);
        }
        compared += compare(Math.class, null);
        compared += compare(String.class, "abcab");
        compared += compare(CharSequence.class, "abcab");
        compared += compare(List.class, List.of("abc", "x", "abc"));
        assertTrue(compared > 150, "too few methods were found: " + compared);
    }

    @Test
    void whatOnlyReflectionMayCallIsLeftToIt() throws Exception {
        assertFalse(DirectCode.suits(MethodHandle.class.getMethod("invoke", Object[].class)));
        assertFalse(DirectCode.suits(MethodHandle.class.getMethod("type")));
        assertFalse(DirectCode.suits(String.class.getMethod("format", String.class, Object[].class)), "an array");
        assertFalse(DirectCode.suits(Class.forName("java.lang.AbstractStringBuilder").getMethod("length")));
        assertFalse(DirectCode.suits(DirectCodeTest.class.getDeclaredMethod("methodsOfTheJdk")));
    }

    @Test
    void whatReflectionWidensIsLeftToIt() throws Exception {
        Method abs = Math.class.getMethod("abs", long.class);
        assertTrue(DirectCode.fits(abs, null, new Object[] {1L}));
        assertFalse(DirectCode.fits(abs, null, new Object[] {1}));
        assertFalse(DirectCode.fits(abs, null, new Object[] {null}));
        assertEquals(1L, Callee.ofSite(abs).call(null, new Object[] {-1}));
        Method length = String.class.getMethod("length");
        assertFalse(DirectCode.fits(length, null, new Object[0]));
        assertFalse(DirectCode.fits(length, 1, new Object[0]));
    }

    @Test
    void whatAMethodThrowsIsItself() throws Exception {
        Callee callee = Callee.ofSite(List.class.getMethod("get", int.class));
        Thrown thrown = assertThrows(Thrown.class, () -> callee.call(List.of(), new Object[] {3}));
        assertSame(ArrayIndexOutOfBoundsException.class, thrown.getCause().getClass());
    }

    @Test
    void methodsThatAskForTheirCallerSeeTheProgram() throws Exception {
        BiFunction<Object, Object[], Object> code = DirectCode.make(Class.class.getMethod("forName", String.class));
        assertSame(DirectCodeTest.class, code.apply(null, new Object[] {DirectCodeTest.class.getName()}));
    }
}
