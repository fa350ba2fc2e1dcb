package io.samewire.pack.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;

/** Arrays of elements to collections and maps, and the order of the keys of a set. */
public final class Containers {
    /** Most buckets made at once: further ones are paid for by the keys that fill the first. */
    private static final int MOST_BUCKETS = 1 << 16;

    private Containers() {}

    /** How many buckets to ask of a hash map or set for {@code n} keys. */
    public static int capacity(int n) {
        return Math.min(n + n / 3 + 1, MOST_BUCKETS);
    }

    /** A list of these elements, mutable. */
    public static ArrayList<Object> list(Object[] elements) {
        ArrayList<Object> list = new ArrayList<>(elements.length);
        for (Object element : elements) {
            list.add(element);
        }
        return list;
    }

    /** A list of these elements, mutable, for which they are copied at once. */
    public static ArrayList<Object> copied(Object[] elements) {
        return new ArrayList<>(Arrays.asList(elements));
    }

    /** An array of that component, for elements to come. */
    public static Object[] array(Class<?> component, int n) {
        return (Object[]) java.lang.reflect.Array.newInstance(component, n);
    }

    /** Adds the elements. Returns the collection. */
    public static Collection<Object> fill(Collection<Object> into, Object[] elements) {
        for (Object element : elements) {
            into.add(element);
        }
        return into;
    }

    /** Adds the keys, none of which may be repeated. Returns the collection. */
    public static Collection<Object> fillSet(Collection<Object> into, Object[] keys) {
        for (Object key : keys) {
            into.add(key);
        }
        if (into.size() != keys.length) {
            throw Fault.FAULT;
        }
        return into;
    }

    /** Puts the entries, no key of which may be repeated. Returns the map. */
    public static Map<Object, Object> fillMap(Map<Object, Object> into, Object[] keys, Object[] values) {
        for (int i = 0; i < keys.length; i++) {
            into.put(keys[i], values[i]);
        }
        if (into.size() != keys.length) {
            throw Fault.FAULT;
        }
        return into;
    }

    /**
     * Returns a map of which one iteration gives each key once: a copy if other threads may change it. Equal keys,
     * which only maps with their own notion of equality have, are refused: no reader would accept them.
     */
    public static Map<?, ?> steady(Map<?, ?> map) {
        if (map.getClass() == LinkedHashMap.class || map.getClass() == HashMap.class) {
            // HotSpot asks a class for an interface that it lacks by a search: a third of the time of small maps.
            return map;
        }
        if (map instanceof ConcurrentMap) {
            return new LinkedHashMap<>(map);
        }
        boolean plain = !(map instanceof IdentityHashMap)
            && !(map instanceof SortedMap<?, ?> own && own.comparator() != null);
        if (!plain && new HashSet<>(map.keySet()).size() != map.size()) {
            throw Fault.FAULT;
        }
        return map;
    }

    /** Sorts the keys of a set as its type has it. Equal ones, as a set may hold that goes by identity, are refused. */
    public static Object[] sorted(Object[] keys, Comparator<Object> order) {
        Object[] sorted = keys.getClass() == Object[].class ? keys : Arrays.copyOf(keys, keys.length, Object[].class);
        Arrays.sort(sorted, order);
        for (int i = 1; i < sorted.length; i++) {
            if (order.compare(sorted[i - 1], sorted[i]) == 0) {
                throw Fault.FAULT;
            }
        }
        return sorted;
    }

    /** UUIDs as unsigned numbers of 128 bits. */
    public static int compareUuids(Object a, Object b) {
        UUID left = (UUID) a;
        UUID right = (UUID) b;
        int high = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
    }

    /** Boxed numbers of one width as unsigned ones. */
    public static int compareUnsigned(Object a, Object b) {
        return Long.compareUnsigned(((Number) a).longValue(), ((Number) b).longValue());
    }
}
