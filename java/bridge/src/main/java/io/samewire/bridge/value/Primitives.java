package io.samewire.bridge.value;

/** Primitive types and the classes that box them. */
public final class Primitives {
    /** The numeric ones from narrow to wide, without {@code char}. */
    private static final Class<?>[] NUMBERS = {byte.class, short.class, int.class, long.class, float.class,
        double.class};

    private Primitives() {}

    /** Returns the class that boxes a primitive type; of another type itself. */
    public static Class<?> boxed(Class<?> type) {
        return type == int.class ? Integer.class : type == long.class ? Long.class : type == double.class ? Double.class
            : type == boolean.class ? Boolean.class : type == float.class ? Float.class : type == char.class
            ? Character.class : type == short.class ? Short.class : type == byte.class ? Byte.class
            : type == void.class ? Void.class : type;
    }

    /** Returns the primitive type that a class boxes; null if it boxes none. */
    public static Class<?> unboxed(Class<?> type) {
        return type == Integer.class ? int.class : type == Long.class ? long.class : type == Double.class ? double.class
            : type == Boolean.class ? boolean.class : type == Float.class ? float.class : type == Character.class
            ? char.class : type == Short.class ? short.class : type == Byte.class ? byte.class : null;
    }

    /** Returns the rank of a numeric primitive type from narrow to wide; -1 for {@code char} and other types. */
    public static int rank(Class<?> type) {
        for (int i = 0; i < NUMBERS.length; i++) {
            if (NUMBERS[i] == type) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether a primitive type is a subtype of another (JLS 4.10.1). */
    public static boolean widens(Class<?> from, Class<?> to) {
        if (from == to) {
            return true;
        }
        int target = rank(to);
        if (from == char.class) {
            return target >= rank(int.class);
        }
        int source = rank(from);
        return source >= 0 && target > source;
    }
}
