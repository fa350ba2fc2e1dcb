package io.samewire.pack.wire;

import io.samewire.pack.Converter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.function.BiConsumer;

/** The keys and values of a map, taken in one walk: that of a linked map waits for memory at each entry. */
public final class Entries implements BiConsumer<Object, Object> {
    private Object[] keys;
    private Object[] values;
    private int n;
    /** Whether they are written in the order of their keys. */
    private boolean sorts;

    private record Pair(Object key, Object value) {}

    private Entries(int expected) {
        keys = new Object[expected];
        values = new Object[expected];
    }

    /** Those of a map that is written to {@code out}. */
    public static Entries of(Map<?, ?> map, Writer out) {
        Map<?, ?> steady = Containers.steady(map);
        Entries entries = new Entries(steady.size());
        steady.forEach(entries);
        entries.sorts = entries.n > 1 && out.keyOrder.sorts(map);
        return entries;
    }

    @Override
    public void accept(Object key, Object value) {
        int at = n;
        if (at == keys.length) {
            keys = Arrays.copyOf(keys, 2 * at + 1);
            values = Arrays.copyOf(values, 2 * at + 1);
        }
        keys[at] = key;
        values[at] = value;
        n = at + 1;
    }

    /** Replaces the keys by what a converter writes for them; no two may become the same. */
    public Entries encodeKeys(Converter<?, ?> converter) {
        keys = Conversions.encodeKeys(converter, keys());
        return this;
    }

    /** Sorts them by their keys, as they are written, if {@link KeyOrder} has such a map sorted. */
    public Entries inOrder(Comparator<Object> order) {
        if (sorts && !isAscending(order)) {
            Pair[] pairs = new Pair[n];
            for (int i = 0; i < n; i++) {
                pairs[i] = new Pair(keys[i], values[i]);
            }
            Arrays.sort(pairs, (left, right) -> order.compare(left.key, right.key));
            for (int i = 0; i < n; i++) {
                keys[i] = pairs[i].key;
                values[i] = pairs[i].value;
            }
        }
        return this;
    }

    private boolean isAscending(Comparator<Object> order) {
        for (int i = 1; i < n; i++) {
            if (order.compare(keys[i - 1], keys[i]) > 0) {
                return false;
            }
        }
        return true;
    }

    /** How many entries there are. */
    public int size() {
        return n;
    }

    /** The keys. */
    public Object[] keys() {
        return n == keys.length ? keys : Arrays.copyOf(keys, n);
    }

    /** The values, in the order of their keys. */
    public Object[] values() {
        return n == values.length ? values : Arrays.copyOf(values, n);
    }
}
