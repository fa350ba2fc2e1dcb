package io.samewire.bridge.invoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.Policy;
import io.samewire.bridge.wire.Definition;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Executable;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A gateway's own rule for overloads. This one takes the overload that was asked for. */
class RuledOverloadsTest {
    private static final Policy POLICY = Policy.builder(Policy.everything()).allow("io.samewire.bridge.*")
        .deny(Denied.class.getName()).build();

    private final List<String> asked = new ArrayList<>();
    private Class<?>[] wanted = {Object.class};
    private final Caller caller = new Caller(new Dispatcher(this::choose), POLICY, Map.of());

    /** What is called. */
    public static final class Target {
        private final String made;

        public Target(List<?> a) {
            made = "List";
        }

        public Target(Object a) {
            made = "Object";
        }

        public String made() {
            return made;
        }

        public String one(List<?> a) {
            return "List";
        }

        public String one(Object a) {
            return "Object";
        }

        private String one(Integer a) {
            return "private";
        }

        public String two(List<?> a, Object b) {
            return "List, Object";
        }

        public String two(Object a, Object b) {
            return "Object, Object";
        }

        public String alone(Object... a) {
            return "alone " + a.length;
        }

        public static String fixed(List<?> a) {
            return "List";
        }

        public static String fixed(Object a) {
            return "Object";
        }

        public String fixed(String a) {
            return "of objects";
        }
    }

    /** What a policy denies. */
    public static final class Denied {
        private Denied() {}

        public static String denied(Map<?, ?> a) {
            return "Map";
        }
    }

    private final Target target = new Target((Object) null);

    private Executable choose(Class<?> type, String member, Class<?>... arguments) {
        asked.add(type.getSimpleName() + "." + member + Arrays.toString(arguments));
        try {
            Executable found = member.isEmpty() ? type.getDeclaredConstructor(wanted)
                : type.getDeclaredMethod(member, wanted);
            found.trySetAccessible();
            return found;
        } catch (NoSuchMethodException none) {
            return null;
        }
    }

    private Code refused(Caller.Argument... arguments) {
        return assertThrows(SamewireException.class, () -> caller.invoke(target, "one", arguments)).code();
    }

    @Test
    void choosesMethodsStaticsAndConstructors() throws Throwable {
        assertEquals("Object", caller.invoke(target, "one", Caller.none()));
        assertEquals("Object", caller.invokeStatic(Target.class, "fixed", Caller.none()));
        Result.Ref made = (Result.Ref) caller.call(Definition.CONSTRUCT, Target.class.getName(), "", "",
            Caller.none());
        Caller.Argument reference = Caller.of("object", out -> out.varint(made.number() << 1));
        assertEquals("Object", caller.call(Definition.METHOD, "", "made", "", reference));
        assertEquals(List.of("Target.one[null]", "Target.fixed[null]", "Target.[null]"), asked);
    }

    @Test
    void isAskedOnceForASite() throws Throwable {
        wanted = new Class<?>[] {Object.class, Object.class};
        var site = caller.resolve(Definition.METHOD, "", "two", "", caller.object(target), Caller.none(),
            Caller.i32(5));
        byte[] arguments = Caller.bytes(caller.object(target), Caller.none(), Caller.i32(5));
        for (int i = 0; i < 3; i++) {
            assertEquals("Object, Object", caller.call(site, arguments));
        }
        assertEquals(List.of("Target.two[null, class java.lang.Integer]"), asked);
    }

    @Test
    void isAskedWithoutANullWhereThereIsAChoice() throws Throwable {
        assertEquals("Object", caller.invoke(target, "one", caller.object(new ArrayList<>())));
        assertEquals(List.of("Target.one[class java.util.ArrayList]"), asked);
        assertEquals("alone 2", caller.invoke(target, "alone", Caller.i32(1), Caller.i32(2)));
        assertEquals("Object", target.made());
        assertEquals(1, asked.size());
    }

    @Test
    void leavesToJavaSRulesWhatFitsNothingWithoutANull() throws Throwable {
        wanted = new Class<?>[] {Thread.class};
        assertEquals("List", caller.invoke(target, "one", caller.object(new ArrayList<>())));
    }

    @Test
    void takesTheClassesOfValuesThatSayWhatTheyAre() throws Throwable {
        Caller.Argument unnamed = Caller.of("object", caller.object(target).bytes());
        assertEquals("Object", caller.call(Definition.METHOD, "", "one", "", unnamed, Caller.none()));
        assertEquals(List.of("Target.one[null]"), asked);
    }

    @Test
    void hasAClassForAnObjectOfPythonAndNoneForACallable() throws Throwable {
        wanted = new Class<?>[] {Object.class, Object.class};
        List<Class<?>> classes = new ArrayList<>();
        Caller other = new Caller(new Dispatcher((type, member, arguments) -> {
            classes.addAll(Arrays.asList(arguments));
            return choose(type, member, arguments);
        }), POLICY, Map.of());
        Caller.Argument comparator = Caller.peer(1, Comparator.class.getName());
        assertEquals("Object, Object", other.invoke(target, "two", Caller.none(), comparator));
        assertTrue(Proxy.isProxyClass(classes.get(1)) && Comparator.class.isAssignableFrom(classes.get(1)));
        assertThrows(SamewireException.class, () -> other.invoke(target, "two", Caller.none(), Caller.peer(2, "")));
        assertEquals(2, classes.size());
    }

    @Test
    void callsAMemberThatIsNotPublic() throws Throwable {
        wanted = new Class<?>[] {Integer.class};
        assertEquals("private", caller.invoke(target, "one", Caller.none()));
    }

    @Test
    void refusesWhatDoesNotFit() {
        wanted = new Class<?>[] {String.class};
        assertEquals(Code.TYPE_MISMATCH, refused(Caller.none()));
        SamewireException error = assertThrows(SamewireException.class,
            () -> caller.invokeStatic(Target.class, "fixed", Caller.none()));
        assertEquals(Code.TYPE_MISMATCH, error.code());
        assertTrue(error.getMessage().contains("which chooses java.lang.String fixed(java.lang.String)"),
            error.getMessage());
    }

    @Test
    void leavesTheOnlyOverloadToJavaSRules() throws Throwable {
        assertEquals("alone 2", caller.invoke(target, "alone", Caller.none(), Caller.none()));
        assertFalse(asked.isEmpty());
    }

    @Test
    void deniesWhatThePolicyDenies() {
        Caller other = new Caller(new Dispatcher((type, member, arguments) -> Denied.class.getDeclaredMethods()[0]),
            POLICY, Map.of());
        SamewireException error = assertThrows(SamewireException.class,
            () -> other.invokeStatic(Target.class, "fixed", Caller.none()));
        assertEquals(Code.UNSUPPORTED, error.code());
    }
}
