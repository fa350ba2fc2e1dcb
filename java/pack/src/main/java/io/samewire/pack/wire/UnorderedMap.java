package io.samewire.pack.wire;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/** A view of a map that has no order, though its class does not say so in Java. */
public final class UnorderedMap extends AbstractMap<Object, Object> {
    private final Map<Object, Object> map;

    /** A view of that map. */
    public UnorderedMap(Map<Object, Object> map) {
        this.map = map;
    }

    @Override
    public int size() {
        return map.size();
    }

    @Override
    public Set<Entry<Object, Object>> entrySet() {
        return map.entrySet();
    }
}
