package io.samewire.bridge.invoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.wire.Definition;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code of hot sites does what reflection does. */
class CallCodeTest {
    private final Caller caller = new Caller();

    private void alike(int action, String type, String member, Caller.Argument... arguments) throws Throwable {
        Invocation call = caller.resolve(action, type, member, "", arguments);
        Invocation code = CallCode.of((Call) call);
        assertNotNull(code, member);
        byte[] bytes = Caller.bytes(arguments);
        assertEquals(call.result(), code.result());
        assertEquals(caller.call(call, bytes), caller.call(code, bytes), member);
    }

    private static String target() {
        return CallTest.Target.class.getName();
    }

    @Test
    void scalars() throws Throwable {
        String math = "java.lang.Math";
        alike(Definition.STATIC, math, "max", Caller.i32(3), Caller.i32(2));
        alike(Definition.STATIC, math, "max", Caller.i32(3), Caller.i64(2));
        alike(Definition.STATIC, math, "max", Caller.i32(3), Caller.f64(2));
        alike(Definition.STATIC, "java.lang.Character", "isDigit", Caller.of("char", out -> out.i16('5')));
        alike(Definition.STATIC, "java.lang.Byte", "parseByte", Caller.text("5"));
        alike(Definition.STATIC, "java.lang.Short", "parseShort", Caller.text("5"));
        alike(Definition.STATIC, "java.lang.Float", "parseFloat", Caller.text("5"));
        alike(Definition.STATIC, "java.lang.Boolean", "parseBoolean", Caller.text("true"));
        alike(Definition.STATIC, "java.lang.System", "getenv", Caller.text("no such name"));
        alike(Definition.STATIC, target(), "character", Caller.text("x"));
        alike(Definition.STATIC, target(), "small", Caller.i32(5));
        alike(Definition.STATIC, target(), "boxed", Caller.i32(5));
        alike(Definition.STATIC, target(), "object", Caller.f64(5));
        alike(Definition.STATIC, target(), "object", Caller.none());
    }

    @Test
    void containersAndSpreads() throws Throwable {
        alike(Definition.STATIC, target(), "longs", Caller.ints("list<i32>", 1, 2));
        alike(Definition.STATIC, target(), "doubles", Caller.ints("array<i32>", 1, 2));
        alike(Definition.STATIC, target(), "strings");
        alike(Definition.STATIC, target(), "strings", Caller.text("a"), Caller.text("b"));
        alike(Definition.STATIC, target(), "format", Caller.text("%d %s"), Caller.i32(1), Caller.text("x"));
    }

    @Test
    void objectsAndFields() throws Throwable {
        List<Object> list = new ArrayList<>(List.of("a", 2));
        alike(Definition.METHOD, "", "get", caller.object(list), Caller.i32(0));
        alike(Definition.METHOD, "", "get", caller.object(list), Caller.i32(1));
        alike(Definition.METHOD, "", "size", caller.object(list));
        alike(Definition.METHOD, "", "clear", caller.object(new ArrayList<>()));
        alike(Definition.GET, "", "field", caller.object(new CallTest.Target()));
        alike(Definition.STATIC_GET, target(), "CONSTANT");
        alike(Definition.CONSTRUCT, "java.lang.String", "", Caller.text("x"));
    }

    @Test
    void errors() {
        Caller.Argument index = Caller.i32(5);
        Caller.Argument list = caller.object(new ArrayList<>());
        Invocation code = CallCode.of((Call) caller.resolve(Definition.METHOD, "", "get", "", list, index));
        assertThrows(IndexOutOfBoundsException.class, () -> caller.call(code, Caller.bytes(list, index)));
        Caller.Argument large = Caller.i32(500);
        Invocation small = CallCode.of((Call) caller.resolve(Definition.STATIC, target(), "small", "", large));
        SamewireException error = assertThrows(SamewireException.class,
            () -> caller.call(small, Caller.bytes(large)));
        assertEquals(Code.TYPE_MISMATCH, error.code());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> caller.call(code,
            Caller.bytes(Caller.of("object", out -> out.varint(0)), index))).code());
    }

    @Test
    void aSiteWithoutCodeStopsNoOther() throws Throwable {
        Callee callee = Callee.of(Math.class.getMethod("max", int.class, int.class));
        // No code can be made of this: it has fewer arguments than the method, and no writer of the result.
        HotCode.make(new Call(caller.session, callee, null, new ArgumentReader[0], 0, null, null));
        aSiteBecomesHot();
    }

    @Test
    void aSiteBecomesHot() throws Throwable {
        Caller.Argument[] arguments = {Caller.i32(3), Caller.i32(2)};
        Invocation call = caller.resolve(Definition.STATIC, "java.lang.Math", "max", "", arguments);
        byte[] bytes = Caller.bytes(arguments);
        for (int i = 0; i < 3 * HotCode.CALLS; i++) {
            assertEquals(3, caller.call(call, bytes));
        }
        long end = System.nanoTime() + 60_000_000_000L;
        while (!((Call) call).isHot() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertEquals(true, ((Call) call).isHot());
        assertEquals(3, caller.call(call, bytes));
    }

    @Test
    void aSessionHasCodeForSomeThousandSites() throws Throwable {
        int sites = 0;
        while (caller.session.takeCode()) {
            sites++;
        }
        assertEquals(4_096, sites);
        Caller.Argument[] arguments = {Caller.i32(3), Caller.i32(2)};
        Invocation call = caller.resolve(Definition.STATIC, "java.lang.Math", "max", "", arguments);
        for (int i = 0; i < 3 * HotCode.CALLS; i++) {
            assertEquals(3, caller.call(call, Caller.bytes(arguments)));
        }
        // Another session's later site has code: this one's was not waited for.
        new CallCodeTest().aSiteBecomesHot();
        assertEquals(false, ((Call) call).isHot());
    }
}
