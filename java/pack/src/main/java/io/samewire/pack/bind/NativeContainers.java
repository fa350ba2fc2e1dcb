package io.samewire.pack.bind;

import java.lang.reflect.Modifier;
import java.util.AbstractCollection;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Which class is made where a collection or map of some declared class is read. */
final class NativeContainers {
    /** The most bytes that a cell stands for ({@code spec/pack.md} section 8). */
    private static final int CELL_BYTES = 60;
    private static final int ROUNDED_UP_FROM = 43;
    /** Bytes of classes that are empty and yet large. */
    private static final Map<Class<?>, Integer> INITIAL_TABLES =
        Map.of(ArrayDeque.class, 112, PriorityQueue.class, 112, IdentityHashMap.class, 340);
    private static final Map<Class<?>, Class<?>> MADE = new HashMap<>();

    static {
        for (Class<?> list : new Class<?>[] {Collection.class, List.class, AbstractCollection.class,
            AbstractList.class}) {
            MADE.put(list, ArrayList.class);
        }
        MADE.put(Queue.class, ArrayDeque.class);
        MADE.put(Deque.class, ArrayDeque.class);
        MADE.put(Set.class, LinkedHashSet.class);
        MADE.put(AbstractSet.class, LinkedHashSet.class);
        MADE.put(SortedSet.class, TreeSet.class);
        MADE.put(NavigableSet.class, TreeSet.class);
        MADE.put(Map.class, LinkedHashMap.class);
        MADE.put(AbstractMap.class, LinkedHashMap.class);
        MADE.put(SortedMap.class, TreeMap.class);
        MADE.put(NavigableMap.class, TreeMap.class);
        MADE.put(ConcurrentMap.class, ConcurrentHashMap.class);
        MADE.put(ConcurrentNavigableMap.class, ConcurrentSkipListMap.class);
    }


    private NativeContainers() {}

    /** The class that is made for one that is declared. */
    static Class<?> made(Class<?> declared) {
        return MADE.getOrDefault(declared, declared);
    }

    /** Whether buckets can be asked for when it is made. */
    static boolean hashed(Class<?> made) {
        return made == LinkedHashMap.class || made == HashMap.class || made == LinkedHashSet.class
            || made == HashSet.class;
    }

    /** Whether it is made for the class of its keys. */
    static boolean enumerated(Class<?> made) {
        return made == EnumSet.class || made == EnumMap.class;
    }

    /**
     * Returns the cells of memory that an empty container of a class takes beyond those that the format charges for
     * one: for an array with a place for each constant of a large enum, or for a large initial table.
     */
    static int extraCells(Class<?> made, Class<?> key, int charged) {
        int bytes = made == EnumMap.class ? 64 + 4 * key.getEnumConstants().length
            : made == EnumSet.class ? 56 + key.getEnumConstants().length / 8
            : INITIAL_TABLES.getOrDefault(made, 0);
        return Math.max(0, (bytes - charged * CELL_BYTES + ROUNDED_UP_FROM) / CELL_BYTES);
    }

    /** A declared class that can be made; others are refused. */
    static Class<?> checked(Class<?> declared) {
        Class<?> made = made(declared);
        if (enumerated(made)) {
            return declared;
        }
        try {
            if (Modifier.isPublic(made.getModifiers()) && !Modifier.isAbstract(made.getModifiers())
                && Modifier.isPublic(made.getConstructor().getModifiers())) {
                return declared;
            }
        } catch (NoSuchMethodException none) {
            throw NativeTypeReader.misuse(declared
                + " has no public constructor without parameters: declare an interface of java.util, as List or Map");
        }
        throw NativeTypeReader.misuse(declared
            + " cannot be created: declare an interface of java.util, as List or Map");
    }
}
