package io.samewire.bridge.operations;

import io.samewire.bridge.Policy;
import io.samewire.core.SamewireException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Look-ups with Python's equality: numbers that are equal in Python are one key of a map and one element of a set, even
 * if their classes in Java differ. A new element gets the class of the existing ones: in a {@code Map<Long, …>} a
 * Python int is a {@code Long}.
 */
public final class Lookups {
    private static final Method GET = method(Map.class, "get", Object.class);
    private static final Method PUT = method(Map.class, "put", Object.class, Object.class);
    private static final Method PUT_ALL = method(Map.class, "putAll", Map.class);
    private static final Method REMOVE_KEY = method(Map.class, "remove", Object.class);
    private static final Method HAS_KEY = method(Map.class, "containsKey", Object.class);
    private static final Method ADD = method(Collection.class, "add", Object.class);
    private static final Method ADD_ALL = method(Collection.class, "addAll", Collection.class);
    private static final Method REMOVE = method(Collection.class, "remove", Object.class);

    private final Policy policy;

    /** Takes the policy for the containers' methods. */
    public Lookups(Policy policy) {
        this.policy = policy;
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException none) {
            throw new LinkageError(name, none);
        }
    }

    /**
     * Checks that a method may be called.
     *
     * @throws SamewireException {@code unsupported} if the policy denies it
     */
    private void check(Method method) {
        if (!policy.admits(method)) {
            throw policy.denied(method.getDeclaringClass().getName() + '#' + method.getName());
        }
    }

    /** Returns whether a map has a key. */
    public boolean hasKey(Map<?, ?> map, Object wanted) {
        check(HAS_KEY);
        return isKey(map, key(map, wanted));
    }

    /** Returns the value of a key, or null. */
    public Object get(Map<?, ?> map, Object wanted) {
        check(GET);
        for (Object candidate : Alternatives.of(wanted)) {
            try {
                Object value = map.get(candidate);
                if (value != null) {
                    return value;
                }
            } catch (ClassCastException | NullPointerException other) {
                // It has no keys of that class, or no null.
                continue;
            }
        }
        return null;
    }

    /** Sets the value of a key: of an equal key of the map, if there is one. */
    public Object put(Map<Object, Object> map, Object key, Object value) {
        check(PUT);
        return put0(map, key, value);
    }

    private static Object put0(Map<Object, Object> map, Object key, Object value) {
        Object[] candidates = Alternatives.of(key);
        Object kept = candidates.length == 1 ? key : key(map, candidates);
        if (candidates.length > 1 && !isKey(map, kept)) {
            kept = likeFirst(map.keySet(), candidates);
        }
        return map.put(kept, value);
    }

    /** Sets the values of all keys of another map. */
    public void putAll(Map<Object, Object> map, Map<?, ?> more) {
        check(PUT_ALL);
        check(PUT);
        for (Map.Entry<?, ?> entry : more.entrySet()) {
            put0(map, entry.getKey(), entry.getValue());
        }
    }

    /** Removes a key and returns its value, or null. */
    public Object removeKey(Map<?, ?> map, Object wanted) {
        check(REMOVE_KEY);
        Object key = key(map, wanted);
        return isKey(map, key) ? map.remove(key) : null;
    }

    /** Adds an element to a set, unless it has an equal one. Returns whether it was added. */
    public boolean add(Collection<Object> set, Object value) {
        check(ADD);
        Object[] candidates = Alternatives.of(value);
        if (candidates.length == 1) {
            return set.add(value);
        }
        return !Equality.contains(set, value) && set.add(likeFirst(set, candidates));
    }

    /** Adds the missing elements to a set. */
    public void addAll(Collection<Object> set, Iterable<?> values) {
        check(ADD_ALL);
        for (Object one : values) {
            add(set, one);
        }
    }

    /** Removes an element of a set, or the first equal one of a list. Returns whether there was one. */
    public boolean remove(Collection<?> elements, Object wanted) {
        check(REMOVE);
        if (elements instanceof List) {
            for (Iterator<?> at = elements.iterator(); at.hasNext();) {
                if (Equality.equal(at.next(), wanted)) {
                    at.remove();
                    return true;
                }
            }
            return false;
        }
        for (Object candidate : Alternatives.of(wanted)) {
            try {
                if (elements.remove(candidate)) {
                    return true;
                }
            } catch (ClassCastException | NullPointerException other) {
                continue;
            }
        }
        return false;
    }

    /** Returns the index of the first element of a list that equals one; -1 if there is none. */
    public static int indexOf(List<?> list, Object wanted) {
        int index = 0;
        for (Object one : list) {
            if (Equality.equal(one, wanted)) {
                return index;
            }
            index++;
        }
        return -1;
    }

    private static Object key(Map<?, ?> map, Object wanted) {
        return key(map, Alternatives.of(wanted));
    }

    /** Returns that of equal objects which is a key; the first if none is. */
    private static Object key(Map<?, ?> map, Object[] candidates) {
        for (Object candidate : candidates) {
            if (isKey(map, candidate)) {
                return candidate;
            }
        }
        return candidates[0];
    }

    private static boolean isKey(Map<?, ?> map, Object key) {
        try {
            return map.containsKey(key);
        } catch (ClassCastException | NullPointerException other) {
            // It has no keys of that class, or no null.
            return false;
        }
    }

    /** Returns that of equal objects which has the class of the set's first element; the first if none has. */
    private static Object likeFirst(Collection<?> elements, Object[] candidates) {
        Iterator<?> first = elements.iterator();
        Object model = first.hasNext() ? first.next() : null;
        for (Object candidate : candidates) {
            if (model != null && candidate.getClass() == model.getClass()) {
                return candidate;
            }
        }
        return candidates[0];
    }
}
