package io.samewire.pack.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A type as Kotlin's compiler has it.
 *
 * @param className its class, {@code a/b/Outer.Inner}; empty for type parameters and many classes of Kotlin's own
 * @param nullable whether it ends in a question mark
 * @param arguments its type arguments
 */
record KotlinType(String className, boolean nullable, List<KotlinType> arguments) {
    /** Of a star projection. */
    static final KotlinType UNKNOWN = new KotlinType("", false, List.of());
    private static final Set<String> UNSIGNED = Set.of("kotlin/UByte", "kotlin/UShort", "kotlin/UInt", "kotlin/ULong");
    private static final Set<String> UNSIGNED_ARRAYS =
        Set.of("kotlin/UByteArray", "kotlin/UShortArray", "kotlin/UIntArray", "kotlin/ULongArray");

    /** The Java type that the compiler made of it, with what Java's does not say. */
    JavaType applied(JavaType java) {
        Class<?> raw = java.raw();
        List<JavaType> inner = java.arguments();
        if (raw.isArray() && UNSIGNED_ARRAYS.contains(className)) {
            inner = List.of(unsigned(inner.get(0)));
        } else if (inner.size() == arguments.size()) {
            inner = new ArrayList<>();
            for (int i = 0; i < arguments.size(); i++) {
                inner.add(arguments.get(i).applied(java.arguments().get(i)));
            }
        }
        JavaType made = raw.isPrimitive() && UNSIGNED.contains(className) ? unsigned(java) : java;
        // Null is a value of any already.
        boolean absent = made.nullable() || nullable && raw != Object.class;
        return new JavaType(raw, inner, absent, made.unsigned(), made.shared(), made.converter());
    }

    private static JavaType unsigned(JavaType type) {
        return new JavaType(type.raw(), type.arguments(), type.nullable(), true, type.shared(), type.converter());
    }

    /** The value class whose content stands in a slot of the class {@code raw} by itself; null if none does. */
    Class<?> unboxed(Class<?> raw, ClassLoader loader) {
        String name = KotlinMetadata.binary(className);
        if (name.isEmpty() || name.equals(raw.getName()) || UNSIGNED.contains(className)
            || UNSIGNED_ARRAYS.contains(className)) {
            return null;
        }
        try {
            Class<?> named = Class.forName(name, false, loader);
            return KotlinValues.isValue(named) ? named : null;
        } catch (ClassNotFoundException | LinkageError mapped) {
            // Many of Kotlin's classes are Java's at run time.
            return null;
        }
    }
}
