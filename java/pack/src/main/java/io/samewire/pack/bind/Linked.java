package io.samewire.pack.bind;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** A method, constructor or field of a class, as a recorded program uses it: what it takes and returns, as objects. */
final class Linked {
    final MethodHandle handle;
    /** The descriptors' first letters of what lies on the stack, a receiver among them; no arrays, but {@code L}. */
    final char[] parameters;
    final char result;

    Linked(MethodHandle handle) {
        MethodType type = handle.type();
        this.parameters = letters(type);
        this.result = letter(type.returnType());
        this.handle = handle.asFixedArity().asType(type.generic());
    }

    static char[] letters(MethodType type) {
        char[] letters = new char[type.parameterCount()];
        for (int i = 0; i < letters.length; i++) {
            letters[i] = letter(type.parameterType(i));
        }
        return letters;
    }

    static char letter(Class<?> type) {
        return type.isPrimitive() ? type.descriptorString().charAt(0) : 'L';
    }
}
