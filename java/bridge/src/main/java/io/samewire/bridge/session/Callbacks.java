package io.samewire.bridge.session;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The idle callback channels of a session. Thread-safe. */
final class Callbacks {
    private static final long MOST_SECONDS = 30;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(MOST_SECONDS);

    private final Session session;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Channel> idle = new ArrayDeque<>();
    private int waiting;
    /** The number of channels that were requested and not opened yet. */
    private int asked;
    /** The number of channels that the client could not open, and for which a thread still waits. */
    private int refusals;
    private boolean ended;

    Callbacks(Session session) {
        this.session = session;
    }

    /**
     * Takes a channel. If there is none, asks the client for one, and waits.
     *
     * @throws SamewireException {@code closed} if the session has ended, or the client cannot open one; {@code timeout}
     *     if the client opens none
     */
    Channel take() {
        lock.lock();
        try {
            if (ended || !idle.isEmpty()) {
                return taken();
            }
            waiting++;
        } finally {
            lock.unlock();
        }
        try {
            return await(System.nanoTime() + MOST_NANOS);
        } finally {
            lock.lock();
            waiting--;
            lock.unlock();
        }
    }

    private Channel taken() {
        if (ended) {
            throw session.closed();
        }
        return idle.pop();
    }

    /**
     * Asks again if another thread took the channel that this one had requested. An interrupt does not end the wait: it
     * is set again for the program when the call has returned.
     */
    private Channel await(long deadline) {
        boolean interrupted = false;
        try {
            for (;;) {
                lock.lock();
                try {
                    if (ended || !idle.isEmpty()) {
                        return taken();
                    }
                    if (refusals > 0) {
                        refusals--;
                        throw new SamewireException(Code.CLOSED, -1, null, "the client cannot open a callback channel:"
                            + " it has no file descriptors or threads left");
                    }
                    if (waiting <= asked) {
                        interrupted |= awaitChange(deadline);
                        continue;
                    }
                    asked++;
                } finally {
                    lock.unlock();
                }
                session.control().more();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for a change or the deadline. Returns whether the thread was interrupted. */
    private boolean awaitChange(long deadline) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            // This request is withdrawn: the next thread has to send its own.
            asked--;
            throw new SamewireException(Code.TIMEOUT, -1, null,
                "the client has opened no callback channel for " + MOST_SECONDS + " s");
        }
        try {
            changed.awaitNanos(left);
            return false;
        } catch (InterruptedException kept) {
            return true;
        }
    }

    /** Adds a channel that the client has opened. */
    void opened(Channel channel) {
        lock.lock();
        try {
            asked = Math.max(0, asked - 1);
            push(channel);
        } finally {
            lock.unlock();
        }
    }

    /** The client cannot open a channel for which it was asked. One of the threads that wait gives up. */
    void refused() {
        lock.lock();
        try {
            asked = Math.max(0, asked - 1);
            refusals = Math.min(refusals + 1, waiting);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Returns a channel. */
    void give(Channel channel) {
        lock.lock();
        try {
            push(channel);
        } finally {
            lock.unlock();
        }
    }

    private void push(Channel channel) {
        if (ended) {
            channel.free();
            return;
        }
        idle.push(channel);
        changed.signal();
    }

    /** Ends all waiting. Channels in use are freed when their threads return them. */
    void end() {
        lock.lock();
        try {
            ended = true;
            for (Channel channel : idle) {
                channel.free();
            }
            idle.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
