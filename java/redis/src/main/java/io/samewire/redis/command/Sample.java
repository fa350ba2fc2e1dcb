package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A sample of a time series.
 *
 * @param timestamp its time in milliseconds since 1970
 * @param value its value, or what became of a bucket's values
 */
public record Sample(long timestamp, double value) {
    /** Returns its time. */
    public Instant time() {
        return Instant.ofEpochMilli(timestamp);
    }

    static Sample read(ReplyReader in) {
        int count = Replies.begin(in, 2);
        long timestamp = in.readLong();
        double value = in.readDouble();
        Replies.end(in, count, 2);
        return new Sample(timestamp, value);
    }

    static List<Sample> list(ReplyReader in) {
        return Replies.list(in, Sample::read);
    }

    /** The last sample; an empty array for a series without samples. */
    static Optional<Sample> last(ReplyReader in) {
        int count = in.beginArray();
        if (count <= 0) {
            return Optional.empty();
        } else if (count < 2) {
            throw Replies.mismatch("an array of time and value", "one of " + count);
        }
        long timestamp = in.readLong();
        double value = in.readDouble();
        Replies.end(in, count, 2);
        return Optional.of(new Sample(timestamp, value));
    }
}
