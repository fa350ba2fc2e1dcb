package io.samewire.pack.columns;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Maps.
 *
 * @param offsets map i has the entries from {@code offsets[i]} to {@code offsets[i + 1]}; one more than there are maps.
 *     An absent map is empty.
 * @param keys the keys of all entries
 * @param values the values of all entries
 * @param validity whether each is present, of an option; else null
 */
public record MapColumn(int[] offsets, Column keys, Column values, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "map";
    }

    @Override
    public int length() {
        return offsets.length - 1;
    }

    @Override
    public Object present(int index) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = offsets[index]; i < offsets[index + 1]; i++) {
            map.put(keys.get(i), values.get(i));
        }
        return map;
    }
}
