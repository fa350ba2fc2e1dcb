package io.samewire.bridge.operations;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Slices of lists as in Python: from an index, up to another (exclusive), by a step other than 0. */
public final class Slices {
    private Slices() {}

    /** Returns how many elements a slice has. */
    public static int length(int from, int to, int step) {
        if (step == 0) {
            throw new SamewireException(Code.MISUSE, -1, null, "the step of a slice must not be 0");
        }
        long distance = step > 0 ? (long) to - from : (long) from - to;
        long width = Math.abs((long) step);
        return distance <= 0 ? 0 : (int) ((distance + width - 1) / width);
    }

    /** Returns a new list of the elements of a slice. */
    public static List<Object> get(List<?> list, int from, int to, int step) {
        int length = length(from, to, step);
        if (step == 1) {
            return new ArrayList<>(list.subList(from, from + length));
        }
        List<Object> made = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            made.add(list.get(from + i * step));
        }
        return made;
    }

    /** Replaces the elements from an index to another by others, of any number. */
    public static void set(List<Object> list, int from, int to, Collection<?> values) {
        List<Object> part = list.subList(from, Math.max(from, to));
        if (part.size() == values.size()) {
            int i = from;
            for (Object value : values.toArray()) {
                list.set(i++, value);
            }
            return;
        }
        Object[] copy = values.toArray();
        part.clear();
        list.addAll(from, Arrays.asList(copy));
    }

    /** Replaces every element of a slice. The caller has checked that there are as many values. */
    public static void setStep(List<Object> list, int from, int step, Collection<?> values) {
        int i = from;
        for (Object value : values.toArray()) {
            list.set(i, value);
            i += step;
        }
    }

    /** Removes the elements of a slice. */
    public static void delete(List<?> list, int from, int to, int step) {
        int length = length(from, to, step);
        if (length == 0) {
            return;
        } else if (step == 1) {
            list.subList(from, to).clear();
            return;
        }
        // From the last one on, so that the other indices stay valid.
        int last = from + (length - 1) * step;
        for (int i = 0; i < length; i++) {
            list.remove(step > 0 ? last - i * step : from + i * step);
        }
    }
}
