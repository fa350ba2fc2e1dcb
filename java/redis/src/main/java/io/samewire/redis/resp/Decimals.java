package io.samewire.redis.resp;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Numbers as RESP writes them: decimal text ({@code spec/redis.md} section 2). */
final class Decimals {
    /** What {@link #integer} returns for a text that is not one, and for the smallest integer, which is one. */
    static final long NONE = Long.MIN_VALUE;
    /** The most digits of an integer. */
    private static final int DIGITS = 19;
    private static final byte[] SMALLEST = "-9223372036854775808".getBytes(StandardCharsets.ISO_8859_1);

    /** Powers of ten that a double holds exactly. */
    private static final double[] TENS = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
        1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

    private Decimals() {}

    /** Returns the integer of 64 bits that {@code buffer[from, to)} is, or {@link #NONE}: see {@link #isSmallest}. */
    static long integer(byte[] buffer, int from, int to) {
        if (from >= to) {
            return NONE;
        }
        byte sign = buffer[from];
        int at = sign == '-' || sign == '+' ? from + 1 : from;
        int digits = to - at;
        if (digits == 0 || digits > DIGITS || buffer[at] == '0' && (digits > 1 || sign == '-')) {
            return NONE;
        }
        // 19 digits are less than 2^64: a sum over 2^63 shows as a negative one.
        long value = 0;
        for (; at < to; at++) {
            int digit = buffer[at] - '0';
            if (digit < 0 || digit > 9) {
                return NONE;
            }
            value = value * 10 + digit;
        }
        if (value < 0) {
            return NONE;
        }
        return sign == '-' ? -value : value;
    }

    /**
     * Returns whether {@code buffer[from, to)} is the smallest integer, which {@link #integer} returns for none too.
     */
    static boolean isSmallest(byte[] buffer, int from, int to) {
        return Arrays.equals(buffer, from, to, SMALLEST, 0, SMALLEST.length);
    }

    /** Returns how many digits a big number has after an optional sign, or -1 if it is not one. */
    static int bigDigits(byte[] buffer, int from, int to) {
        int at = from < to && (buffer[from] == '-' || buffer[from] == '+') ? from + 1 : from;
        int end = digits(buffer, at, to);
        return end == to && at < to ? to - at : -1;
    }

    /** Returns where the digits that start at {@code at} end. */
    private static int digits(byte[] buffer, int at, int to) {
        int end = at;
        while (end < to && buffer[end] >= '0' && buffer[end] <= '9') {
            end++;
        }
        return end;
    }

    /** Returns whether a text is a double in RESP's notation, be it in range or not. */
    static boolean isDouble(byte[] buffer, int from, int to) {
        int at = from < to && (buffer[from] == '-' || buffer[from] == '+') ? from + 1 : from;
        if (isWord(buffer, at, to, 'i', 'n', 'f') || isWord(buffer, at, to, 'n', 'a', 'n')) {
            return true;
        }
        int whole = digits(buffer, at, to);
        int count = whole - at;
        at = whole;
        if (at < to && buffer[at] == '.') {
            int fraction = digits(buffer, at + 1, to);
            count += fraction - at - 1;
            at = fraction;
        }
        if (count > 0 && at < to && (buffer[at] == 'e' || buffer[at] == 'E')) {
            int exponent = at + 1 < to && (buffer[at + 1] == '-' || buffer[at + 1] == '+') ? at + 2 : at + 1;
            at = digits(buffer, exponent, to);
            count = at - exponent;
        }
        return count > 0 && at == to;
    }

    private static boolean isWord(byte[] buffer, int at, int to, char a, char b, char c) {
        return to - at == 3 && buffer[at] == a && buffer[at + 1] == b && buffer[at + 2] == c;
    }

    /**
     * Returns the value of a text that {@link #isDouble}; a finite text beyond the range gives an infinity, which
     * {@link #isFinite} tells from one.
     */
    static double real(byte[] buffer, int from, int to) {
        boolean negative = buffer[from] == '-';
        int at = negative || buffer[from] == '+' ? from + 1 : from;
        if (buffer[at] == 'n') {
            return Double.NaN;
        } else if (buffer[at] == 'i') {
            return negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        // Up to 15 digits, and a power of ten that is exact: one rounding, so the nearest double.
        long digits = 0;
        int count = 0;
        int fraction = 0;
        boolean point = false;
        for (int i = at; i < to && count <= 15; i++) {
            byte b = buffer[i];
            if (b == '.') {
                point = true;
            } else if (b == 'e' || b == 'E') {
                count = 99;
            } else {
                digits = digits * 10 + (b - '0');
                count += digits == 0 ? 0 : 1;
                fraction += point ? 1 : 0;
            }
        }
        if (count <= 15 && fraction < TENS.length) {
            double value = digits / TENS[fraction];
            return negative ? -value : value;
        }
        return Double.parseDouble(new String(buffer, from, to - from, StandardCharsets.ISO_8859_1));
    }

    /** Returns whether a text that {@link #isDouble} stands for a number of digits. */
    static boolean isFinite(byte[] buffer, int from, int to) {
        int at = buffer[from] == '-' || buffer[from] == '+' ? from + 1 : from;
        return at < to && buffer[at] < 'a';
    }

    /** Returns the shortest decimal text that reads back as the same double ({@code spec/redis.md} section 4). */
    static String text(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        } else if (Double.isInfinite(value)) {
            return value < 0 ? "-inf" : "inf";
        }
        long whole = (long) value;
        if (whole == value && Math.abs(value) < 1L << 53) {
            return whole == 0 && 1 / value < 0 ? "-0" : Long.toString(whole);
        }
        BigDecimal shortest = shortest(Math.abs(value)).stripTrailingZeros();
        String digits = shortest.unscaledValue().toString();
        // The number is 0.d1d2d3... times ten to the `point`.
        int point = digits.length() - shortest.scale();
        StringBuilder text = new StringBuilder(value < 0 ? "-" : "");
        if (Math.abs(value) < 1e-5 || Math.abs(value) >= 1e17) {
            text.append(digits, 0, 1);
            if (digits.length() > 1) {
                text.append('.').append(digits, 1, digits.length());
            }
            return text.append('e').append(point - 1).toString();
        } else if (point <= 0) {
            return text.append("0.").append("0".repeat(-point)).append(digits).toString();
        } else if (point >= digits.length()) {
            return text.append(digits).append("0".repeat(point - digits.length())).toString();
        }
        return text.append(digits, 0, point).append('.').append(digits, point, digits.length()).toString();
    }

    /**
     * Returns the shortest decimal that reads back as a positive double, and of those the nearest to it. {@code
     * Double.toString} has digits too many before JDK 19, and never fewer than two.
     */
    private static BigDecimal shortest(double value) {
        BigDecimal best = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        BigDecimal exact = new BigDecimal(value);
        while (best.precision() > 1) {
            int precision = best.precision() - 1;
            BigDecimal below = exact.round(new MathContext(precision, RoundingMode.DOWN));
            BigDecimal above = exact.round(new MathContext(precision, RoundingMode.UP));
            boolean low = below.doubleValue() == value;
            boolean high = above.doubleValue() == value;
            if (!low && !high) {
                break;
            }
            boolean lower = low && (!high || exact.subtract(below).compareTo(above.subtract(exact)) <= 0);
            best = lower ? below : above;
        }
        return best;
    }
}
