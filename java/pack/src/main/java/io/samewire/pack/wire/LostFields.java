package io.samewire.pack.wire;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** What an object of a subclass would lose where it is written as its parent. */
public final class LostFields {
    /** The nearest of a class and its parents that has fields of its own. */
    private static final ClassValue<Class<?>> NEAREST = new ClassValue<>() {
        @Override
        protected Class<?> computeValue(Class<?> type) {
            Class<?> nearest = type;
            while (nearest != Object.class && of(nearest).isEmpty()) {
                nearest = nearest.getSuperclass();
            }
            return nearest;
        }
    };

    private LostFields() {}

    /** Refuses an object that has fields which its declared class has not. */
    public static void check(Object value, Class<?> declared) {
        if (value.getClass() != declared && isLossy(value.getClass(), declared)) {
            throw Fault.FAULT;
        }
    }

    private static boolean isLossy(Class<?> type, Class<?> declared) {
        return !NEAREST.get(type).isAssignableFrom(declared);
    }

    /** Returns the names of the fields that an object of a class has and its declared class has not. */
    public static List<String> names(Class<?> type, Class<?> declared) {
        List<String> names = new ArrayList<>();
        for (Class<?> from = type; from != declared && from != null; from = from.getSuperclass()) {
            names.addAll(0, of(from));
        }
        return names;
    }

    /** Without what compilers and proxies add, whose names have a dollar sign. */
    private static List<String> of(Class<?> type) {
        List<String> names = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            boolean isLeftOut = (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) != 0;
            if (!isLeftOut && !field.isSynthetic() && field.getName().indexOf('$') < 0) {
                names.add(field.getName());
            }
        }
        return names;
    }
}
