package io.samewire.bridge.value;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Converts numbers to other types. Refuses to change an integer's value; rounds floats. */
final class NumberConversion {
    private NumberConversion() {}

    /** Returns a number as a class that boxes a primitive, as {@code BigInteger} or as {@code BigDecimal}. */
    static Object convert(Number value, Class<?> boxed) {
        if (boxed == Double.class) {
            return toDouble(value);
        } else if (boxed == Float.class) {
            float rounded = value.floatValue();
            if (Float.isInfinite(rounded) && !Double.isInfinite(value.doubleValue())
                || value instanceof BigInteger && Float.isInfinite(rounded)) {
                throw Mismatch.range(value, boxed);
            }
            return rounded;
        } else if (boxed == BigDecimal.class) {
            return toDecimal(value);
        } else if (value instanceof Double || value instanceof Float || value instanceof BigDecimal
            && boxed != BigInteger.class) {
            throw Mismatch.of(value, boxed);
        } else if (boxed == BigInteger.class) {
            return value instanceof BigInteger ? value : value instanceof BigDecimal ? toInteger((BigDecimal) value)
                : BigInteger.valueOf(value.longValue());
        }
        return toInteger(value, boxed);
    }

    private static Object toDouble(Number value) {
        double rounded = value.doubleValue();
        if (Double.isInfinite(rounded) && (value instanceof BigInteger || value instanceof BigDecimal)) {
            throw Mismatch.range(value, double.class);
        }
        return rounded;
    }

    private static Object toDecimal(Number value) {
        if (value instanceof BigDecimal) {
            return value;
        } else if (value instanceof BigInteger) {
            return new BigDecimal((BigInteger) value);
        } else if (value instanceof Double || value instanceof Float) {
            double number = value.doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                throw Mismatch.range(value, BigDecimal.class);
            }
            return new BigDecimal(value.toString());
        }
        return BigDecimal.valueOf(value.longValue());
    }

    private static BigInteger toInteger(BigDecimal value) {
        try {
            return value.toBigIntegerExact();
        } catch (ArithmeticException fraction) {
            throw Mismatch.of(value, BigInteger.class, ": it has a fraction");
        }
    }

    private static Object toInteger(Number value, Class<?> boxed) {
        if (value instanceof BigInteger && ((BigInteger) value).bitLength() >= Long.SIZE) {
            throw Mismatch.range(value, boxed);
        }
        long number = value.longValue();
        if (boxed == Long.class) {
            return number;
        } else if (boxed == Integer.class && number == (int) number) {
            return (int) number;
        } else if (boxed == Short.class && number == (short) number) {
            return (short) number;
        } else if (boxed == Byte.class && number == (byte) number) {
            return (byte) number;
        }
        throw Mismatch.range(value, boxed);
    }
}
