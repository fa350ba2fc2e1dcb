package io.samewire.bridge.operations;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Equality, order and membership with Python's semantics: numbers are equal across types, a text of one unit equals its
 * character, lists and arrays are equal if their elements are.
 */
public final class Equality {
    private static final int MOST_DEPTH = 64;

    private Equality() {}

    /** Returns whether two objects are equal. */
    public static boolean equal(Object one, Object other) {
        return equal(one, other, MOST_DEPTH);
    }

    private static boolean equal(Object one, Object other, int depth) {
        if (one == other) {
            return true;
        } else if (one == null || other == null) {
            return false;
        } else if (one instanceof Number && other instanceof Number && isPlain(one) && isPlain(other)) {
            return compareNumbers((Number) one, (Number) other) == 0 && !isNan(one) && !isNan(other);
        } else if (one instanceof Character && other instanceof String
            || one instanceof String && other instanceof Character) {
            return one.toString().equals(other.toString());
        } else if (depth > 0 && one instanceof List && other instanceof List) {
            return elements(((List<?>) one).iterator(), ((List<?>) other).iterator(), depth - 1);
        } else if (depth > 0 && one.getClass().isArray() && other.getClass().isArray()) {
            return arrays(one, other, depth - 1);
        }
        return one.equals(other);
    }

    private static boolean elements(Iterator<?> mine, Iterator<?> theirs, int depth) {
        while (mine.hasNext() && theirs.hasNext()) {
            if (!equal(mine.next(), theirs.next(), depth)) {
                return false;
            }
        }
        return !mine.hasNext() && !theirs.hasNext();
    }

    private static boolean arrays(Object one, Object other, int depth) {
        int length = Array.getLength(one);
        if (length != Array.getLength(other)) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (!equal(Array.get(one, i), Array.get(other, i), depth)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNan(Object number) {
        return number instanceof Double && ((Double) number).isNaN()
            || number instanceof Float && ((Float) number).isNaN();
    }

    /** Whether a number is of the JDK's classes, whose values are known. */
    private static boolean isPlain(Object number) {
        return number instanceof Integer || number instanceof Long || number instanceof Double
            || number instanceof Float || number instanceof Short || number instanceof Byte
            || number.getClass() == BigInteger.class || number.getClass() == BigDecimal.class;
    }

    private static int compareNumbers(Number one, Number other) {
        boolean whole = isLong(one) && isLong(other);
        if (whole) {
            return Long.compare(one.longValue(), other.longValue());
        } else if (isFloat(one) && isFloat(other) || !isFinite(one) || !isFinite(other)) {
            return Double.compare(one.doubleValue() + 0.0, other.doubleValue() + 0.0);
        }
        return decimal(one).compareTo(decimal(other));
    }

    private static boolean isLong(Number number) {
        return number instanceof Integer || number instanceof Long || number instanceof Short
            || number instanceof Byte;
    }

    private static boolean isFloat(Number number) {
        return number instanceof Double || number instanceof Float;
    }

    private static boolean isFinite(Number number) {
        return !isFloat(number) || Double.isFinite(number.doubleValue());
    }

    private static BigDecimal decimal(Number number) {
        return number instanceof BigDecimal ? (BigDecimal) number
            : number instanceof BigInteger ? new BigDecimal((BigInteger) number)
            : isFloat(number) ? new BigDecimal(number.doubleValue()) : BigDecimal.valueOf(number.longValue());
    }

    /** Returns the hash of an object; of an array the hash of its elements. */
    public static int hash(Object object) {
        if (object == null || !object.getClass().isArray()) {
            return object == null ? 0 : object.hashCode();
        }
        int hash = 1;
        int length = Array.getLength(object);
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + hash(Array.get(object, i));
        }
        return hash;
    }

    /**
     * Returns whether an object is before another (negative), after it (positive), or neither.
     *
     * @throws SamewireException {@code type_mismatch} if they have no order
     */
    @SuppressWarnings("unchecked") // compareTo itself refuses other classes.
    public static int compare(Object one, Object other) {
        if (one instanceof Number && other instanceof Number && isPlain(one) && isPlain(other)) {
            return compareNumbers((Number) one, (Number) other);
        } else if (one instanceof Character && other instanceof String
            || one instanceof String && other instanceof Character) {
            return one.toString().compareTo(other.toString());
        } else if (one instanceof Comparable) {
            try {
                return ((Comparable<Object>) one).compareTo(other);
            } catch (ClassCastException unordered) {
                throw unordered(one, other);
            }
        }
        throw unordered(one, other);
    }

    private static SamewireException unordered(Object one, Object other) {
        return new SamewireException(Code.TYPE_MISMATCH, -1, null, "there is no order of " + name(one) + " and "
            + name(other) + ": pass a comparator");
    }

    private static String name(Object object) {
        return object == null ? "null" : object.getClass().getName();
    }

    /** Returns whether a container has an element, a map a key. */
    public static boolean contains(Object container, Object wanted) {
        if (container instanceof Map) {
            return isIn(((Map<?, ?>) container).keySet(), wanted);
        } else if (container instanceof List) {
            return isAmong(((List<?>) container).iterator(), wanted);
        } else if (container instanceof Collection) {
            return isIn((Collection<?>) container, wanted);
        } else if (container instanceof Iterable) {
            return isAmong(((Iterable<?>) container).iterator(), wanted);
        } else if (container instanceof CharSequence && wanted instanceof CharSequence) {
            return container.toString().contains((CharSequence) wanted);
        } else if (container != null && container.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(container); i++) {
                if (equal(Array.get(container, i), wanted)) {
                    return true;
                }
            }
            return false;
        }
        throw new SamewireException(Code.TYPE_MISMATCH, -1, null, name(container) + " is not a container");
    }

    private static boolean isAmong(Iterator<?> elements, Object wanted) {
        while (elements.hasNext()) {
            if (equal(elements.next(), wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Calls {@code contains} of a collection, which may be faster than iterating. */
    private static boolean isIn(Collection<?> elements, Object wanted) {
        for (Object candidate : Alternatives.of(wanted)) {
            try {
                if (elements.contains(candidate)) {
                    return true;
                }
            } catch (ClassCastException | NullPointerException other) {
                // The collection refuses elements of that class, or null: it has none.
                continue;
            }
        }
        return false;
    }
}
