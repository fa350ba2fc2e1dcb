package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.Optional;

/**
 * Elements of one of several lists.
 *
 * @param key the key of the list
 * @param elements the elements
 */
public record PoppedList<K, V>(K key, List<V> elements) {
    static <K, V> Optional<PoppedList<K, V>> read(ReplyReader in, Reading<K> keys, Reading<V> elements) {
        int count = Replies.beginOptional(in, 2);
        if (count < 0) {
            return Optional.empty();
        }
        K key = keys.read(in);
        PoppedList<K, V> found = new PoppedList<>(key, Replies.list(in, elements));
        Replies.end(in, count, 2);
        return Optional.of(found);
    }
}
