package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;

/**
 * An entry that a consumer has not acknowledged.
 *
 * @param id its id
 * @param consumer the consumer that it was delivered to
 * @param idle milliseconds since it was delivered
 * @param deliveries how often it was delivered
 */
public record PendingEntry(String id, String consumer, long idle, long deliveries) {
    static PendingEntry read(ReplyReader in) {
        int count = Replies.begin(in, 4);
        String id = in.readString();
        String consumer = in.readString();
        long idle = in.readLong();
        long deliveries = in.readLong();
        Replies.end(in, count, 4);
        return new PendingEntry(id, consumer, idle, deliveries);
    }
}
