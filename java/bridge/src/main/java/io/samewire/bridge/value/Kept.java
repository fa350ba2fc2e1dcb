package io.samewire.bridge.value;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is made for keys that clients choose, and kept for the next time, for all sessions and for good. So their texts
 * are bounded together: a schema may have a mebibyte, and a decoder of it takes several. Thread-safe.
 */
final class Kept<K, V> {
    private static final long MOST_TEXT = 1 << 20;
    /** What an entry counts for beside its text: there are at most 4,096. */
    private static final int ENTRY = 256;

    private final Map<K, V> values = new ConcurrentHashMap<>();
    private final AtomicLong text = new AtomicLong();

    V get(K key) {
        return values.get(key);
    }

    /** Keeps a value, for a key whose text has so many characters. Returns false if there is no room for it. */
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
