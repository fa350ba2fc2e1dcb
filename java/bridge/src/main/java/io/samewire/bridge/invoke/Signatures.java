package io.samewire.bridge.invoke;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;

/** Texts of types and members: arrays with {@code []}, classes by their binary names. */
public final class Signatures {
    private Signatures() {}

    /** Returns the name of a type, like {@code int}, {@code java.util.Map$Entry} or {@code byte[][]}. */
    public static String name(Class<?> type) {
        int depth = 0;
        Class<?> leaf = type;
        while (leaf.isArray()) {
            depth++;
            leaf = leaf.getComponentType();
        }
        return depth == 0 ? leaf.getName() : leaf.getName() + "[]".repeat(depth);
    }

    /** Returns names of types, with {@code separator} between them. */
    public static String names(Class<?>[] types, String separator) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < types.length; i++) {
            text.append(i == 0 ? "" : separator).append(name(types[i]));
        }
        return text.toString();
    }

    /** Returns a member with its parameters, like {@code indexOf(java.lang.String, int)}. */
    public static String of(Executable member) {
        Class<?>[] parameters = member.getParameterTypes();
        StringBuilder text = new StringBuilder();
        if (member instanceof Constructor) {
            text.append(name(member.getDeclaringClass()));
        } else {
            text.append(name(((Method) member).getReturnType())).append(' ').append(member.getName());
        }
        text.append('(');
        for (int i = 0; i < parameters.length; i++) {
            text.append(i == 0 ? "" : ", ");
            if (member.isVarArgs() && i == parameters.length - 1) {
                text.append(name(parameters[i].getComponentType())).append("...");
            } else {
                text.append(name(parameters[i]));
            }
        }
        return text.append(')').toString();
    }
}
