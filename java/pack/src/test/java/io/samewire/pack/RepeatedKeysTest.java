package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Keys that a collection keeps apart and the format does not: no message is written that no reader accepts. */
class RepeatedKeysTest {
    record Held(Map<String, Integer> map, Set<UUID> set) {}

    private static <T> void refused(Codec<T> codec, T value, String path) {
        SamewireException refused = assertThrows(SamewireException.class, () -> codec.encode(value));
        assertEquals(Code.TYPE_MISMATCH, refused.code());
        assertEquals(path, refused.path());
    }

    /** Two strings that are equal and not the same. */
    private static Map<String, Integer> twice() {
        Map<String, Integer> map = new IdentityHashMap<>();
        map.put("a", 1);
        map.put(String.valueOf('a'), 2);
        return map;
    }

    @Test
    void mapsAndSetsByIdentity() {
        Codec<Map<String, Integer>> maps = Pack.codec(new TypeRef<Map<String, Integer>>() {});
        refused(maps, twice(), "$");
        Codec<Set<String>> sets = Pack.codec(new TypeRef<Set<String>>() {});
        Set<String> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(twice().keySet());
        refused(sets, set, "$");
        refused(Pack.codec(Object.class), List.of(1, twice()), "$[1]");
        Codec<Held> held = Pack.codec(Held.class);
        Set<UUID> ids = Collections.newSetFromMap(new IdentityHashMap<>());
        ids.add(new UUID(1, 2));
        ids.add(new UUID(1, 2));
        refused(held, new Held(twice(), Set.of()), "$.map");
        refused(held, new Held(Map.of(), ids), "$.set");
    }

    @Test
    void collectionsOfAnOrderOfTheirOwn() {
        Set<String> set = new TreeSet<>((left, right) -> 1);
        Map<Long, Boolean> map = new TreeMap<>((left, right) -> 1);
        for (int i = 0; i < 2; i++) {
            set.add("a");
            map.put(7L, true);
        }
        refused(Pack.codec(new TypeRef<Set<String>>() {}), set, "$");
        refused(Pack.codec(new TypeRef<Map<Long, Boolean>>() {}), map, "$");
    }

    @Test
    void oneOfEachIsWrittenAsEver() {
        Map<String, Integer> own = new IdentityHashMap<>(Map.of("a", 1));
        Map<String, Integer> backwards = new TreeMap<>(Collections.reverseOrder());
        backwards.put("a", 1);
        Codec<Map<String, Integer>> maps = Pack.codec(new TypeRef<Map<String, Integer>>() {});
        assertArrayEquals(maps.encode(Map.of("a", 1)), maps.encode(own));
        assertArrayEquals(maps.encode(Map.of("a", 1)), maps.encode(backwards));
    }
}
