package io.samewire.redis.command;

import io.samewire.redis.resp.Reply;
import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one reply, or one element of a reply.
 *
 * @param <T> the type of the value
 */
@FunctionalInterface
public interface Reading<T> {
    /** Any element; an error of the server, too, is a value. */
    Reading<Reply> ANY = ReplyReader::readReply;

    /** An integer. */
    Reading<Long> LONG = ReplyReader::readLong;

    /** A double, which RESP2 sends as a text. */
    Reading<Double> DOUBLE = ReplyReader::readDouble;

    /** A boolean, which RESP2 sends as 1 or 0. */
    Reading<Boolean> BOOLEAN = ReplyReader::readBoolean;

    /**
     * Reads exactly one element, with all that is inside it.
     *
     * @param in a reader before the element; behind it afterwards
     */
    T read(ReplyReader in);

    /** Returns a reading of elements that may be null. */
    static <T> Reading<Optional<T>> optional(Reading<T> element) {
        return in -> Replies.optional(in, element);
    }

    /** Returns a reading of arrays and sets; a null is an empty one. */
    static <T> Reading<List<T>> list(Reading<T> element) {
        return in -> Replies.list(in, element);
    }

    /** Returns a reading of maps, and of arrays of keys and values in turn. */
    static <K, V> Reading<Map<K, V>> map(Reading<K> keys, Reading<V> values) {
        return in -> Replies.map(in, keys, values);
    }
}
