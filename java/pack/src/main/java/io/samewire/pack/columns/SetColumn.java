package io.samewire.pack.columns;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Sets.
 *
 * @param offsets set i is {@code child} from {@code offsets[i]} to {@code offsets[i + 1]}; one more than there are
 *     sets. An absent set is empty.
 * @param child the keys of all sets
 * @param validity whether each is present, of an option; else null
 */
public record SetColumn(int[] offsets, Column child, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "set";
    }

    @Override
    public int length() {
        return offsets.length - 1;
    }

    @Override
    public Object present(int index) {
        Set<Object> set = new LinkedHashSet<>();
        for (int i = offsets[index]; i < offsets[index + 1]; i++) {
            set.add(child.get(i));
        }
        return set;
    }
}
