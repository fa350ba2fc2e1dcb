package io.samewire.py4j.invoke;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The methods and constructors of a class that take so many arguments and may be called by reflection. */
final class Candidates {
    private Candidates() {}

    static List<Executable> constructors(Class<?> type, int count) {
        List<Executable> found = new ArrayList<>();
        for (Constructor<?> constructor : type.getConstructors()) {
            if (constructor.getParameterCount() == count && accessible(constructor)) {
                found.add(constructor);
            }
        }
        return found;
    }

    /**
     * Returns the methods of a name: of the class, of the interfaces that it names, then of its superclass, and so on;
     * only if there are none, those of further interfaces. A method of a class that is not exported is passed over, its
     * interface's is not.
     */
    static List<Executable> methods(Class<?> type, String name, int count) {
        Set<Class<?>> places = new LinkedHashSet<>();
        for (Class<?> next = type; next != null; next = next.getSuperclass()) {
            places.add(next);
            places.addAll(List.of(next.getInterfaces()));
        }
        List<Executable> found = declared(places, name, count);
        return found.isEmpty() ? declared(further(places), name, count) : found;
    }

    private static Set<Class<?>> further(Set<Class<?>> places) {
        Set<Class<?>> found = new LinkedHashSet<>();
        List<Class<?>> left = new ArrayList<>(places);
        for (int i = 0; i < left.size(); i++) {
            for (Class<?> parent : left.get(i).getInterfaces()) {
                if (!places.contains(parent) && found.add(parent)) {
                    left.add(parent);
                }
            }
        }
        return found;
    }

    private static List<Executable> declared(Set<Class<?>> places, String name, int count) {
        List<Executable> found = new ArrayList<>();
        for (Class<?> place : places) {
            for (Method method : place.getDeclaredMethods()) {
                if (method.getParameterCount() == count && method.getName().equals(name) && accessible(method)) {
                    found.add(method);
                }
            }
        }
        return found;
    }

    private static boolean accessible(AccessibleObject member) {
        return member.trySetAccessible();
    }
}
