package io.samewire.bridge.value;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A cache for all sessions that never evicts. Clients choose its keys, so the total size of their texts is limited: a
 * schema may have a mebibyte, and its decoder takes several. Thread-safe.
 */
final class Kept<K, V> {
    private static final long MOST_TEXT = 1 << 20;
    /** The size of an entry beside its text: this limits the cache to 4,096 entries. */
    private static final int ENTRY = 256;

    private final Map<K, V> values = new ConcurrentHashMap<>();
    private final AtomicLong text = new AtomicLong();

    V get(K key) {
        return values.get(key);
    }

    /** Adds a value for a key whose text has so many characters. Returns false if the cache is full. */
    boolean put(K key, V value, int characters) {
        long size = (long) ENTRY + characters;
        if (text.addAndGet(size) > MOST_TEXT) {
            text.addAndGet(-size);
            return false;
        }
        if (values.putIfAbsent(key, value) != null) {
            text.addAndGet(-size);
        }
        return true;
    }
}
