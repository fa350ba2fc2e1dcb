package io.samewire.redis.store;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.math.BigInteger;
import java.time.Duration;

/** Times to live. */
final class TimeToLive {
    /** About 146,000 years in milliseconds. Servers refuse times that overflow 64 bits when the clock is added. */
    private static final long LONGEST = 1L << 52;

    private TimeToLive() { }

    /**
     * Returns a time to live in whole milliseconds, rounded up.
     *
     * @throws SamewireException {@code misuse} unless it is positive
     */
    static long millis(Duration ttl) {
        BigInteger nanos = BigInteger.valueOf(ttl.getSeconds()).multiply(BigInteger.valueOf(1_000_000_000))
            .add(BigInteger.valueOf(ttl.getNano()));
        BigInteger millis = nanos.add(BigInteger.valueOf(999_999)).divide(BigInteger.valueOf(1_000_000));
        if (nanos.signum() <= 0 || millis.compareTo(BigInteger.valueOf(LONGEST)) > 0) {
            throw new SamewireException(Code.MISUSE, -1, null, "expected a time to live above 0, found " + ttl);
        }
        return millis.longValue();
    }
}
