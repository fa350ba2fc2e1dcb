package io.samewire.py4j.invoke;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers what arguments of some classes have chosen. A class goes with what it chose. */
public final class Choices {
    /** A class with more has methods of arguments without end: it begins anew. */
    private static final int MOST = 1000;
    private static final ClassValue<Map<Key, Choice>> CHOSEN = new ClassValue<>() {
        @Override
        protected Map<Key, Choice> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    /** The name of a method, or null, and the classes of its arguments. */
    private record Key(String name, List<Class<?>> arguments) {}

    private Choices() {}

    /**
     * Returns the method of a class that arguments choose.
     *
     * @throws py4j.Py4JException if there is none
     */
    public static Choice method(Class<?> type, String name, Object[] arguments) {
        Class<?>[] classes = Fit.classes(arguments);
        Key key = new Key(name, Arrays.asList(classes));
        Choice choice = CHOSEN.get(type).get(key);
        return choice != null ? choice : keep(type, key, Choice.method(type, name, classes));
    }

    /**
     * Returns the constructor of a class that arguments choose.
     *
     * @throws py4j.Py4JException if there is none
     */
    public static Choice constructor(Class<?> type, Object[] arguments) {
        Class<?>[] classes = Fit.classes(arguments);
        Key key = new Key(null, Arrays.asList(classes));
        Choice choice = CHOSEN.get(type).get(key);
        return choice != null ? choice : keep(type, key, Choice.constructor(type, classes));
    }

    private static Choice keep(Class<?> type, Key key, Choice choice) {
        Map<Key, Choice> chosen = CHOSEN.get(type);
        if (chosen.size() >= MOST) {
            chosen.clear();
        }
        chosen.put(key, choice);
        return choice;
    }
}
