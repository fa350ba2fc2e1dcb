package io.samewire.bridge.invoke;

import io.samewire.bridge.value.Target;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;

/**
 * Methods that the compiler generates, and Java programs cannot call. A class that implements {@code Consumer<Long>}
 * has {@code accept(Long)}, and the generated {@code accept(Object)} that casts its argument and calls it.
 */
final class BridgeMethods {
    private BridgeMethods() {}

    /**
     * Returns whether a method of a class exists only for the JVM: it is synthetic, or a bridge to a method with the
     * parameters after type arguments are applied. Not a bridge to a public method of a class that is not public, since
     * it makes that method accessible; nor a bridge whose target is inaccessible, since only the type that first
     * declares it may be named.
     */
    static boolean isCompilers(Class<?> type, Method method) {
        if (!method.isBridge()) {
            return method.isSynthetic();
        }
        Class<?> owner = method.getDeclaringClass();
        for (Class<?> at = owner.getSuperclass(); at != null; at = at.getSuperclass()) {
            if (isOverridden(type, at, method)) {
                return true;
            }
        }
        for (Class<?> at = owner; at != null; at = at.getSuperclass()) {
            if (inInterfaces(type, at, method)) {
                return true;
            }
        }
        return false;
    }

    private static boolean inInterfaces(Class<?> type, Class<?> below, Method bridge) {
        for (Class<?> one : below.getInterfaces()) {
            if (isOverridden(type, one, bridge) || inInterfaces(type, one, bridge)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a supertype declares the method, and the bridge's class declares it with other parameters. */
    private static boolean isOverridden(Class<?> type, Class<?> above, Method bridge) {
        Class<?>[] erased = bridge.getParameterTypes();
        Method declared;
        try {
            declared = above.getDeclaredMethod(bridge.getName(), erased);
        } catch (NoSuchMethodException none) {
            return false;
        }
        Type[] generic = declared.getGenericParameterTypes();
        Class<?>[] meant = new Class<?>[erased.length];
        for (int i = 0; i < meant.length; i++) {
            meant[i] = Target.raw(generic[i], bridge.getDeclaringClass(), above);
        }
        return !Arrays.equals(meant, erased) && reaches(type, bridge.getName(), meant);
    }

    private static boolean reaches(Class<?> type, String name, Class<?>... parameters) {
        try {
            return Members.reachable(type, type.getMethod(name, parameters)) != null;
        } catch (NoSuchMethodException none) {
            return false;
        }
    }
}
