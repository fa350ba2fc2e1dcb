package io.samewire.py4j;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What {@link py4j.Gateway#getBindings} returns: all that Python knows. An object without an id has a name of another
 * form. What is put or removed is so by its id.
 */
public final class Bindings extends AbstractMap<String, Object> {
    private final Map<String, Object> byId;
    private volatile Supplier<Map<String, Object>> others = Map::of;

    /**
     * Creates a map.
     *
     * @param byId the objects with an id
     */
    public Bindings(Map<String, Object> byId) {
        this.byId = byId;
    }

    /** Sets what returns the objects without an id, by their names, at the moment that it is asked. */
    void setOthers(Supplier<Map<String, Object>> objects) {
        others = objects;
    }

    /** Returns the entries of this moment. */
    @Override
    public Set<Entry<String, Object>> entrySet() {
        Map<String, Object> all = new HashMap<>(byId);
        Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());
        known.addAll(all.values());
        others.get().forEach((name, object) -> {
            if (known.add(object)) {
                all.put(name, object);
            }
        });
        return Collections.unmodifiableMap(all).entrySet();
    }

    @Override
    public Object get(Object key) {
        Object found = byId.get(key);
        return found != null ? found : others.get().get(key);
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public Object put(String id, Object object) {
        return byId.put(id, object);
    }

    @Override
    public Object remove(Object id) {
        return byId.remove(id);
    }

    @Override
    public void clear() {
        byId.clear();
    }
}
