package io.samewire.py4j.invoke;

import java.util.Set;

/** How arguments of some classes fit parameters: at which cost, and by which conversions. */
public final class Fit {
    /** The cost of a null where anything goes; less where the parameter's class is further from Object. */
    private static final long NULL_COST = 100_000_000;
    private static final Set<Class<?>> NUMBERS = Set.of(long.class, int.class, short.class, byte.class, double.class,
        float.class, Long.class, Integer.class, Short.class, Byte.class, Double.class, Float.class);

    private final Conversion[] conversions;
    private long cost;

    private Fit(int count) {
        conversions = new Conversion[count];
    }

    /** Returns how arguments fit, null if they do not. A null argument has the class null. */
    public static Fit of(Class<?>[] parameters, Class<?>[] arguments) {
        Fit fit = new Fit(parameters.length);
        for (int i = 0; i < parameters.length; i++) {
            long cost = fit.fit(i, parameters[i], arguments[i]);
            if (cost < 0) {
                return null;
            }
            fit.cost += cost;
        }
        return fit;
    }

    /** Returns a value as a type wants it. */
    public static Object convert(Class<?> type, Object value) {
        Fit fit = of(new Class<?>[] {type}, classes(value));
        if (fit == null) {
            return value;
        }
        return fit.conversions[0].apply(value);
    }

    /** Returns whether a value can be converted to a type. */
    public static boolean isConvertible(Class<?> type, Object value) {
        return of(new Class<?>[] {type}, classes(value)) != null;
    }

    /** Returns the classes of arguments, null for a null. */
    public static Class<?>[] classes(Object... arguments) {
        Class<?>[] classes = new Class<?>[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            classes[i] = arguments[i] == null ? null : arguments[i].getClass();
        }
        return classes;
    }

    long cost() {
        return cost;
    }

    /** Returns arguments as they are passed. */
    Object[] convert(Object[] arguments) {
        Object[] converted = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            converted[i] = conversions[i].apply(arguments[i]);
        }
        return converted;
    }

    private long fit(int index, Class<?> parameter, Class<?> argument) {
        conversions[index] = Conversion.NONE;
        if (argument == null) {
            return parameter.isPrimitive() ? -1 : Math.abs(NULL_COST - Distance.between(Object.class, parameter));
        }
        if (parameter.isAssignableFrom(argument)) {
            return Distance.between(parameter, argument);
        }
        if (NUMBERS.contains(parameter)) {
            return NUMBERS.contains(argument) ? number(index, parameter, argument) : -1;
        }
        if (parameter == char.class || parameter == Character.class) {
            return character(index, argument);
        }
        boolean isTruth = parameter == boolean.class && argument == Boolean.class;
        return isTruth ? 0 : -1;
    }

    private long character(int index, Class<?> argument) {
        if (argument == Character.class) {
            return 0;
        }
        conversions[index] = Conversion.CHAR;
        return CharSequence.class.isAssignableFrom(argument) ? 1 : -1;
    }

    private long number(int index, Class<?> parameter, Class<?> argument) {
        int target = width(parameter);
        int width = width(argument);
        if (target > 3) {
            if (parameter == float.class || parameter == Float.class) {
                conversions[index] = argument == Double.class ? Conversion.FLOAT : Conversion.NONE;
                return argument == Float.class ? 0 : argument == Double.class ? 1 : -1;
            }
            return argument == Double.class ? 0 : argument == Float.class ? 1 : -1;
        }
        if (width > 3) {
            return -1;
        }
        if (target == 3) {
            conversions[index] = width == 3 ? Conversion.NONE : Conversion.LONG;
            return target - width;
        }
        if (width <= target && (target > 0 || width == 0)) {
            return target - width;
        }
        if (width != 2) {
            return -1;
        }
        conversions[index] = target == 1 ? Conversion.SHORT : Conversion.BYTE;
        return target == 1 ? 1 : 2;
    }

    /** Returns 0 to 3 for integers of 8 to 64 bits, 4 for the others. */
    private static int width(Class<?> type) {
        if (type == byte.class || type == Byte.class) {
            return 0;
        }
        if (type == short.class || type == Short.class) {
            return 1;
        }
        if (type == int.class || type == Integer.class) {
            return 2;
        }
        return type == long.class || type == Long.class ? 3 : 4;
    }
}
