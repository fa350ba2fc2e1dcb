package io.samewire.redis.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A circuit breaker: once a server could not be reached for some time, callers do not each try it. One tries about once
 * a second; the others wait for that, or fail if their retry policy allows no further attempt. It counts time, not
 * failures: of many callers, all fail once when a server is started again.
 */
final class Breaker {
    private static final long OPEN_NANOS = 1_000_000_000L;

    /** After how long; 0 for never. */
    private final long after;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean failing;
    /** Since when no connect has succeeded, if it is failing. */
    private long since;
    private boolean open;
    private long until;

    Breaker(long after) {
        this.after = after;
    }

    /**
     * Returns nanoseconds after which the caller may try; 0 if it may now. One caller may try an open breaker's server.
     */
    long refuses(long now) {
        if (after == 0) {
            return 0;
        }
        lock.lock();
        try {
            if (!open) {
                return 0;
            } else if (until > now) {
                return until - now;
            }
            open(now);
            return 0;
        } finally {
            lock.unlock();
        }
    }

    /** The server was reached, whatever it replied. */
    void succeeded() {
        lock.lock();
        try {
            failing = false;
            open = false;
        } finally {
            lock.unlock();
        }
    }

    /** The server could not be reached by an attempt that began at {@code start}. */
    void failed(long start, long now) {
        if (after == 0) {
            return;
        }
        lock.lock();
        try {
            if (!failing) {
                failing = true;
                since = start;
            } else if (now - since >= after) {
                open(now);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns for how many nanoseconds the server could not be reached. */
    long failingFor(long now) {
        lock.lock();
        try {
            return failing ? now - since : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Not the same time for all clients: they would come back together. */
    private void open(long now) {
        open = true;
        until = now + ThreadLocalRandom.current().nextLong(OPEN_NANOS / 2, OPEN_NANOS * 3 / 2);
    }
}
