package io.samewire.py4j;

import io.samewire.py4j.invoke.Fit;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import py4j.Py4JException;

/** What Python does with lists and arrays in one step, in either dialect: slices, sums, sorting, and so on. */
public final class Elements {
    private Elements() {}

    /** Returns a new {@code ArrayList} of elements. */
    public static Object newList(List<?> elements) {
        return new ArrayList<Object>(elements);
    }

    /** Returns a new {@code HashSet} of elements, in the order that adding them one by one gives. */
    public static Object newSet(List<?> elements) {
        Set<Object> set = new HashSet<>();
        // Not by its constructor, which chooses another capacity, and so another order.
        for (Object element : elements) {
            set.add(element);
        }
        return set;
    }

    /** Returns a new {@code HashMap} of keys and, at the same places, values; in the order of putting each. */
    public static Object newMap(List<?> keys, List<?> values) {
        Map<Object, Object> map = new HashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            map.put(keys.get(i), values.get(i));
        }
        return map;
    }

    /** Returns a new list of the elements at some indices. */
    public static List<Object> slice(List<?> list, int[] indices) {
        List<Object> slice = new ArrayList<>(indices.length);
        for (int index : indices) {
            slice.add(list.get(index));
        }
        return slice;
    }

    /** Returns a new list of the elements of two. */
    public static List<Object> concatenated(List<?> list, List<?> other) {
        List<Object> both = new ArrayList<>(list);
        both.addAll(other);
        return both;
    }

    /** Returns a new list that repeats the elements. */
    public static List<Object> repeated(List<?> list, int times) {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            all.addAll(list);
        }
        return all;
    }

    /** Repeats the elements of a list in place. */
    public static void repeat(List<Object> list, int times) {
        List<Object> once = new ArrayList<>(list);
        if (times <= 0) {
            list.clear();
        }
        for (int i = 1; i < times; i++) {
            list.addAll(once);
        }
    }

    /** Returns how often a collection has a value. */
    public static int count(Collection<?> elements, Object value) {
        return Collections.frequency(elements, value);
    }

    /** Sorts a list by the order of its elements. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void sort(List<?> list) {
        Collections.sort((List) list);
    }

    /** Reverses a list. */
    public static void reverse(List<?> list) {
        Collections.reverse(list);
    }

    /** Returns a new array of the elements at some indices. */
    public static Object arraySlice(Object array, int[] indices) {
        Object slice = Array.newInstance(array.getClass().getComponentType(), indices.length);
        for (int i = 0; i < indices.length; i++) {
            Array.set(slice, i, Array.get(array, indices[i]));
        }
        return slice;
    }

    /**
     * Sets an element of an array.
     *
     * @throws Py4JException if the value is not, and does not become, one of the array's
     */
    public static void arraySet(Object array, int index, Object value) {
        Class<?> type = array.getClass().getComponentType();
        if (!Fit.isConvertible(type, value)) {
            throw new Py4JException("Cannot convert " + (value == null ? "null" : value.getClass().getName()) + " to "
                + type.getName());
        }
        Array.set(array, index, Fit.convert(type, value));
    }
}
