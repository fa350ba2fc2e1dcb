package io.samewire.redis.store;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.time.Duration;

/**
 * How many entries one reading of a stream returns at most, and how long it waits if there are none:
 * {@code Wait.none().atMost(100)}, {@code Wait.upTo(Duration.ofSeconds(5))}.
 */
public final class Wait {
    private static final Wait NONE = new Wait(null, 0);

    /** Null for a reading that does not wait; zero for one that waits without end. */
    final Duration time;
    /** 0 for any number. */
    final long count;

    private Wait(Duration time, long count) {
        this.time = time;
        this.count = count;
    }

    /** Does not wait. */
    public static Wait none() {
        return NONE;
    }

    /** Waits until an entry comes. */
    public static Wait forever() {
        return new Wait(Duration.ZERO, 0);
    }

    /**
     * Waits so long.
     *
     * @throws SamewireException {@code misuse} unless it is at least a millisecond
     */
    public static Wait upTo(Duration time) {
        if (time.compareTo(Duration.ofMillis(1)) < 0) {
            throw misuse("expected a time of at least 1 ms, found " + time);
        }
        return new Wait(time, 0);
    }

    /**
     * Limits how many entries a read returns.
     *
     * @throws SamewireException {@code misuse} unless it is positive
     */
    public Wait atMost(long entries) {
        if (entries < 1) {
            throw misuse("expected at least 1 entry, found " + entries);
        }
        return new Wait(time, entries);
    }

    private static SamewireException misuse(String text) {
        return new SamewireException(Code.MISUSE, -1, null, text);
    }
}
