package io.samewire.bridge.operations;

import java.math.BigInteger;

/** The objects that are equal to one for Python, although not for Java. */
final class Alternatives {
    private Alternatives() {}

    /** Returns an object, and the numbers of other classes or the character of the same value. */
    static Object[] of(Object object) {
        if (object instanceof Integer || object instanceof Long || object instanceof Short
            || object instanceof Byte) {
            long number = ((Number) object).longValue();
            return new Object[] {object, number, number == (int) number ? (Object) (int) number : object,
                number == (short) number ? (Object) (short) number : object,
                number == (byte) number ? (Object) (byte) number : object,
                (long) (double) number == number ? (Object) (double) number : object,
                (long) (float) number == number ? (Object) (float) number : object, BigInteger.valueOf(number)};
        } else if (object instanceof Double) {
            double number = (Double) object;
            return new Object[] {object, number == (float) number ? (Object) (float) number : object,
                number == (long) number ? (Object) (long) number : object,
                number == (int) number ? (Object) (int) number : object};
        } else if (object instanceof String && ((String) object).length() == 1) {
            return new Object[] {object, ((String) object).charAt(0)};
        }
        return new Object[] {object};
    }
}
