package io.samewire.bridge.session;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The callback channels of a session that no thread works on. Thread-safe. */
final class Callbacks {
    private static final long MOST_SECONDS = 30;

    private final Session session;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Channel> idle = new ArrayDeque<>();
    private int waiting;
    /** Channels that the client has been asked for and has not opened. */
    private int asked;
    private boolean ended;

    Callbacks(Session session) {
        this.session = session;
    }

    /**
     * Takes a channel; asks the client for one more, and waits, if there is none.
     *
     * @throws SamewireException {@code closed}; {@code timeout} if the client opens none; {@code misuse} if the thread
     *     is interrupted
     */
    Channel take() {
        boolean ask = false;
        lock.lock();
        try {
            if (idle.isEmpty() && !ended) {
                waiting++;
                ask = waiting > asked;
                asked += ask ? 1 : 0;
            } else {
                return taken();
            }
        } finally {
            lock.unlock();
        }
        if (ask) {
            session.control().more();
        }
        return await();
    }

    private Channel taken() {
        if (ended) {
            throw session.closed();
        }
        return idle.pop();
    }

    private Channel await() {
        long left = TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        lock.lock();
        try {
            while (idle.isEmpty() && !ended) {
                if (left <= 0) {
                    throw new SamewireException(Code.TIMEOUT, -1, null,
                        "the client has opened no callback channel for " + MOST_SECONDS + " s");
                }
                left = changed.awaitNanos(left);
            }
            return taken();
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new SamewireException(Code.MISUSE, -1, null,
                "the thread was interrupted while it waited for a callback channel", error);
        } finally {
            waiting--;
            lock.unlock();
        }
    }

    /** Adds a channel that the client has opened. */
    void opened(Channel channel) {
        lock.lock();
        try {
            asked = Math.max(0, asked - 1);
            idle.push(channel);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Gives back a channel. */
    void give(Channel channel) {
        lock.lock();
        try {
            idle.push(channel);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waiting. */
    void end() {
        lock.lock();
        try {
            ended = true;
            idle.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
