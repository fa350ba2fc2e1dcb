package io.samewire.redis.client;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * One thread that ends what takes too long, and does what is to be done later. Callers wake it only for a deadline that
 * is earlier than its next look, which with one time-out for all commands never happens: a command costs two writes to
 * a volatile field.
 */
final class Deadlines implements Runnable, AutoCloseable {
    /** A time that does not come. */
    static final long NEVER = Long.MAX_VALUE;
    private static final long FAR = Long.MAX_VALUE;
    private static final long ORIGIN = System.nanoTime() - 1;
    /** Looks at least so often. */
    private static final long LONGEST_SLEEP = 1_000_000_000L;

    /** A look that is so late means that the process was held: it was stopped, or without a processor. */
    private static final long HELD = 10_000_000L;
    /** Others have as long as it was held to read what has come meanwhile, so long at most. */
    private static final long GRACE = 1_000_000_000L;

    /** How soon it looks again at what has failed. */
    private static final long AFTER_FAILURE = 10_000_000L;
    /** Tasks before those are looked for that are no longer needed. */
    private static final int FEW = 1_024;

    /** Work for a time. over: done once it is not needed any more; null if it always is. */
    private record Task(long at, Runnable work, Future<?> over) {}

    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(Comparator.comparingLong(Task::at));
    /** So many tasks have those looked for that are no longer needed. */
    private int crowded = FEW;
    private final Thread thread;
    /** What is done in the time of grace. */
    private final LongConsumer grace;
    /** When it looks next; FAR while it looks: then everyone wakes it. */
    private volatile long nextLook = FAR;
    private volatile boolean closed;

    Deadlines() {
        this(null);
    }

    /** grace: waits for so many nanoseconds; null for the usual way. */
    Deadlines(LongConsumer grace) {
        this.grace = grace == null ? this::pause : grace;
        thread = new Thread(this, "samewire-redis-deadlines");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the time in nanoseconds since the class was loaded, at least 1. */
    static long now() {
        return System.nanoTime() - ORIGIN;
    }

    /** Has something looked at, and so expire when its time is over, until {@link #forget}. */
    void watch(Watched what) {
        watched.add(what);
    }

    void forget(Watched what) {
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
        add(new Task(now() + nanos, work, null));
    }

    /** Runs short work at a time, on its thread, unless the call is done by then. */
    void at(long time, Future<?> call, Runnable work) {
        add(new Task(time, work, call));
    }

    private void add(Task task) {
        lock.lock();
        try {
            if (tasks.size() >= crowded) {
                tasks.removeIf(one -> one.over != null && one.over.isDone());
                crowded = Math.max(FEW, 2 * tasks.size());
            }
            tasks.add(task);
        } finally {
            lock.unlock();
        }
        noteDeadline(task.at);
    }

    /** Returns how many tasks wait. */
    int tasks() {
        lock.lock();
        try {
            return tasks.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() {
        while (!closed) {
            long late = now() - nextLook;
            nextLook = FAR;
            if (late > HELD) {
                // The replies may be there, and their readers just as late.
                grace.accept(Math.min(late, GRACE));
            }
            long now = now();
            long next = now + look(now);
            nextLook = next;
            LockSupport.parkNanos(this, next - now());
        }
    }

    /** Waits, whoever wakes it. */
    private void pause(long nanos) {
        long until = now() + nanos;
        for (long left = nanos; left > 0 && !closed; left = until - now()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Looks at everything, and returns for how long it may sleep. Nothing that fails keeps it from the rest. */
    private long look(long now) {
        long sleep = LONGEST_SLEEP;
        try {
            for (Watched what : watched) {
                sleep = Math.min(sleep, check(what, now));
            }
            return Math.min(sleep, runDue(now));
        } catch (RuntimeException | Error failed) {
            report(failed);
            return AFTER_FAILURE;
        }
    }

    private static long check(Watched what, long now) {
        try {
            return what.check(now, LONGEST_SLEEP);
        } catch (RuntimeException | Error failed) {
            report(failed);
            return AFTER_FAILURE;
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
            if (due.over == null || !due.over.isDone()) {
                run(due);
            }
        }
    }

    private void run(Task due) {
        try {
            due.work.run();
        } catch (OutOfMemoryError full) {
            // It is still to be done; there is room for it where it was. What follows is caught where this was called.
            lock.lock();
            try {
                tasks.add(due);
            } finally {
                lock.unlock();
            }
            throw full;
        } catch (RuntimeException | Error failed) {
            report(failed);
        }
    }

    private static void report(Throwable failed) {
        try {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, failed);
        } catch (RuntimeException | Error again) {
            // There may be no memory for it. Without this thread no time would ever be over.
            return;
        }
    }

    /** Ends the thread. Nothing expires any more. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
