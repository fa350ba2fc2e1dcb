package io.samewire.pack.wire;

import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which maps are written in ascending order of their keys; the others are written in the order of their iteration. A
 * class that is not known to lack an order is taken to have one.
 */
public enum KeyOrder {
    /** Those without an order, so that equal maps have equal bytes. */
    UNORDERED_MAPS,
    /** All. */
    ALL_MAPS,
    /** None. */
    NO_MAPS;

    /** What {@link Map#of} and {@link Map#copyOf} return: their order changes with each start of the JVM. */
    private static final Class<?> IMMUTABLE = Map.of(1, 1, 2, 2).getClass();
    /** Classes of views that have the order of the map behind them. */
    private static final List<Class<?>> VIEWS = List.of(Collections.unmodifiableMap(new HashMap<>()).getClass(),
        Collections.synchronizedMap(new HashMap<>()).getClass(),
        Collections.checkedMap(new HashMap<>(), Object.class, Object.class).getClass());

    /** Whether a map is sorted. */
    boolean sorts(Map<?, ?> map) {
        return this == UNORDERED_MAPS ? isUnordered(map) : this == ALL_MAPS;
    }

    /** Asks for classes alone: HotSpot finds out by a search that a class lacks an interface. */
    private static boolean isUnordered(Map<?, ?> map) {
        if (map instanceof HashMap) {
            return !(map instanceof LinkedHashMap);
        }
        Class<?> type = map.getClass();
        if (type == IMMUTABLE || map instanceof ConcurrentHashMap || map instanceof UnorderedMap
            || map instanceof Hashtable || map instanceof IdentityHashMap || map instanceof WeakHashMap) {
            return true;
        }
        return VIEWS.contains(type) && !map.keySet().spliterator().hasCharacteristics(Spliterator.ORDERED);
    }
}
