package io.samewire.redis.client;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a reader hands to a listener's thread. When it is full the reader waits, and reads no more: the server then
 * keeps what comes, as long as its {@code client-output-buffer-limit} allows.
 */
final class Mailbox {
    private static final int MOST_EVENTS = 65_536;
    private static final long MOST_BYTES = 64L << 20;

    private record Event(Runnable work, long bytes) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private long bytes;
    private boolean finished;
    private boolean closed;
    private int dropped;

    /**
     * Puts an event that holds so many bytes, and waits while there is no room; one of 0 never waits. Dropped once
     * finished or closed.
     */
    void put(Runnable work, long size) {
        lock.lock();
        try {
            while (!finished && !closed && size > 0 && !events.isEmpty()
                && (events.size() >= MOST_EVENTS || bytes + size > MOST_BYTES)) {
                emptied.awaitUninterruptibly();
            }
            if (!finished && !closed) {
                events.add(new Event(work, size));
                bytes += size;
                if (events.size() == 1) {
                    filled.signal();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for an event and takes it. Returns null once the box is closed, or finished and empty. */
    Runnable take() {
        lock.lock();
        try {
            while (events.isEmpty() && !finished && !closed) {
                filled.awaitUninterruptibly();
            }
            Event event = events.poll();
            if (event == null) {
                return null;
            }
            bytes -= event.bytes;
            emptied.signal();
            return event.work;
        } finally {
            lock.unlock();
        }
    }

    /** Lets what is there be taken, and nothing be put any more. */
    void finish() {
        lock.lock();
        try {
            finished = true;
            filled.signalAll();
            emptied.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many events wait, or were dropped. */
    int untaken() {
        lock.lock();
        try {
            return events.size() + dropped;
        } finally {
            lock.unlock();
        }
    }

    /** Drops what is there, and wakes both sides for good. */
    void close() {
        lock.lock();
        try {
            closed = true;
            dropped += events.size();
            events.clear();
            filled.signalAll();
            emptied.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
