package acceptance;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/** Values as Java makes and sees them. */
public final class Values {
    private Values() {
    }

    public static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    public static int sum(byte[] bytes) {
        int sum = 0;
        for (byte b : bytes) {
            sum += b & 0xff;
        }
        return sum;
    }

    public static byte[] echoBytes(byte[] bytes) {
        return bytes;
    }

    public static byte[] first(byte[] bytes, byte value) {
        bytes[0] = value;
        return bytes;
    }

    public static byte[] noBytes() {
        return null;
    }

    public static String echo(String text) {
        return text;
    }

    public static int units(String text) {
        return text.length();
    }

    public static int points(String text) {
        return text.codePointCount(0, text.length());
    }

    public static String noText() {
        return null;
    }

    public static char letter(String text, int index) {
        return text.charAt(index);
    }

    public static CharSequence builder(String text) {
        return new StringBuilder(text);
    }

    public static int length(CharSequence text) {
        return text.length();
    }

    public static BigInteger power(int base, int exponent) {
        return BigInteger.valueOf(base).pow(exponent);
    }

    public static BigInteger big(BigInteger value) {
        return value;
    }

    public static BigDecimal decimal(BigDecimal value) {
        return value;
    }

    public static int scale(BigDecimal value) {
        return value.scale();
    }

    public static boolean isNull(Object value) {
        return value == null;
    }

    public static Object echoObject(Object value) {
        return value;
    }

    public static long bits(double value) {
        return Double.doubleToRawLongBits(value);
    }

    public static double fromBits(long bits) {
        return Double.longBitsToDouble(bits);
    }

    public static float third() {
        return 1f / 3f;
    }

    public static Object[] boxes() {
        return new Object[] {(byte) -1, (short) -2, -3, -4L, 0.5f, 0.25, 'c', true};
    }

    public static int[] ints(int count) {
        int[] ints = new int[count];
        Arrays.setAll(ints, i -> i * i);
        return ints;
    }

    public static int total(int[] ints) {
        return Arrays.stream(ints).sum();
    }

    public static double mean(double[] numbers) {
        return Arrays.stream(numbers).average().orElse(Double.NaN);
    }

    public static String names(String[] names) {
        return Arrays.toString(names);
    }

    public static String deep(Object[] array) {
        return Arrays.deepToString(array);
    }

    public static int[][] grid() {
        return new int[][] {{1, 2}, {3, 4, 5}, {}};
    }

    public static boolean[] flags() {
        return new boolean[] {true, false, true};
    }

    public static char[] letters() {
        return new char[] {'a', 'b'};
    }

    public static long[] longs() {
        return new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE};
    }

    public static void fill(int[] ints, int value) {
        Arrays.fill(ints, value);
    }

    public static Object[] objects(Object first, Object second) {
        return new Object[] {first, second};
    }
}
