package io.samewire.py4j.invoke;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How far a class is from one of its supertypes: 100 a step. */
final class Distance {
    private static final int STEP = 100;
    private static final int NONE = -1;

    private Distance() {}

    /** Returns the distance; -1 if the one is not a supertype of the other. */
    static int between(Class<?> supertype, Class<?> type) {
        int steps = toClass(supertype, type);
        if (steps == NONE) {
            steps = toInterface(supertype, type);
        }
        if (steps == NONE && supertype.isArray() && type.isArray()) {
            return arrays(supertype.getComponentType(), type.getComponentType());
        }
        return steps == NONE ? NONE : steps * STEP;
    }

    private static int arrays(Class<?> supertype, Class<?> type) {
        int between = between(supertype, type);
        // An interface has no superclass; its array is one of objects all the same.
        boolean isObject = supertype == Object.class && type.isInterface();
        return between != NONE ? between + STEP : isObject ? 2 * STEP : NONE;
    }

    private static int toClass(Class<?> supertype, Class<?> type) {
        int steps = 0;
        for (Class<?> next = type; next != null; next = next.getSuperclass()) {
            if (next == supertype) {
                return steps;
            }
            steps++;
        }
        return NONE;
    }

    /** Looks level by level: interfaces of the class; then theirs, and those of the superclass; and so on. */
    private static int toInterface(Class<?> supertype, Class<?> type) {
        Set<Class<?>> seen = new HashSet<>();
        List<Class<?>> level = List.of(type.getInterfaces());
        Class<?> ancestor = type;
        for (int steps = 1; !level.isEmpty() || ancestor != null; steps++) {
            if (level.contains(supertype)) {
                return steps;
            }
            List<Class<?>> next = new ArrayList<>();
            for (Class<?> one : level) {
                if (seen.add(one)) {
                    next.addAll(List.of(one.getInterfaces()));
                }
            }
            ancestor = ancestor == null ? null : ancestor.getSuperclass();
            if (ancestor != null) {
                next.addAll(List.of(ancestor.getInterfaces()));
            }
            level = next;
        }
        return NONE;
    }
}
