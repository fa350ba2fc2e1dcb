package io.samewire.redis.command;

import java.time.Instant;

/** A sample that is added to a time series: {@code NewSample.of("room:1", 1700000000000L, 21.5)}. */
public final class NewSample {
    final Object[] word;

    private NewSample(Object... word) {
        this.word = word;
    }

    /** Returns a sample for a key, at a time in milliseconds since 1970. */
    public static NewSample of(CharSequence key, long unixTimeMilliseconds, double value) {
        return new NewSample(Words.text(key), unixTimeMilliseconds, value);
    }

    /** Returns a sample for a key, at a time that is rounded up to milliseconds. */
    public static NewSample of(CharSequence key, Instant at, double value) {
        return new NewSample(Words.text(key), Words.unixMillis(at), value);
    }

    /** Returns a sample for a key, at the server's time. */
    public static NewSample now(CharSequence key, double value) {
        return new NewSample(Words.text(key), Tokens.GENERATED_ID, value);
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
