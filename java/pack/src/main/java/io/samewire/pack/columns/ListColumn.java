package io.samewire.pack.columns;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists.
 *
 * @param offsets list i is {@code child} from {@code offsets[i]} to {@code offsets[i + 1]}; one more than there are
 *     lists. An absent list is empty.
 * @param child the elements of all lists
 * @param validity whether each is present, of an option; else null
 */
public record ListColumn(int[] offsets, Column child, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "list";
    }

    @Override
    public int length() {
        return offsets.length - 1;
    }

    @Override
    public Object present(int index) {
        List<Object> list = new ArrayList<>();
        for (int i = offsets[index]; i < offsets[index + 1]; i++) {
            list.add(child.get(i));
        }
        return list;
    }
}
