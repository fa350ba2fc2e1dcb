package io.samewire.bridge.value;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;

/** Arrays as lists, and lists of one primitive type as arrays of it. */
public final class RowLists {
    private RowLists() {}

    /** Returns a new list of the elements of an array. */
    public static ArrayList<Object> of(Object row) {
        if (row instanceof Object[]) {
            return new ArrayList<>(Arrays.asList((Object[]) row));
        }
        int length = Array.getLength(row);
        ArrayList<Object> made = new ArrayList<>(length);
        if (row instanceof int[]) {
            for (int one : (int[]) row) {
                made.add(one);
            }
        } else if (row instanceof long[]) {
            for (long one : (long[]) row) {
                made.add(one);
            }
        } else if (row instanceof double[]) {
            for (double one : (double[]) row) {
                made.add(one);
            }
        } else {
            for (int i = 0; i < length; i++) {
                made.add(Array.get(row, i));
            }
        }
        return made;
    }
}
