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
        if (Replies.begin(in, 3) < 0) {
            return Optional.empty();
        }
        K key = keys.read(in);
        V member = members.read(in);
        return Optional.of(new PoppedMember<>(key, member, in.readDouble()));
    }
}
