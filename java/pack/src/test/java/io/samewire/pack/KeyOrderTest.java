package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Maps whose class has no order are written in ascending order of their keys, others in their own. */
class KeyOrderTest {
    enum Level { LOW, HIGH, MIDDLE }

    record Row(int id, Map<String, Integer> counts, Map<String, Level> levels) {}

    record Keys(Map<Integer, String> ints, Map<@Unsigned Long, String> unsigned, Map<Boolean, String> truths,
        Map<UUID, String> ids, Map<Level, String> levels, Map<@As(Last.class) String, String> converted) {}

    /** Turns the order of texts round. */
    static final class Last implements Converter<String, Integer> {
        @Override
        public Integer encode(String value) {
            return -Integer.parseInt(value);
        }

        @Override
        public String decode(Integer wire) {
            return Integer.toString(-wire);
        }
    }

    private static final Codec<Map<String, Integer>> TEXTS = Pack.codec(new TypeRef<>() {});
    /** Two texts of one hash, so that a hash table keeps them as they came. */
    private static final List<String> KEYS = List.of("BB", "Aa", "zwölf", "eins", "drei", "日本", "vier");

    private static <M extends Map<String, Integer>> M filled(M map, List<String> keys) {
        keys.forEach(key -> map.put(key, KEYS.indexOf(key)));
        return map;
    }

    private static List<String> backwards() {
        List<String> keys = new ArrayList<>(KEYS);
        Collections.reverse(keys);
        return keys;
    }

    /** Copies of a map whose classes have no order. */
    private static <K, V> List<Map<K, V>> unordered(Map<K, V> map, Class<K> keys, Class<V> values) {
        Map<K, V> hash = new HashMap<>(map);
        return List.of(hash, new HashMap<>(map) {}, Map.copyOf(map), new ConcurrentHashMap<>(map), new Hashtable<>(map),
            new IdentityHashMap<>(map), new WeakHashMap<>(map), Collections.unmodifiableMap(hash),
            Collections.unmodifiableMap(Map.copyOf(map)), Collections.synchronizedMap(hash),
            Collections.checkedMap(hash, keys, values));
    }

    /** Copies of a map that have its order. */
    private static <K, V> List<Map<K, V>> ordered(Map<K, V> map, Class<K> keys, Class<V> values) {
        return List.of(new LinkedHashMap<>(map), new LinkedHashMap<>(map) {}, Collections.unmodifiableMap(map),
            Collections.synchronizedMap(map), Collections.checkedMap(map, keys, values));
    }

    @Test
    void equalMapsWithoutOrderHaveEqualBytes() {
        byte[] sorted = TEXTS.encode(new LinkedHashMap<>(filled(new TreeMap<>(), KEYS)));
        for (List<String> keys : List.of(KEYS, backwards())) {
            Map<String, Integer> map = filled(new LinkedHashMap<>(), keys);
            for (Map<String, Integer> other : unordered(map, String.class, Integer.class)) {
                assertArrayEquals(sorted, TEXTS.encode(other), () -> other.getClass().getName());
            }
        }
        assertArrayEquals(sorted, TEXTS.encode(Map.of("vier", 6, "日本", 5, "drei", 4, "eins", 3, "zwölf", 2, "Aa", 1,
            "BB", 0)));
    }

    @Test
    void mapsWithAnOrderKeepIt() {
        for (List<String> keys : List.of(KEYS, backwards())) {
            Map<String, Integer> map = filled(new LinkedHashMap<>(), keys);
            for (Map<String, Integer> other : ordered(map, String.class, Integer.class)) {
                assertEquals(keys, List.copyOf(TEXTS.decode(TEXTS.encode(other)).keySet()));
            }
        }
        Map<String, Integer> descending = filled(new TreeMap<>(Collections.reverseOrder()), KEYS);
        assertEquals(List.copyOf(descending.keySet()), List.copyOf(TEXTS.decode(TEXTS.encode(descending)).keySet()));
        Codec<Map<Level, String>> levels = Pack.codec(new TypeRef<>() {});
        Map<Level, String> declared = new EnumMap<>(Map.of(Level.MIDDLE, "m", Level.LOW, "l", Level.HIGH, "h"));
        assertEquals(List.of(Level.values()), List.copyOf(levels.decode(levels.encode(declared)).keySet()));
    }

    @Test
    void theOptionSortsAllOrNone() {
        Codec<Map<String, Integer>> all = Pack.builder(new TypeRef<Map<String, Integer>>() {}).sortKeys(true).build();
        byte[] sorted = TEXTS.encode(new LinkedHashMap<>(filled(new TreeMap<>(), KEYS)));
        for (Map<String, Integer> map : ordered(filled(new LinkedHashMap<>(), KEYS), String.class, Integer.class)) {
            assertArrayEquals(sorted, all.encode(map));
        }
        assertArrayEquals(sorted, all.encode(filled(new TreeMap<>(Collections.reverseOrder()), KEYS)));
        assertArrayEquals(Pack.codec(new TypeRef<Map<String, Integer>>() {}).withDigest()
            .encode(filled(new HashMap<>(), KEYS)), all.withDigest().encode(filled(new LinkedHashMap<>(), KEYS)));
        Codec<Map<String, Integer>> none = Pack.builder(new TypeRef<Map<String, Integer>>() {}).sortKeys(false).build();
        Map<String, Integer> hash = filled(new HashMap<>(), KEYS);
        assertArrayEquals(none.encode(new LinkedHashMap<>(hash)), none.encode(hash));
    }

    private static <K> void order(Map<K, String> read, List<K> keys) {
        assertEquals(keys, List.copyOf(read.keySet()));
    }

    @Test
    void keysHaveTheOrderOfThoseOfSets() {
        Map<UUID, String> ids = new HashMap<>();
        List<UUID> uuids = List.of(new UUID(1, 5), new UUID(1, -5), new UUID(-1, 0));
        uuids.forEach(id -> ids.put(id, ""));
        Codec<Keys> codec = Pack.codec(Keys.class);
        Keys keys = new Keys(new HashMap<>(Map.of(70_000, "a", -1, "b", 3, "c")), Map.of(-1L, "a", 1L, "b", 2L, "c"),
            Map.of(true, "a", false, "b"), ids, Map.of(Level.LOW, "l", Level.MIDDLE, "m", Level.HIGH, "h"),
            Map.of("1", "a", "20", "b", "3", "c"));
        Keys read = codec.decode(codec.encode(keys));
        assertEquals(keys, read);
        order(read.ints, List.of(-1, 3, 70_000));
        order(read.unsigned, List.of(1L, 2L, -1L));
        order(read.truths, List.of(false, true));
        order(read.ids, uuids);
        order(read.levels, List.of(Level.HIGH, Level.LOW, Level.MIDDLE));
        order(read.converted, List.of("20", "3", "1"));
    }

    @Test
    void mapsInColumnsAndInAnysAreSorted() {
        Map<String, Integer> sorted = new LinkedHashMap<>(filled(new TreeMap<>(), KEYS));
        Map<String, Level> levels = new LinkedHashMap<>();
        levels.put("a", Level.LOW);
        levels.put("b", Level.HIGH);
        for (Profile profile : Profile.values()) {
            Codec<List<Row>> rows = Pack.builder(new TypeRef<List<Row>>() {}).profile(profile).build();
            Codec<Object> anys = Pack.builder(Object.class).profile(profile).build();
            byte[] inRows = rows.encode(rows(sorted, levels));
            byte[] inAny = anys.encode(List.of(sorted, new LinkedHashMap<>(filled(new TreeMap<>(), KEYS))));
            for (List<String> keys : List.of(KEYS, backwards())) {
                Map<String, Integer> map = filled(new LinkedHashMap<>(), keys);
                for (Map<String, Integer> other : unordered(map, String.class, Integer.class)) {
                    assertArrayEquals(inRows, rows.encode(rows(other, Map.of("b", Level.HIGH, "a", Level.LOW))));
                    assertArrayEquals(inAny, anys.encode(List.of(other, other)));
                }
                assertEquals(keys, List.copyOf(rows.decode(rows.encode(rows(map, levels))).get(99).counts.keySet()));
                assertEquals(keys, List.copyOf(((Map<?, ?>) anys.decode(anys.encode(map))).keySet()));
            }
            Map<Object, Object> numbers = new LinkedHashMap<>();
            numbers.put(-3, "x");
            numbers.put(2L, "y");
            numbers.put((short) 300, "z");
            assertArrayEquals(anys.encode(numbers), anys.encode(Map.of((short) 300, "z", 2L, "y", -3, "x")));
        }
    }

    private static List<Row> rows(Map<String, Integer> counts, Map<String, Level> levels) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            rows.add(new Row(i, counts, levels));
        }
        return rows;
    }

    @Test
    void refusesKeysThatCannotBeCompared() {
        Map<String, Integer> nulls = filled(new HashMap<>(), KEYS);
        nulls.put(null, 1);
        refused(TEXTS, nulls);
        refused(Pack.codec(Object.class), nulls);
        refused(Pack.codec(Object.class), Map.of(1, "", "a", "", "b", ""));
        refused(Pack.codec(Object.class), Map.of(Double.NaN, 1, 2.0, 1, 1.0, 2));
        refused(Pack.codec(Object.class), new HashMap<>(Map.of(1, 1, 1L, 1, 0, 2)));
        @SuppressWarnings({"unchecked", "rawtypes"})
        Map<String, Integer> foreign = new HashMap(Map.of("a", 1, 2, 3));
        refused(TEXTS, foreign);
    }

    private static <T> void refused(Codec<T> codec, T value) {
        SamewireException refused = assertThrows(SamewireException.class, () -> codec.encode(value));
        assertEquals(Code.TYPE_MISMATCH, refused.code());
    }
}
