package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
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
        double value = value(in);
        Replies.end(in, count, 2);
        return new Sample(timestamp, value);
    }

    /** A value. The texts of RESP2 have "NaN" for an empty bucket, in the letters of C's library or of JSON's. */
    static double value(ReplyReader in) {
        if (in.type() != ReplyType.SIMPLE && in.type() != ReplyType.BULK) {
            return in.readDouble();
        }
        String text = in.readLenientString();
        try {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "nan", "-nan" -> Double.NaN;
                case "inf" -> Double.POSITIVE_INFINITY;
                case "-inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.parseDouble(text);
            };
        } catch (NumberFormatException none) {
            throw Replies.mismatch("a double", text);
        }
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
        double value = value(in);
        Replies.end(in, count, 2);
        return Optional.of(new Sample(timestamp, value));
    }
}
