package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.time.Instant;
import java.util.List;

/**
 * What several time series have at one time.
 *
 * @param timestamp the time in milliseconds since 1970
 * @param values a value for each series, or one for each of its aggregators, in the order in which they were given; NaN
 *     where a series has none
 */
public record SeriesRow(long timestamp, List<Double> values) {
    /** Returns its time. */
    public Instant time() {
        return Instant.ofEpochMilli(timestamp);
    }

    static SeriesRow read(ReplyReader in) {
        int count = Replies.begin(in, 2);
        long timestamp = in.readLong();
        List<Double> values = Replies.list(in, Sample::value);
        Replies.end(in, count, 2);
        return new SeriesRow(timestamp, values);
    }

    static List<SeriesRow> list(ReplyReader in) {
        return Replies.list(in, SeriesRow::read);
    }
}
