package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.Optional;

/**
 * An element of one of several lists.
 *
 * @param key the key of the list
 * @param element the element
 */
public record Popped<K, V>(K key, V element) {
    static <K, V> Optional<Popped<K, V>> read(ReplyReader in, Reading<K> keys, Reading<V> elements) {
        int count = Replies.beginOptional(in, 2);
        if (count < 0) {
            return Optional.empty();
        }
        K key = keys.read(in);
        Popped<K, V> found = new Popped<>(key, elements.read(in));
        Replies.end(in, count, 2);
        return Optional.of(found);
    }
}
