package io.samewire.bridge.invoke;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** A method or constructor that is a candidate for a call. */
public final class Overload {
    private final Executable member;
    private final Class<?>[] parameters;

    /** Takes a method or constructor. */
    public Overload(Executable member) {
        this.member = member;
        this.parameters = member.getParameterTypes();
    }

    /** Returns the method or constructor. */
    public Executable member() {
        return member;
    }

    /** Returns how many parameters it declares. */
    public int count() {
        return parameters.length;
    }

    /** Returns the declared class of a parameter. */
    public Class<?> parameter(int i) {
        return parameters[i];
    }

    /**
     * Returns the class of argument {@code i}; spread out if {@code spread} is true and the last one is {@code T...}.
     */
    public Class<?> parameter(int i, boolean spread) {
        int last = parameters.length - 1;
        return spread && i >= last ? parameters[last].getComponentType() : parameters[i];
    }

    /** Returns whether the last parameter is {@code T...}. */
    public boolean isVarArgs() {
        return member.isVarArgs();
    }

    /** Returns whether it needs no receiver. */
    public boolean isStatic() {
        return member instanceof Constructor || Modifier.isStatic(member.getModifiers());
    }

    /** Returns the declared type of its result: for a constructor the class. */
    public Class<?> returnType() {
        return member instanceof Method method ? method.getReturnType() : member.getDeclaringClass();
    }

    boolean hasParameters(Overload other) {
        return Arrays.equals(parameters, other.parameters);
    }

    @Override
    public String toString() {
        return Signatures.of(member);
    }
}
