package io.samewire.redis.command;

import java.time.Instant;

/** An end of a range of times in a time series, which belongs to the range. */
@CheckReturnValue
public final class TimeBound {
    /** The time of the first sample: {@code -}. */
    public static final TimeBound FIRST = new TimeBound(new Token("-"));
    /** The time of the last sample: {@code +}. */
    public static final TimeBound LAST = new TimeBound(new Token("+"));

    final Object word;

    private TimeBound(Object word) {
        this.word = word;
    }

    /** Returns a time in milliseconds since 1970. */
    public static TimeBound of(long unixTimeMilliseconds) {
        return new TimeBound(unixTimeMilliseconds);
    }

    /** Returns a time, rounded up to milliseconds. */
    public static TimeBound of(Instant at) {
        return new TimeBound(Words.unixMillis(at));
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
