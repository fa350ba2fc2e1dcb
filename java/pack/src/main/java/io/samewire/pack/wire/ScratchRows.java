package io.samewire.pack.wire;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;

/**
 * Makes arrays of numbers that HotSpot does not clear before they are filled. It leaves that out only where an array of
 * the same kind is copied, so that the numbers go through one that is kept and stays in the cache. Worth a tenth of the
 * time for rows that the nearest cache no longer holds when they have been cleared; shorter ones would pay for the
 * second copy.
 *
 * <p>A record in a constant for each kind of array: the JIT trusts the fields of records, and so knows the kind
 * wherever it inlines a call.
 *
 * @param <A> the arrays: {@code int[]}, {@code long[]}, {@code float[]} or {@code double[]}
 * @param make a new one of that many numbers
 * @param width bytes of a number
 * @param places what is kept, one array for each of a few threads at most; which thread it is decides nothing but speed
 */
record ScratchRows<A>(IntFunction<A> make, int width, AtomicReferenceArray<A> places) {
    static final ScratchRows<int[]> INTS = new ScratchRows<>(int[]::new, Integer.BYTES);
    static final ScratchRows<long[]> LONGS = new ScratchRows<>(long[]::new, Long.BYTES);
    static final ScratchRows<float[]> FLOATS = new ScratchRows<>(float[]::new, Float.BYTES);
    static final ScratchRows<double[]> DOUBLES = new ScratchRows<>(double[]::new, Double.BYTES);

    private static final int LEAST_BYTES = 1 << 15;
    private static final int MOST_BYTES = 1 << 17;
    private static final int PLACES = 8;

    private ScratchRows(IntFunction<A> make, int width) {
        this(make, width, new AtomicReferenceArray<>(PLACES));
    }

    /** {@code n} numbers that begin at {@code from[at]}. */
    A row(byte[] from, int at, int n) {
        long bytes = (long) n * width;
        if (bytes >= LEAST_BYTES && bytes <= MOST_BYTES) {
            return throughKept(from, at, n);
        }
        A row = make.apply(n);
        fill(from, at, row, n);
        return row;
    }

    /** A method of its own, so that the way of short rows stays small enough to be inlined where it is called. */
    private A throughKept(byte[] from, int at, int n) {
        int place = (int) Thread.currentThread().getId() & PLACES - 1;
        // No other thread has it until it is given back.
        A kept = places.getAndSet(place, null);
        if (kept == null) {
            kept = make.apply(MOST_BYTES / width);
        }
        fill(from, at, kept, n);
        A row = copyOf(kept, n);
        places.setRelease(place, kept);
        return row;
    }

    private static void fill(byte[] from, int at, Object row, int n) {
        if (row instanceof int[] ints) {
            Memory.MEMORY.getRow(from, at, ints, n);
        } else if (row instanceof long[] longs) {
            Memory.MEMORY.getRow(from, at, longs, n);
        } else if (row instanceof float[] floats) {
            Memory.MEMORY.getRow(from, at, floats, n);
        } else {
            Memory.MEMORY.getRow(from, at, (double[]) row, n);
        }
    }

    @SuppressWarnings("unchecked") // A copy is of the kind of what is copied.
    private static <A> A copyOf(A row, int n) {
        Object copy;
        if (row instanceof int[] ints) {
            copy = Arrays.copyOf(ints, n);
        } else if (row instanceof long[] longs) {
            copy = Arrays.copyOf(longs, n);
        } else if (row instanceof float[] floats) {
            copy = Arrays.copyOf(floats, n);
        } else {
            copy = Arrays.copyOf((double[]) row, n);
        }
        return (A) copy;
    }
}
