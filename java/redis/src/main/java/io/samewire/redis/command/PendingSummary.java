package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the consumers of a group have not acknowledged.
 *
 * @param count how many entries
 * @param first the least of their ids, empty if there are none
 * @param last the greatest of their ids, empty if there are none
 * @param consumers how many entries each consumer has
 */
public record PendingSummary(long count, Optional<String> first, Optional<String> last, Map<String, Long> consumers) {
    static PendingSummary read(ReplyReader in) {
        int elements = Replies.begin(in, 4);
        long count = in.readLong();
        Optional<String> first = Replies.optional(in, Text.STRING);
        Optional<String> last = Replies.optional(in, Text.STRING);
        Map<String, Long> consumers = new LinkedHashMap<>();
        for (int i = in.beginArray(); i > 0; i--) {
            int pair = Replies.begin(in, 2);
            String consumer = in.readString();
            consumers.put(consumer, in.readLong());
            Replies.end(in, pair, 2);
        }
        Replies.end(in, elements, 4);
        return new PendingSummary(count, first, last, consumers);
    }
}
