package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.Optional;

/**
 * Members of one of several sorted sets.
 *
 * @param key the key of the sorted set
 * @param members the members with their scores
 */
public record PoppedMembers<K, V>(K key, List<ScoredMember<V>> members) {
    static <K, V> Optional<PoppedMembers<K, V>> read(ReplyReader in, Reading<K> keys, Reading<V> members) {
        int count = Replies.beginOptional(in, 2);
        if (count < 0) {
            return Optional.empty();
        }
        K key = keys.read(in);
        PoppedMembers<K, V> found = new PoppedMembers<>(key, Replies.scores(in, members));
        Replies.end(in, count, 2);
        return Optional.of(found);
    }
}
