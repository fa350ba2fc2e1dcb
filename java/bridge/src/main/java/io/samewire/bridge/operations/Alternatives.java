package io.samewire.bridge.operations;

import java.math.BigInteger;
import java.util.LinkedHashSet;
import java.util.Set;

/** The objects that are equal to one in Python, although not in Java. */
final class Alternatives {
    /** The lowest number above the range of {@code long}. */
    private static final double BEYOND_LONG = 0x1p63;

    private Alternatives() {}

    /** Returns an object, and the numbers of other classes or the character of the same value. */
    static Object[] of(Object object) {
        if (object instanceof Integer || object instanceof Long || object instanceof Short
            || object instanceof Byte) {
            return ofWhole(object, ((Number) object).longValue());
        } else if (object instanceof Double || object instanceof Float) {
            return ofFloat(object, ((Number) object).doubleValue());
        } else if (object instanceof String && ((String) object).length() == 1) {
            return new Object[] {object, ((String) object).charAt(0)};
        }
        return new Object[] {object};
    }

    private static Object[] ofWhole(Object object, long number) {
        Set<Object> found = new LinkedHashSet<>();
        found.add(object);
        addWhole(found, number);
        double wide = number;
        if (wide < BEYOND_LONG && (long) wide == number) {
            addFloat(found, wide);
        }
        return found.toArray();
    }

    private static Object[] ofFloat(Object object, double number) {
        Set<Object> found = new LinkedHashSet<>();
        found.add(object);
        addFloat(found, number);
        if (number < BEYOND_LONG && (long) number == number) {
            addWhole(found, (long) number);
        }
        return found.toArray();
    }

    private static void addWhole(Set<Object> found, long number) {
        found.add(number);
        if (number == (int) number) {
            found.add((int) number);
        }
        if (number == (short) number) {
            found.add((short) number);
        }
        if (number == (byte) number) {
            found.add((byte) number);
        }
        found.add(BigInteger.valueOf(number));
    }

    private static void addFloat(Set<Object> found, double number) {
        found.add(number);
        if (number == (float) number) {
            found.add((float) number);
        }
        if (number == 0) {
            // Zeros of both signs are equal in Python, and two keys in Java.
            found.add(-number);
            found.add((float) -number);
        }
    }
}
