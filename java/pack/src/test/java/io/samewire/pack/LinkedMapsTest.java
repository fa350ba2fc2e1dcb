package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Linked maps are written in a way of their own, to the same bytes as other maps of that order. */
class LinkedMapsTest {
    record Point(int x, @Nullable String name) {}

    record Maps(Map<String, String> texts, Map<String, @Nullable Point> points, Map<String, List<String>> lists,
        Map<Integer, String> numbered, Map<String, Map<String, Boolean>> flags) {}

    @Test
    void bytesAreThoseOfOtherMaps() {
        for (Profile profile : Profile.values()) {
            Codec<Maps> codec = Pack.builder(new TypeRef<Maps>() {}).profile(profile).build();
            for (int n : new int[] {0, 1, 2, 3, 40, 200}) {
                Maps linked = maps(n);
                Maps others = new Maps(other(linked.texts), other(linked.points), other(linked.lists),
                    other(linked.numbered), other(linked.flags));
                byte[] bytes = codec.encode(linked);
                assertArrayEquals(codec.encode(others), bytes);
                assertEquals(linked, codec.decode(bytes));
            }
        }
    }

    private static Maps maps(int n) {
        Maps maps = new Maps(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(),
            new LinkedHashMap<>(), new LinkedHashMap<>());
        for (int i = 0; i < n; i++) {
            String key = "key " + i * 7919 % n;
            maps.texts.put(key, i % 3 == 0 ? "the same" : "日本 " + i);
            maps.points.put(key, i % 5 == 0 ? null : new Point(i * 12345, i % 2 == 0 ? null : key));
            maps.lists.put(key, List.of(key, "x".repeat(i)));
            maps.numbered.put(-i, key);
            maps.flags.put(key, new LinkedHashMap<>(Map.of(key, i % 2 == 0)));
        }
        return maps;
    }

    /** Returns a map of another class with these entries in this order. */
    private static <K, V> Map<K, V> other(Map<K, V> map) {
        return Collections.unmodifiableMap(map);
    }
}
