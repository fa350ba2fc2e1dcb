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
        if (Replies.begin(in, 2) < 0) {
            return Optional.empty();
        }
        K key = keys.read(in);
        return Optional.of(new Popped<>(key, elements.read(in)));
    }
}
