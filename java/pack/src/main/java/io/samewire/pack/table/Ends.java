package io.samewire.pack.table;

/** Where lists end in the column of their elements. */
final class Ends {
    private final Growing ends = new Growing(int.class, 0);

    int length() {
        return ends.length;
    }

    /** Where a list begins; that of the number of all is where the last one ends. */
    int startOf(int index) {
        return index == 0 ? 0 : ((int[]) ends.array)[index - 1];
    }

    /** Where the next list begins. */
    int last() {
        return startOf(ends.length);
    }

    void push(int end) {
        int at = ends.extend(1);
        ((int[]) ends.array)[at] = end;
    }

    /** Appends {@code m} lists by their bounds, from 0 on: where each begins, and where the last one ends. */
    void pushBounds(long[] bounds, int m) {
        int before = last();
        int from = ends.extend(m);
        int[] array = (int[]) ends.array;
        for (int i = 0; i < m; i++) {
            array[from + i] = before + (int) bounds[i + 1];
        }
    }

    /** {@link Growing#spread}: an absent list is empty where it stands. */
    void spread(boolean[] set, int present) {
        int next = ends.length;
        int from = next - present;
        int before = startOf(from);
        ends.extend(set.length - present);
        int[] array = (int[]) ends.array;
        for (int i = set.length - 1; i >= 0; i--) {
            array[from + i] = next > from ? array[next - 1] : before;
            next -= set[i] ? 1 : 0;
        }
    }

    /** Where each list begins, and the end of the last one. */
    int[] offsets() {
        int[] offsets = new int[ends.length + 1];
        System.arraycopy(ends.array, 0, offsets, 1, ends.length);
        return offsets;
    }
}
