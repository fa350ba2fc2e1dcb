package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;

/**
 * New arrays of numbers that HotSpot does not clear before they are filled. It leaves that out only where an array of the same
 * kind is copied, so that the numbers go through one that is kept and stays in the cache. Worth a tenth of the time for rows that
 * the nearest cache no longer holds when they have been cleared; shorter ones would pay for the second copy.
 */
final class KeptRows {
    private static final int LEAST_BYTES = 1 << 15;
    private static final int MOST_BYTES = 1 << 17;
    private static final Kept<int[]> INTS = new Kept<>(int[]::new, Integer.BYTES);
    private static final Kept<long[]> LONGS = new Kept<>(long[]::new, Long.BYTES);
    private static final Kept<float[]> FLOATS = new Kept<>(float[]::new, Float.BYTES);
    private static final Kept<double[]> DOUBLES = new Kept<>(double[]::new, Double.BYTES);

    private KeptRows() {}

    /** Arrays of one kind, one for each of a few threads at most; which thread it is decides nothing but speed. */
    private static final class Kept<A> {
        private static final int PLACES = 8;
        private final AtomicReferenceArray<A> places = new AtomicReferenceArray<>(PLACES);
        private final IntFunction<A> make;
        private final int width;

        Kept(IntFunction<A> make, int width) {
            this.make = make;
            this.width = width;
        }

        private static int place() {
            return (int) Thread.currentThread().getId() & PLACES - 1;
        }

        boolean isWorth(int n) {
            long bytes = (long) n * width;
            return bytes >= LEAST_BYTES && bytes <= MOST_BYTES;
        }

        /** An array that nobody else has until it is given back. */
        A take() {
            A kept = places.getAndSet(place(), null);
            return kept != null ? kept : make.apply(MOST_BYTES / width);
        }

        void give(A kept) {
            places.setRelease(place(), kept);
        }
    }

    /** {@code n} numbers that begin at {@code from[at]}. */
    static int[] ints(byte[] from, int at, int n) {
        int[] row;
        if (INTS.isWorth(n)) {
            int[] kept = INTS.take();
            Memory.MEMORY.getRow(from, at, kept, n);
            row = Arrays.copyOf(kept, n);
            INTS.give(kept);
        } else {
            row = new int[n];
            Memory.MEMORY.getRow(from, at, row, n);
        }
        return row;
    }

    /** {@code n} numbers that begin at {@code from[at]}. */
    static long[] longs(byte[] from, int at, int n) {
        long[] row;
        if (LONGS.isWorth(n)) {
            long[] kept = LONGS.take();
            Memory.MEMORY.getRow(from, at, kept, n);
            row = Arrays.copyOf(kept, n);
            LONGS.give(kept);
        } else {
            row = new long[n];
            Memory.MEMORY.getRow(from, at, row, n);
        }
        return row;
    }

    /** {@code n} numbers that begin at {@code from[at]}. */
    static float[] floats(byte[] from, int at, int n) {
        float[] row;
        if (FLOATS.isWorth(n)) {
            float[] kept = FLOATS.take();
            Memory.MEMORY.getRow(from, at, kept, n);
            row = Arrays.copyOf(kept, n);
            FLOATS.give(kept);
        } else {
            row = new float[n];
            Memory.MEMORY.getRow(from, at, row, n);
        }
        return row;
    }

    /** {@code n} numbers that begin at {@code from[at]}. */
    static double[] doubles(byte[] from, int at, int n) {
        double[] row;
        if (DOUBLES.isWorth(n)) {
            double[] kept = DOUBLES.take();
            Memory.MEMORY.getRow(from, at, kept, n);
            row = Arrays.copyOf(kept, n);
            DOUBLES.give(kept);
        } else {
            row = new double[n];
            Memory.MEMORY.getRow(from, at, row, n);
        }
        return row;
    }
}
