package io.samewire.py4j.invoke;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import py4j.Py4JException;
import py4j.Py4JJavaException;

/** The method or constructor that some arguments chose, ready to be called with others of the same classes. */
public final class Choice {
    private final Executable member;
    private final Fit fit;

    private Choice(Executable member, Fit fit) {
        this.member = member;
        this.fit = fit;
    }

    /**
     * Returns the method of a class that arguments fit at the lowest cost.
     *
     * @throws Py4JException if there is none
     */
    public static Choice method(Class<?> type, String name, Class<?>[] arguments) {
        Choice best = best(Candidates.methods(type, name, arguments.length), arguments);
        if (best == null) {
            throw new Py4JException("Method " + name + "(" + Arrays.toString(arguments) + ") does not exist");
        }
        return best;
    }

    /**
     * Returns the constructor of a class that arguments fit at the lowest cost.
     *
     * @throws Py4JException if there is none
     */
    public static Choice constructor(Class<?> type, Class<?>[] arguments) {
        Choice best = best(Candidates.constructors(type, arguments.length), arguments);
        if (best == null) {
            throw new Py4JException("Constructor " + type.getName() + "(" + Arrays.toString(arguments)
                + ") does not exist");
        }
        return best;
    }

    /**
     * Returns the method or constructor that arguments fit at the lowest cost; null if there is none.
     *
     * @param name the name of the method; empty for a constructor
     */
    public static Executable member(Class<?> type, String name, Class<?>... arguments) {
        Choice best = best(name.isEmpty() ? Candidates.constructors(type, arguments.length)
            : Candidates.methods(type, name, arguments.length), arguments);
        return best == null ? null : best.member;
    }

    /** The first of the lowest cost. */
    private static Choice best(List<Executable> candidates, Class<?>[] arguments) {
        Choice best = null;
        for (Executable candidate : candidates) {
            Fit fit = Fit.of(candidate.getParameterTypes(), arguments);
            if (fit != null && (best == null || fit.cost() < best.fit.cost())) {
                best = new Choice(candidate, fit);
            }
        }
        return best;
    }

    /** Returns whether a call has no value. */
    public boolean isVoid() {
        return member instanceof Method method && method.getReturnType() == void.class;
    }

    /**
     * Calls it.
     *
     * @throws Py4JJavaException what it threw, as the cause
     * @throws Py4JException if it could not be called
     */
    public Object call(Object target, Object[] arguments) {
        try {
            Object[] converted = fit.convert(arguments);
            return member instanceof Method method ? method.invoke(target, converted)
                : ((Constructor<?>) member).newInstance(converted);
        } catch (InvocationTargetException thrown) {
            throw new Py4JJavaException(thrown.getCause());
        } catch (ReflectiveOperationException | RuntimeException error) {
            throw new Py4JException(error);
        }
    }
}
