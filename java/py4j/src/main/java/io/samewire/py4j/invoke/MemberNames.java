package io.samewire.py4j.invoke;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Set;

/** The public members of classes, by their names. */
public final class MemberNames {
    private MemberNames() {}

    /** Returns the names of a class's methods. */
    public static String[] methods(Class<?> type) {
        Set<String> names = new LinkedHashSet<>();
        for (Method method : type.getMethods()) {
            names.add(method.getName());
        }
        return names.toArray(new String[0]);
    }

    /** Returns the names of a class's fields. */
    public static String[] fields(Class<?> type) {
        Set<String> names = new LinkedHashSet<>();
        for (Field field : type.getFields()) {
            names.add(field.getName());
        }
        return names.toArray(new String[0]);
    }

    /** Returns the names of a class's static classes, fields and methods. */
    public static String[] statics(Class<?> type) {
        Set<String> names = new LinkedHashSet<>();
        for (Class<?> inner : type.getClasses()) {
            if (Modifier.isStatic(inner.getModifiers())) {
                names.add(inner.getSimpleName());
            }
        }
        addStatics(names, type.getFields());
        addStatics(names, type.getMethods());
        return names.toArray(new String[0]);
    }

    private static void addStatics(Set<String> names, Member[] members) {
        for (Member member : members) {
            if (Modifier.isStatic(member.getModifiers())) {
                names.add(member.getName());
            }
        }
    }

    /** Returns the public field of a name, or null. */
    public static Field field(Class<?> type, String name) {
        try {
            Field field = type.getField(name);
            field.trySetAccessible();
            return field;
        } catch (NoSuchFieldException absent) {
            return null;
        }
    }

    /** Returns a public method of a name, a static one if there is one, or null. */
    public static Method method(Class<?> type, String name) {
        Method found = null;
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name)) {
                found = method;
                if (Modifier.isStatic(method.getModifiers())) {
                    return method;
                }
            }
        }
        return found;
    }

    /** Returns the public inner class of a name, or null. */
    public static Class<?> inner(Class<?> type, String name) {
        for (Class<?> inner : type.getClasses()) {
            if (inner.getSimpleName().equals(name)) {
                return inner;
            }
        }
        return null;
    }
}
