package io.samewire.redis.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How many attempts follow a failed one, and how long to wait before each: between half and all of a time that doubles.
 * A command is attempted again only if it cannot have run, or may be repeated ({@code spec/redis.md} section 6).
 *
 * @param attempts how many follow the first one
 * @param base the time before the second attempt is between this and twice this
 * @param cap the longest time
 */
public record Retry(int attempts, Duration base, Duration cap) {
    /**
     * As many attempts as the time of the call has room for, after up to 20 ms at first and 1 s at last: nobody knows
     * how long a server takes to start and to read its data, or a cluster to elect another one.
     */
    public static final Retry DEFAULT = new Retry(1_000, Duration.ofMillis(10), Duration.ofSeconds(1));
    /** No attempt after the first one. */
    public static final Retry NONE = new Retry(0, Duration.ZERO, Duration.ZERO);

    /**
     * Checks the values.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if one is negative
     */
    public Retry {
        if (attempts < 0 || base.isNegative() || cap.isNegative()) {
            throw RedisOptions.misuse("expected no negative values, found " + attempts + ", " + base + ", " + cap);
        }
    }

    /**
     * Nanoseconds to wait after so many failures, 1 or more. Not any part of the time, which could be none of it: then
     * the attempts of one in many callers are over before a server is there again.
     */
    long pause(int failures) {
        double doubled = base.toNanos() * Math.pow(2, Math.min(failures, 1000));
        return (long) (Math.min(cap.toNanos(), doubled) * ThreadLocalRandom.current().nextDouble(0.5, 1));
    }
}
