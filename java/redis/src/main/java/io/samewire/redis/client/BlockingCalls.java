package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Commands for which the server waits, of callers that do not: each on a connection and a thread of its own, a bounded
 * number at once. Others wait in their order. A call has left its place when its future is completed, so what is
 * chained to it holds up nobody.
 */
final class BlockingCalls implements AutoCloseable {
    /** Carries a call out on the connections of a client. */
    interface Runner {
        <T> T run(BlockingCall<T> call);
    }

    private final RedisOptions options;
    private final Deadlines deadlines;
    private final Runner runner;
    private final ThreadPoolExecutor threads;
    private final Unclaimed unclaimed;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by `lock`.
    private final LinkedHashSet<BlockingCall<?>> waiting = new LinkedHashSet<>();
    private int running;
    private boolean closed;

    BlockingCalls(RedisOptions options, Deadlines deadlines, Runner runner) {
        this.options = options;
        this.deadlines = deadlines;
        this.runner = runner;
        this.unclaimed = new Unclaimed(options, work -> later(0, work));
        this.threads = new ThreadPoolExecutor(0, Integer.MAX_VALUE, options.idleTimeout, TimeUnit.NANOSECONDS,
            new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "samewire-redis-blocking");
                thread.setDaemon(true);
                return thread;
            });
    }

    /** Returns whether a command goes this way. Throws {@code misuse} for one that makes no sense on its own. */
    static boolean takes(Command<?> command) {
        if (command.blockingMillis() < 0) {
            return false;
        } else if (command.name().startsWith("WAIT")) {
            throw RedisOptions.misuse(command.name() + " waits for the writes of its own connection, and asynchronous"
                + " calls share theirs: add it to a pipeline, behind these writes");
        }
        return true;
    }

    /** Sends a command once a connection may be used for it. */
    <T> CompletableFuture<T> execute(Command<T> command, CallTime time) {
        BlockingCall<T> call = new BlockingCall<>(command, time, this);
        RuntimeException refused = null;
        boolean now = false;
        lock.lock();
        try {
            if (closed) {
                refused = ConnectionException.clientClosed();
            } else if (running < options.blockingConnections) {
                running++;
                now = true;
            } else if (waiting.size() >= options.queueCommands) {
                refused = new SamewireException(Code.LIMIT_ITEMS, -1, null, waiting.size() + " blocking commands wait"
                    + " for one of " + options.blockingConnections + " connections, and " + options.queueCommands
                    + " are the limit: give the client more, RedisOptions.withBlockingConnections or withQueue");
            } else {
                waiting.add(call);
            }
        } finally {
            lock.unlock();
        }
        if (refused != null) {
            call.completeExceptionally(refused);
            return call;
        } else if (now) {
            start(call);
        } else {
            deadlines.at(time.ready(), call, () -> expireWaiting(call));
        }
        if (time.until() != Deadlines.NEVER) {
            deadlines.at(time.until(), call, () -> later(0, () -> call.completeExceptionally(late(call))));
        }
        return call;
    }

    private void start(BlockingCall<?> call) {
        try {
            threads.execute(() -> work(call));
        } catch (RuntimeException | Error noThread) {
            leave();
            call.completeExceptionally(noThread);
        }
    }

    private <T> void work(BlockingCall<T> call) {
        T value = null;
        Throwable failure = null;
        try {
            value = runner.run(call);
        } catch (RuntimeException | Error failed) {
            failure = failed;
        }
        leave();
        T reply = value;
        Throwable why = failure;
        finish(() -> call.settle(reply, why));
    }

    private void finish(Runnable completion) {
        if (options.executor != null) {
            try {
                options.executor.execute(completion);
                return;
            } catch (RuntimeException | Error refused) {
                // A call must end in any case.
                completion.run();
                return;
            }
        }
        completion.run();
    }

    /** Gives a place to the call that has waited longest. */
    private void leave() {
        BlockingCall<?> next = null;
        lock.lock();
        try {
            running--;
            if (!waiting.isEmpty()) {
                next = waiting.iterator().next();
                waiting.remove(next);
                running++;
            }
        } finally {
            lock.unlock();
        }
        if (next != null) {
            start(next);
        }
    }

    /** Its future is done: it does not wait for a connection any more. */
    void forget(BlockingCall<?> call) {
        lock.lock();
        try {
            waiting.remove(call);
        } finally {
            lock.unlock();
        }
    }

    private void expireWaiting(BlockingCall<?> call) {
        boolean waits;
        lock.lock();
        try {
            waits = waiting.remove(call);
        } finally {
            lock.unlock();
        }
        if (waits) {
            later(0, () -> call.completeExceptionally(ConnectionException.timeout(false, call.command.name() + ": all "
                + options.blockingConnections + " connections for blocking commands were in use for "
                + (call.time.ready() - call.time.start()) / 1_000_000
                + " ms: give the client more, RedisOptions.withBlockingConnections", null)));
        }
    }

    private static ConnectionException late(BlockingCall<?> call) {
        return ConnectionException.timeout(call.expire(), call.command.name() + ": no reply within "
            + (call.time.until() - call.time.start()) / 1_000_000 + " ms", null);
    }

    /** Runs work after some nanoseconds on a thread that may wait; at once if the client is closed meanwhile. */
    void later(long nanos, Runnable work) {
        if (nanos > 0) {
            deadlines.after(nanos, () -> later(0, work));
            return;
        }
        try {
            threads.execute(() -> finish(work));
        } catch (RuntimeException | Error noThread) {
            work.run();
        }
    }

    /** What takes replies for which no caller waits any more, also of commands that do not make the server wait. */
    Unclaimed unclaimed() {
        return unclaimed;
    }

    /** Fails what waits for a connection; what has one fails with it. */
    @Override
    public void close() {
        Collection<BlockingCall<?>> left;
        lock.lock();
        try {
            closed = true;
            left = java.util.List.copyOf(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        left.forEach(call -> later(0, () -> call.completeExceptionally(ConnectionException.clientClosed())));
        threads.shutdown();
    }
}
