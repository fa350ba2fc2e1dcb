package io.samewire.bridge.value;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** Functional interfaces: those with one abstract method that {@link Object} does not have (JLS 9.8). */
public final class Functional {
    private Functional() {}

    /** Returns the only abstract method of an interface; null if the type is not a functional interface. */
    public static Method method(Class<?> type) {
        if (!type.isInterface() || type.isAnnotation()) {
            return null;
        }
        Method found = null;
        for (Method method : type.getMethods()) {
            if (!Modifier.isAbstract(method.getModifiers()) || isOfObject(method)) {
                continue;
            }
            if (found == null) {
                found = method;
            } else if (!found.getName().equals(method.getName())
                || found.getParameterCount() != method.getParameterCount()) {
                return null;
            } else if (isNarrower(method, found)) {
                // Redeclared in a subinterface, perhaps with type arguments: the most specific one is called.
                found = method;
            } else if (!isNarrower(found, method)) {
                return null;
            }
        }
        return found;
    }

    private static boolean isNarrower(Method one, Method other) {
        Class<?>[] mine = one.getParameterTypes();
        Class<?>[] theirs = other.getParameterTypes();
        for (int i = 0; i < mine.length; i++) {
            if (!theirs[i].isAssignableFrom(mine[i])) {
                return false;
            }
        }
        return other.getReturnType().isAssignableFrom(one.getReturnType());
    }

    private static boolean isOfObject(Method method) {
        switch (method.getName()) {
            case "equals":
                return method.getParameterCount() == 1 && method.getParameterTypes()[0] == Object.class;
            case "hashCode":
            case "toString":
                return method.getParameterCount() == 0;
            default:
                return false;
        }
    }

    /**
     * Returns whether a callable is better passed as {@code one} than as {@code other}, as for an explicitly typed
     * lambda (JLS 15.12.2.5): their parameters are the same, and {@code other} returns nothing or something wider.
     */
    public static boolean isMoreSpecific(Class<?> one, Class<?> other) {
        Method mine = method(one);
        Method theirs = method(other);
        if (mine == null || theirs == null || !Arrays.equals(mine.getParameterTypes(),
            theirs.getParameterTypes())) {
            return false;
        }
        Class<?> result = mine.getReturnType();
        Class<?> wider = theirs.getReturnType();
        if (result == void.class || wider == void.class) {
            return wider == void.class && result != void.class;
        }
        return result.isPrimitive() == wider.isPrimitive() && result != wider
            && (result.isPrimitive() ? Primitives.widens(result, wider) : wider.isAssignableFrom(result));
    }
}
