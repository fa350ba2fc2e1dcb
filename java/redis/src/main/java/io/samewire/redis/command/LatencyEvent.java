package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.time.Instant;

/**
 * The latencies of one kind of event.
 *
 * @param event the kind
 * @param time when the latest was, to the second
 * @param latest how long it took, in milliseconds
 * @param highest the longest one ever, in milliseconds
 */
public record LatencyEvent(String event, Instant time, long latest, long highest) {
    static LatencyEvent read(ReplyReader in) {
        int count = Replies.begin(in, 4);
        String event = in.readString();
        Instant time = Replies.seconds(in);
        long latest = in.readLong();
        long highest = in.readLong();
        Replies.end(in, count, 4);
        return new LatencyEvent(event, time, latest, highest);
    }
}
