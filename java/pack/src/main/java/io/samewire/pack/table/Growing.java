package io.samewire.pack.table;

import java.lang.reflect.Array;

/** An array of primitives or references that grows. Its elements from {@code length} on are not in use. */
final class Growing {
    private static final int SMALLEST = 16;

    /** The array, of the type that it was made of. */
    Object array;
    int length;
    private int capacity;
    /** An array of the one element that stands where one is null. */
    private final Object nothing;

    /** Creates an empty array of that type, in which {@code nothing} stands for null. */
    Growing(Class<?> type, Object nothing) {
        this.array = Array.newInstance(type, 0);
        this.nothing = Array.newInstance(type, 1);
        Array.set(this.nothing, 0, nothing);
    }

    /** Makes room for {@code n} more elements, which are not cleared. Returns where they begin. */
    int extend(int n) {
        int from = length;
        int to = Math.addExact(from, n);
        if (to > capacity) {
            capacity = (int) Math.max(to, Math.min(Integer.MAX_VALUE - 8, 2L * capacity));
            capacity = n == 1 ? Math.max(capacity, SMALLEST) : capacity;
            array = copy(capacity);
        }
        length = to;
        return from;
    }

    private Object copy(int size) {
        Object longer = Array.newInstance(array.getClass().getComponentType(), size);
        System.arraycopy(array, 0, longer, 0, Math.min(length, size));
        return longer;
    }

    /** Appends the first {@code n} elements of an array of the same type. */
    void append(Object elements, int n) {
        int from = extend(n);
        System.arraycopy(elements, 0, array, from, n);
    }

    /** Appends what stands for null. */
    void appendNothing() {
        append(nothing, 1);
    }

    /**
     * Moves the last {@code present} elements to where they belong among {@code set.length}; the others become null.
     * From the end: no element moves to where one stands that has not moved.
     */
    void spread(boolean[] set, int present) {
        int from = length - present;
        extend(set.length - present);
        int next = from + present;
        for (int i = set.length - 1; i >= 0; i--) {
            if (set[i]) {
                System.arraycopy(array, --next, array, from + i, 1);
            } else {
                System.arraycopy(nothing, 0, array, from + i, 1);
            }
        }
    }

    /** Its elements in an array of exactly their number. */
    Object finish() {
        return length == capacity ? array : copy(length);
    }
}
