package io.samewire.bench.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * What every bridge calls. A result depends on each argument, so that one that did not arrive shows; none takes time of its own.
 */
public final class Target {
    /** Field that is read. */
    public final int value;

    private static byte[] given = {};

    /** Object that is made. */
    public Target(int value) {
        this.value = value;
    }

    /** Method on an object. */
    public int get() {
        return value;
    }

    public static int args0() {
        return 1;
    }

    public static int args1(int a) {
        return a;
    }

    public static long args2(int a, long b) {
        return a + b;
    }

    public static double args3(int a, long b, double c) {
        return a + b + c;
    }

    public static double args4(int a, long b, double c, String d) {
        return args3(a, b, c) + d.length();
    }

    public static double args5(int a, long b, double c, String d, boolean e) {
        return args4(a, b, c, d) + (e ? 1 : 0);
    }

    public static double args6(int a, long b, double c, String d, boolean e, byte[] f) {
        return args5(a, b, c, d, e) + f.length + f[f.length - 1];
    }

    public static double args7(int a, long b, double c, String d, boolean e, byte[] f, int g) {
        return args6(a, b, c, d, e, f) + g;
    }

    public static double args8(int a, long b, double c, String d, boolean e, byte[] f, int g, String h) {
        return args7(a, b, c, d, e, f, g) + h.length();
    }

    /** Throws what the caller catches. */
    public static int fail() {
        throw new IllegalStateException("failed as asked");
    }

    /** One call back. */
    public static int callback(IntUnaryOperator function, int argument) {
        return function.applyAsInt(argument);
    }

    /** Many calls back within one call; returns the sum. */
    public static int callbacks(IntUnaryOperator function, int count) {
        int sum = 0;
        for (int index = 0; index < count; index++) {
            sum += function.applyAsInt(index);
        }
        return sum;
    }

    /** Acknowledges bytes by their length and ends. */
    public static long take(byte[] data) {
        return data.length + ends(data[0], data[data.length - 1]);
    }

    /** Bytes that are ready beforehand. */
    public static byte[] give(int length) {
        if (given.length != length) {
            given = new byte[length];
            given[length - 1] = 1;
        }
        return given;
    }

    /** Acknowledges a text likewise. */
    public static long takeText(String text) {
        return text.length() + ends(text.charAt(0), text.charAt(text.length() - 1));
    }

    public static long takeInts(int[] values) {
        return IntStream.of(values).asLongStream().sum();
    }

    public static int[] giveInts(int count) {
        return IntStream.range(0, count).map(index -> index * 7_919).toArray();
    }

    public static long takeList(List<Integer> values) {
        long sum = 0;
        for (int value : values) {
            sum += value;
        }
        return sum;
    }

    public static List<Integer> giveList(int count) {
        List<Integer> values = new ArrayList<>(count);
        for (int value : giveInts(count)) {
            values.add(value);
        }
        return values;
    }

    /** Three values and the length: a sum of millions would be most of the time. */
    public static double takeDoubles(double[] values) {
        return values.length + values[0] + values[values.length / 2] + values[values.length - 1];
    }

    public static double takeItems(List<Item> items) {
        double sum = 0;
        for (Item item : items) {
            sum += item.id() + item.name().length() + item.price();
        }
        return sum;
    }

    private static long ends(int first, int last) {
        return 1_000L * first + last;
    }
}
