package io.samewire.bridge.invoke;

import io.samewire.bridge.value.Target;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;

/**
 * Methods that are the compiler's own, which Java programs cannot call. A class that implements {@code Consumer<Long>}
 * has {@code accept(Long)}, and the compiler's {@code accept(Object)} that casts its argument and calls it.
 */
final class BridgeMethods {
    private BridgeMethods() {}

    /**
     * Returns whether a method of a class is there for the JVM alone: it is synthetic, or passes calls on to one whose
     * parameters are what type arguments make of its own. A bridge to a public method of a class that is not public is
     * none of these: it is how that method is reached. Nor is one whose method cannot be reached, since only the type
     * that declares it first may be named.
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

    /** Whether a supertype declares the method, and the class that has the bridge declares it by other parameters. */
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
