package io.samewire.redis.client;

import io.samewire.core.Code;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connections to one server that blocking callers take and give back. The one used last is taken first. Callers that
 * wait get theirs in the order in which they came. No lock is held during I/O.
 */
final class Pool implements AutoCloseable {
    /**
     * A connection that was lent longer ago is looked at before it is lent again: the server may have closed it. That
     * costs three system calls, about a microsecond, which callers in a row do not pay.
     */
    private static final long TRUSTED_NANOS = 10_000_000L;

    private final Dialer dialer;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    /** Empty while callers wait: what becomes free is the first one's. */
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    private final Set<Connection> all = new HashSet<>();
    /** Connections that are there or being made. */
    private int made;
    /** Connections that were made, and those of them that were lost. */
    private long opened;
    private long lost;
    /** Since when the server is in doubt: connections that were idle at that time are looked at. */
    private long doubtful;
    private boolean closed;

    /** A caller that waits. */
    private static final class Waiter {
        final Condition woken;
        boolean queued;
        /** What it has got; it is no longer in the queue then. */
        Connection given;

        Waiter(Condition woken) {
            this.woken = woken;
        }
    }

    Pool(Dialer dialer, int most) {
        this.dialer = dialer;
        this.most = most;
    }

    /**
     * Takes a connection, and has one made if none is idle. It must be given back.
     *
     * @param start the clock's time just now
     * @param until when the caller stops waiting
     * @throws ConnectionException {@code timeout} if all were in use for too long, or none could be made in time; what
     *     {@link Dialer#dial} throws
     */
    Connection borrow(long start, long until) {
        long now = start;
        while (true) {
            Connection found = idle();
            if (found == null) {
                found = await(start, until);
                now = Deadlines.now();
            }
            boolean trusted = now - found.usedAt < TRUSTED_NANOS && found.usedAt - doubtful > 0;
            if (dialer.isCurrent(found) && (trusted || found.poll())) {
                found.usedAt = trusted ? now : Deadlines.now();
                return found;
            }
            drop(found);
        }
    }

    private Connection idle() {
        lock.lock();
        try {
            return idle.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a connection that is given back, or for one that is made: one is made for this caller if there is room,
     * and goes to whoever has waited longest.
     */
    private Connection await(long start, long until) {
        CompletableFuture<Connection> own = null;
        lock.lock();
        Waiter waiter = new Waiter(lock.newCondition());
        try {
            while (true) {
                if (closed) {
                    throw ConnectionException.clientClosed();
                }
                Connection found = waiter.given == null ? idle.pollFirst() : waiter.given;
                if (found != null) {
                    waiter.given = null;
                    return found;
                } else if (own != null && own.isCompletedExceptionally()) {
                    throw Dial.failure(own.handle((none, failed) -> failed).join());
                } else if ((own == null || own.isDone()) && made < most) {
                    own = make();
                    continue;
                }
                long now = Deadlines.now();
                if (until <= now) {
                    throw own != null ? Dial.late(dialer, now - start) : ConnectionException.last(Code.TIMEOUT, false,
                        "all " + most + " connections to " + dialer.name() + " were in use for "
                        + (now - start) / 1_000_000 + " ms: give the client more, RedisOptions.withConnections", null);
                }
                await(waiter, until - now);
            }
        } finally {
            if (waiter.queued) {
                waiters.remove(waiter);
            }
            if (waiter.given != null && !closed) {
                // It was interrupted meanwhile.
                offer(waiter.given);
            }
            lock.unlock();
        }
    }

    private void await(Waiter waiter, long nanos) {
        if (!waiter.queued) {
            waiter.queued = true;
            waiters.addLast(waiter);
        }
        try {
            waiter.woken.awaitNanos(nanos);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw ConnectionException.last(Code.CLOSED, false,
                "the thread was interrupted while it waited for a connection", stopped);
        }
    }

    /** Hands a connection to the caller that has waited longest, or keeps it. The lock is held. */
    private void offer(Connection connection) {
        Waiter first = waiters.pollFirst();
        if (first == null) {
            idle.addFirst(connection);
        } else {
            first.queued = false;
            first.given = connection;
            first.woken.signal();
        }
    }

    /** Wakes all that wait: a connection may be made, or cannot be. The lock is held. */
    private void wakeAll() {
        waiters.forEach(one -> one.woken.signal());
    }

    /** Starts making a connection. The lock is held. */
    private CompletableFuture<Connection> make() {
        CompletableFuture<Connection> fresh = Dial.start(dialer, List.of());
        made++;
        fresh.whenComplete(this::ended);
        return fresh;
    }

    private void ended(Connection fresh, Throwable failed) {
        lock.lock();
        try {
            if (fresh != null && !closed) {
                opened++;
                all.add(fresh);
                offer(fresh);
                return;
            }
            made--;
            // Who it was made for is among those that wait.
            wakeAll();
        } finally {
            lock.unlock();
        }
        if (fresh != null) {
            fresh.close();
        }
    }

    /** Takes a connection back. */
    void release(Connection connection) {
        if (!connection.isUsable()) {
            drop(connection);
            return;
        }
        Connection over = connection;
        lock.lock();
        try {
            if (!closed) {
                over = unused(connection.usedAt);
                offer(connection);
            }
        } finally {
            lock.unlock();
        }
        if (over != null) {
            over.close();
        }
    }

    /** Takes out the connection that was idle longest, if that is too long; else null. */
    private Connection unused(long now) {
        Connection oldest = idle.peekLast();
        if (oldest == null || now - oldest.usedAt < dialer.options.idleTimeout) {
            return null;
        }
        idle.pollLast();
        all.remove(oldest);
        made--;
        return oldest;
    }

    /** Closes a connection that was lent, and forgets it. */
    void drop(Connection connection) {
        connection.close();
        lock.lock();
        try {
            lost += all.remove(connection) ? 1 : 0;
            doubtful = Deadlines.now();
        } finally {
            lock.unlock();
        }
        left();
    }

    private void left() {
        lock.lock();
        try {
            made--;
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the idle connections that lead to another server than the right one. The others go when they are back, or
     * after the time of a connect: what is silent so long has failed.
     */
    void leave() {
        List<Connection> over = new ArrayList<>();
        List<Connection> lent;
        lock.lock();
        try {
            for (Connection one : idle) {
                if (!dialer.isCurrent(one)) {
                    over.add(one);
                }
            }
            lent = all.stream().filter(one -> !dialer.isCurrent(one) && !over.contains(one)).toList();
            forget(over);
            wakeAll();
        } finally {
            lock.unlock();
        }
        over.forEach(Connection::close);
        if (!lent.isEmpty()) {
            dialer.deadlines().after(dialer.options.connectTimeout, () -> lent.stream()
                .filter(one -> !dialer.isCurrent(one)).forEach(one -> one.close("another server is meant now")));
        }
    }

    /** Closes the idle connections that have carried nothing since one was lent that has got no reply. */
    void leaveUnheard(Connection silent) {
        List<Connection> over = new ArrayList<>();
        lock.lock();
        try {
            for (Connection one : idle) {
                if (one.usedAt - silent.usedAt < 0) {
                    over.add(one);
                }
            }
            forget(over);
        } finally {
            lock.unlock();
        }
        over.forEach(Connection::close);
    }

    /** Takes idle connections out. The lock is held. */
    private void forget(List<Connection> over) {
        idle.removeAll(over);
        over.forEach(all::remove);
        made -= over.size();
    }

    /** Returns what there is, and what there has been. */
    PoolStatistics statistics() {
        lock.lock();
        try {
            return new PoolStatistics(made, idle.size(), waiters.size(), opened, lost);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether no caller has a connection, or waits for one. */
    boolean isUnused() {
        lock.lock();
        try {
            return made == idle.size() && waiters.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Closes all connections, also those in use, whose callers get {@code closed}. */
    @Override
    public void close() {
        List<Connection> left;
        lock.lock();
        try {
            closed = true;
            left = List.copyOf(all);
            all.clear();
            idle.clear();
            wakeAll();
        } finally {
            lock.unlock();
        }
        left.forEach(one -> one.close("the client was closed"));
    }

    static boolean sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
