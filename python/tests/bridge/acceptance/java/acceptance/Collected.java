package acceptance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Collections that Java makes, and what it sees in those it is given. */
public final class Collected {
    private Collected() {
    }

    public static List<Object> list(Object... elements) {
        return new ArrayList<>(Arrays.asList(elements));
    }

    public static List<Integer> numbers(int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    public static List<Integer> fixed() {
        return Collections.unmodifiableList(numbers(3));
    }

    public static Map<String, Integer> map() {
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("one", 1);
        map.put("two", 2);
        map.put("three", 3);
        return map;
    }

    public static Map<String, List<Integer>> nested() {
        Map<String, List<Integer>> map = new TreeMap<>();
        map.put("even", new ArrayList<>(List.of(0, 2)));
        map.put("odd", new ArrayList<>(List.of(1, 3)));
        return map;
    }

    public static Iterable<Integer> countdown(int from) {
        return () -> new Iterator<>() {
            private int left = from;

            @Override
            public boolean hasNext() {
                return left > 0;
            }

            @Override
            public Integer next() {
                return left--;
            }
        };
    }

    /** A list's classes and elements. */
    public static String seenList(List<?> list) {
        StringBuilder text = new StringBuilder();
        for (Object element : list) {
            text.append(text.length() == 0 ? "" : " ").append(element == null ? null : element.getClass().getSimpleName());
        }
        return text + " " + list;
    }

    public static String seenSet(Set<?> set) {
        List<String> texts = new ArrayList<>();
        set.forEach(element -> texts.add(String.valueOf(element)));
        Collections.sort(texts);
        return texts.toString();
    }

    public static String seenMap(Map<?, ?> map) {
        Map<String, String> texts = new TreeMap<>();
        map.forEach((key, value) -> texts.put(String.valueOf(key), String.valueOf(value)));
        return texts.toString();
    }

    public static int count(Collection<?> collection) {
        return collection.size();
    }

    public static int walk(Iterable<?> iterable) {
        int count = 0;
        for (Object ignored : iterable) {
            count++;
        }
        return count;
    }

    public static String kind(Object object) {
        return object instanceof List ? "List" : object instanceof Map ? "Map" : object instanceof Set ? "Set" : "other";
    }

    public static long sum(List<? extends Number> numbers) {
        return numbers.stream().mapToLong(Number::longValue).sum();
    }

    /** Adds an element to a list that the caller has. */
    public static void grow(List<Object> list, Object element) {
        list.add(element);
    }

    public static Map<Object, Object> table() {
        return new HashMap<>();
    }
}
