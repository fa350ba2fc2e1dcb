package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.Optional;

/**
 * A member of one of several sorted sets.
 *
 * @param key the key of the sorted set
 * @param member the member
 * @param score its score
 */
public record PoppedMember<K, V>(K key, V member, double score) {
    static <K, V> Optional<PoppedMember<K, V>> read(ReplyReader in, Reading<K> keys, Reading<V> members) {
        int count = Replies.beginOptional(in, 3);
        if (count < 0) {
            return Optional.empty();
        }
        K key = keys.read(in);
        V member = members.read(in);
        PoppedMember<K, V> found = new PoppedMember<>(key, member, in.readDouble());
        Replies.end(in, count, 3);
        return Optional.of(found);
    }
}
