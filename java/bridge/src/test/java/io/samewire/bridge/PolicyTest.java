package io.samewire.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.operations.PackageNames;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.File;
import java.util.AbstractList;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What the names of a policy's rules mean. */
class PolicyTest {
    private static Policy denying(String... names) {
        return Policy.builder().deny(names).build();
    }

    @Test
    void aPackageIsDeniedWithOrWithoutAStar() {
        for (String name : List.of("java.io", "java.io.*")) {
            Policy policy = denying(name);
            assertFalse(policy.admitsNamed(File.class), name);
            assertFalse(policy.admitsName("java.io.below.Anything"), name);
            assertFalse(policy.admitsName("java.io"), name);
            assertTrue(policy.admitsName("java.ioutil.Anything"), name);
        }
        assertTrue(denying("java.util", "java").admitsNamed(Test.class));
        assertFalse(denying("java").admitsNamed(File.class));
    }

    @Test
    void theLongestNameDecides() {
        Policy policy = Policy.builder().deny("java.util").allow("java.util.concurrent").deny(
            "java.util.concurrent.ConcurrentHashMap").build();
        assertFalse(policy.admitsNamed(List.class));
        assertTrue(policy.admitsNamed(java.util.concurrent.Callable.class));
        assertFalse(policy.admitsNamed(ConcurrentHashMap.class));
        assertFalse(policy.admitsNamed(ConcurrentHashMap.KeySetView.class));
    }

    @Test
    void nestedClassesAreWrittenAsInSourceOrAsTheJvmDoes() {
        for (String name : List.of("java.util.Map.Entry", "java.util.Map$Entry")) {
            assertFalse(denying(name).admitsNamed(Map.Entry.class), name);
            assertTrue(denying(name).admitsNamed(Map.class), name);
        }
    }

    @Test
    void aMemberIsDeniedInAllThatInheritIt() throws ReflectiveOperationException {
        Policy ofInterface = denying("java.util.Collection#clear");
        assertFalse(ofInterface.admits(ArrayList.class.getMethod("clear")));
        assertFalse(ofInterface.admits(AbstractList.class.getMethod("clear")));
        assertFalse(ofInterface.admits(Collection.class.getMethod("clear")));
        assertTrue(ofInterface.admits(ArrayList.class.getMethod("size")));
        assertTrue(ofInterface.admits(TreeMap.class.getMethod("clear")));
        Policy ofClass = denying("java.util.AbstractList#clear", "java.util.ArrayList#new");
        assertFalse(ofClass.admits(ArrayList.class.getMethod("clear")));
        assertFalse(ofClass.admits(ArrayList.class.getConstructor()));
        assertTrue(ofClass.admits(TreeMap.class.getConstructor()));
    }

    @Test
    void aProxyIsWhatItsInterfacesAre() {
        ClassLoader loader = PolicyTest.class.getClassLoader();
        Class<?> proxy = Proxy.newProxyInstance(loader, new Class<?>[] {Comparator.class, PythonObject.class},
            (self, method, arguments) -> null).getClass();
        for (Policy policy : List.of(Policy.everything(), Policy.remote(), denying("java.io"),
            Policy.builder().deny("*").allow("java.util").build())) {
            assertTrue(policy.admits(proxy));
        }
        assertFalse(denying("java.util.Comparator").admits(proxy));
        assertFalse(Policy.builder().deny("*").allow("java.io").build().admits(proxy));
        assertFalse(Policy.remote().admitsNamed(proxy));
    }

    @Test
    void theDefaultStandsUnlessEverythingIsAskedFor() throws ReflectiveOperationException {
        for (Policy policy : List.of(Policy.remote(), Policy.builder().build(), denying("java.io"),
            Policy.builder().allow("java.util").build(), Policy.builder().allow("*").build())) {
            assertFalse(policy.admitsNamed(Runtime.class));
            assertFalse(policy.admitsNamed(ProcessBuilder.class));
            assertFalse(policy.admits(System.class.getMethod("exit", int.class)));
            assertTrue(policy.admitsNamed(java.security.MessageDigest.class));
            assertTrue(policy.admitsNamed(ArrayList.class));
        }
        assertTrue(Policy.builder().allow("java.lang.Runtime").build().admitsNamed(Runtime.class));
        for (Policy policy : List.of(Policy.everything(), Policy.builder(Policy.everything()).build())) {
            assertTrue(policy.admitsNamed(Runtime.class));
            assertFalse(policy.admitsNamed(Policy.class));
        }
        Policy closed = Policy.builder().deny("*").allow("java.util.List", "java.security.SecureRandom").build();
        assertFalse(closed.admitsNamed(java.security.MessageDigest.class));
        assertTrue(closed.admitsNamed(java.security.SecureRandom.class));
        assertFalse(closed.admitsNamed(ArrayList.class));
        assertTrue(closed.admitsNamed(Operations.class));
    }

    @Test
    void namesOfNothingAreRefused() {
        for (String name : List.of("", ".", "java.", ".java", "java..io", "java/io", "java.*.File", "java.**", "**",
            "*.x", "java.io.File#", "#exit", "java.io.*#x", "java.io.File#a.b", "java.io.File#<init>",
            "java.lang.System.exit", "java io")) {
            SamewireException error = assertThrows(SamewireException.class, () -> denying(name), name);
            assertEquals(Code.MISUSE, error.code());
        }
        SamewireException error = assertThrows(SamewireException.class, () -> denying("java.lang.System.exit"));
        assertTrue(error.getMessage().contains("java.lang.System#exit"), error.getMessage());
    }

    @Test
    void listsOfNamesObeyThePolicy() {
        assertTrue(PackageNames.of("java", Policy.everything()).contains("io"));
        assertFalse(PackageNames.of("java", denying("java.io")).contains("io"));
        assertTrue(PackageNames.of("java.util", Policy.everything()).contains("List"));
        assertEquals(List.of("List"),
            PackageNames.of("java.util", Policy.builder().deny("*").allow("java.util.List").build()));
    }
}
