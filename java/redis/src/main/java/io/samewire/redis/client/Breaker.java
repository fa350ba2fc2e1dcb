package io.samewire.redis.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A circuit breaker: while a server cannot be reached, callers fail at once instead of each trying it. After so many
 * failed connects in a row it is open for about a second; then one caller may try, and the others go on failing until
 * that one has connected.
 */
final class Breaker {
    private static final long OPEN_NANOS = 1_000_000_000L;

    private final int failures;
    private final ReentrantLock lock = new ReentrantLock();
    private int failed;
    private boolean open;
    private long until;

    Breaker(int failures) {
        this.failures = failures;
    }

    /**
     * Returns nanoseconds after which the caller may try; 0 if it may now. One caller may try an open breaker's server.
     */
    long refuses(long now) {
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

    void succeeded() {
        lock.lock();
        try {
            failed = 0;
            open = false;
        } finally {
            lock.unlock();
        }
    }

    void failed(long now) {
        lock.lock();
        try {
            if (++failed >= failures) {
                open(now);
            }
        } finally {
            lock.unlock();
        }
    }

    int failures() {
        return failures;
    }

    /** Not the same time for all clients: they would come back together. */
    private void open(long now) {
        open = true;
        until = now + ThreadLocalRandom.current().nextLong(OPEN_NANOS / 2, OPEN_NANOS * 3 / 2);
    }
}
