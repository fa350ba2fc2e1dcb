package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.time.Instant;

/**
 * A latency that the server measured.
 *
 * @param time when, to the second
 * @param millis how long
 */
public record LatencySample(Instant time, long millis) {
    static LatencySample read(ReplyReader in) {
        int count = Replies.begin(in, 2);
        Instant time = Replies.seconds(in);
        long millis = in.readLong();
        Replies.end(in, count, 2);
        return new LatencySample(time, millis);
    }
}
