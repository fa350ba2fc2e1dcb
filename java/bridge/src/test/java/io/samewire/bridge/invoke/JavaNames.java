package io.samewire.bridge.invoke;

/** Classes by their names in generated source. */
final class JavaNames {
    private static final Class<?>[] PRIMITIVES = {int.class, long.class, double.class, float.class, short.class,
        byte.class, char.class, boolean.class};

    private JavaNames() {}

    /** Returns the class of that name, which may stand for one of {@code java.lang}; null for {@code null}. */
    static Class<?> of(String name) {
        if (name.equals("null")) {
            return null;
        } else if (name.endsWith("[]")) {
            return of(name.substring(0, name.length() - 2)).arrayType();
        }
        for (Class<?> primitive : PRIMITIVES) {
            if (primitive.getName().equals(name)) {
                return primitive;
            }
        }
        try {
            return Class.forName(name.contains(".") ? name : "java.lang." + name);
        } catch (ClassNotFoundException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
