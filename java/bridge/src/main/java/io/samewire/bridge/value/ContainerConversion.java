package io.samewire.bridge.value;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;

/** Converts containers that were read to other containers, with converted elements. */
final class ContainerConversion {
    private ContainerConversion() {}

    /**
     * Converts the elements of a container whose class already fits. Returns the container itself if no element
     * changes, otherwise a copy, since the container may belong to the program.
     */
    static Object elements(Object value, Target target) {
        Class<?> type = target.raw();
        if (value instanceof Map) {
            Target keys = target.element();
            Target values = target.value();
            return keys.isOpen() && values.isOpen() || fit((Map<?, ?>) value, keys, values) ? value
                : map((Map<?, ?>) value, target);
        }
        Target element = target.element();
        if (element.isOpen() || element.raw().isPrimitive()) {
            return value;
        } else if (value instanceof Object[]) {
            for (Object one : (Object[]) value) {
                if (Conversion.convert(one, element) != one) {
                    return array(value, element);
                }
            }
            return value;
        }
        Collection<?> all = (Collection<?>) value;
        for (Object one : all) {
            if (Conversion.convert(one, element) != one) {
                return collection(value, type, element);
            }
        }
        return value;
    }

    private static boolean fit(Map<?, ?> map, Target keys, Target values) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (Conversion.convert(entry.getKey(), keys) != entry.getKey()
                || Conversion.convert(entry.getValue(), values) != entry.getValue()) {
                return false;
            }
        }
        return true;
    }

    /** Returns a container of another class than the value. */
    static Object made(Object value, Target target) {
        Class<?> type = target.raw();
        if (value instanceof Map) {
            if (Map.class.isAssignableFrom(type)) {
                return map((Map<?, ?>) value, target);
            }
        } else if (value instanceof Collection || value.getClass().isArray()) {
            if (type.isArray()) {
                return array(value, target.element());
            } else if (type == Iterator.class) {
                return collection(value, ArrayList.class, target.element()).iterator();
            } else if (!Map.class.isAssignableFrom(type)) {
                return collection(value, type, target.element());
            }
        }
        throw Mismatch.of(value, type);
    }

    private static Object array(Object value, Target element) {
        Class<?> type = element.raw();
        if (value.getClass().isArray()) {
            int length = Array.getLength(value);
            Object made = Array.newInstance(type, length);
            for (int i = 0; i < length; i++) {
                Array.set(made, i, Conversion.convert(Array.get(value, i), element));
            }
            return made;
        }
        Collection<?> all = (Collection<?>) value;
        Object made = Array.newInstance(type, all.size());
        int i = 0;
        for (Object one : all) {
            Array.set(made, i++, Conversion.convert(one, element));
        }
        return made;
    }

    private static Collection<Object> collection(Object value, Class<?> type, Target element) {
        Collection<?> all = value instanceof Collection ? (Collection<?>) value : RowLists.of(value);
        Collection<Object> made = collection(type, all.size(), value);
        for (Object one : all) {
            made.add(Conversion.convert(one, element));
        }
        return made;
    }

    @SuppressWarnings("unchecked") // It is empty.
    private static Collection<Object> collection(Class<?> type, int size, Object value) {
        if (type.isAssignableFrom(ArrayList.class)) {
            return new ArrayList<>(size);
        } else if (type.isAssignableFrom(LinkedHashSet.class)) {
            return new LinkedHashSet<>();
        } else if (type == SortedSet.class || type == NavigableSet.class) {
            return new TreeSet<>();
        } else if (type == Queue.class || type == Deque.class) {
            return new ArrayDeque<>(size);
        } else if (type == BlockingQueue.class || type == BlockingDeque.class) {
            return new LinkedBlockingDeque<>();
        } else if (type == TransferQueue.class) {
            return new LinkedTransferQueue<>();
        }
        return (Collection<Object>) create(type, value);
    }

    private static Map<Object, Object> map(Map<?, ?> value, Target target) {
        Map<Object, Object> made = map(target, value);
        Target keys = target.element();
        Target values = target.value();
        for (Map.Entry<?, ?> entry : value.entrySet()) {
            made.put(Conversion.convert(entry.getKey(), keys), Conversion.convert(entry.getValue(), values));
        }
        return made;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // It is empty.
    private static Map<Object, Object> map(Target target, Map<?, ?> value) {
        Class<?> type = target.raw();
        if (type.isAssignableFrom(LinkedHashMap.class)) {
            return new LinkedHashMap<>();
        } else if (type == SortedMap.class || type == NavigableMap.class) {
            return new TreeMap<>();
        } else if (type == ConcurrentMap.class) {
            return new ConcurrentHashMap<>();
        } else if (type == ConcurrentNavigableMap.class) {
            return new ConcurrentSkipListMap<>();
        } else if (type == EnumMap.class && target.element().raw().isEnum()) {
            return new EnumMap(target.element().raw());
        }
        return (Map<Object, Object>) create(type, value);
    }

    private static Object create(Class<?> type, Object value) {
        if (!type.isInterface() && !Modifier.isAbstract(type.getModifiers())) {
            try {
                return type.getConstructor().newInstance();
            } catch (NoSuchMethodException | InstantiationException | IllegalAccessException closed) {
                throw Mismatch.of(value, type, ": it has no public constructor without parameters");
            } catch (InvocationTargetException thrown) {
                throw Mismatch.of(value, type, ": its constructor threw " + thrown.getCause());
            }
        }
        throw Mismatch.of(value, type, ": make one and pass that");
    }
}
