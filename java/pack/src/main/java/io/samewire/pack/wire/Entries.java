package io.samewire.pack.wire;

import io.samewire.pack.Converter;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BiConsumer;

/** The keys and values of a map, taken in one walk: that of a linked map waits for memory at each entry. */
public final class Entries implements BiConsumer<Object, Object> {
    private Object[] keys;
    private Object[] values;
    private int n;

    private Entries(int expected) {
        keys = new Object[expected];
        values = new Object[expected];
    }

    /** Those of a map. */
    public static Entries of(Map<?, ?> map) {
        Entries entries = new Entries(map.size());
        map.forEach(entries);
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
