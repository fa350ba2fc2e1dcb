package io.samewire.redis.client;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One thread that ends what takes too long, and does what is to be done later. Callers wake it only for a deadline that
 * is earlier than its next look, which with one time-out for all commands never happens: a command costs two writes to
 * a volatile field.
 */
final class Deadlines implements Runnable, AutoCloseable {
    private static final long FAR = Long.MAX_VALUE;
    private static final long ORIGIN = System.nanoTime() - 1;
    /** Looks at least so often. */
    private static final long LONGEST_SLEEP = 1_000_000_000L;

    private record Task(long at, Runnable work) {}

    private final Set<Expiring> watched = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(Comparator.comparingLong(Task::at));
    private final Thread thread;
    /** When it looks next; FAR while it looks: then everyone wakes it. */
    private volatile long nextLook = FAR;
    private volatile boolean closed;

    Deadlines() {
        thread = new Thread(this, "samewire-redis-deadlines");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the time in nanoseconds since the class was loaded, at least 1. */
    static long now() {
        return System.nanoTime() - ORIGIN;
    }

    /** Has something expire when its time is over, until {@link #forget}. */
    void watch(Expiring what) {
        watched.add(what);
    }

    void forget(Expiring what) {
        watched.remove(what);
    }

    /** Sees to it that a deadline is not slept through. */
    void noteDeadline(long at) {
        if (at < nextLook) {
            LockSupport.unpark(thread);
        }
    }

    /** Runs short work after some time, on its thread; never if it is closed before. */
    void after(long nanos, Runnable work) {
        lock.lock();
        try {
            tasks.add(new Task(now() + nanos, work));
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!closed) {
            nextLook = FAR;
            long now = now();
            long sleep = LONGEST_SLEEP;
            for (Expiring what : watched) {
                sleep = what.check(now, sleep);
            }
            sleep = Math.min(sleep, runDue(now));
            nextLook = now + sleep;
            LockSupport.parkNanos(this, sleep);
        }
    }

    /** Runs what is due and returns how long the next task may wait. */
    private long runDue(long now) {
        while (true) {
            Task due;
            lock.lock();
            try {
                due = tasks.peek();
                if (due == null || due.at > now) {
                    return due == null ? LONGEST_SLEEP : due.at - now;
                }
                tasks.poll();
            } finally {
                lock.unlock();
            }
            due.work.run();
        }
    }

    /** Ends the thread. Nothing expires any more. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
