package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Reading;
import io.samewire.redis.resp.RedisException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A command for which the server waits, and the future of a caller that does not. It has a connection and a thread for
 * as long as it runs. When the future ends otherwise (cancelled, out of time, completed by the program), the server is
 * asked over the shared connection to end the wait ({@code CLIENT UNBLOCK}): either it does, or the reply comes. So the
 * connection is used again, and an element that was popped meanwhile is known.
 */
final class BlockingCall<T> extends CompletableFuture<T> {
    private static final Command<?> ASKING = Commands.of("ASKING");
    /** Before the server is asked again: the command may not have come to it, or its reply may be on its way. */
    private static final long FIRST_PAUSE = 5_000_000L;
    /** The pause after which the connection is closed instead. */
    private static final long LAST_PAUSE = 640_000_000L;

    final Command<T> command;
    final CallTime time;
    private final BlockingCalls calls;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by `lock`.
    private RedisClient owner;
    /** What it has been sent on and waits on; null before and afterwards. */
    private Connection on;
    /** Ends with the server's reply to CLIENT UNBLOCK. Null if that was not sent. */
    private CompletableFuture<Void> asked;
    /** Whether a command may have been written. */
    private boolean sent;
    /** Whether its time was over before that: nothing is sent any more, and who ended it says so. */
    private volatile boolean over;
    /** Whether the server has ended its wait by CLIENT UNBLOCK: nothing was popped then. */
    private volatile boolean unblocked;
    /** Whether the reply has come, or why there is none. */
    private volatile boolean settled;

    BlockingCall(Command<T> command, CallTime time, BlockingCalls calls) {
        this.command = command;
        this.time = time;
        this.calls = calls;
        whenComplete((value, failure) -> {
            if (!settled) {
                calls.forget(this);
                unblock(FIRST_PAUSE);
            }
        });
    }

    /** Ends its time. Returns whether the server may have run it; if not, it is not sent any more. */
    boolean expire() {
        lock.lock();
        try {
            over = !sent;
            return sent;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends the command on a connection that was lent for it, and waits for the reply.
     *
     * @throws CancellationException if no caller waits for it any more: nothing was sent
     */
    T run(RedisClient client, Connection connection, boolean asking) {
        identify(connection);
        if (asking) {
            connection.callUntil(ASKING, time.ready());
        }
        begin(client, connection);
        try {
            // Late calls are given up, and have the server end its wait; this is for a server that says nothing.
            return connection.callUntil(command, time.until() == Deadlines.NEVER ? Deadlines.NEVER
                : time.until() + client.options().connectTimeout);
        } finally {
            end(connection);
        }
    }

    /** Asks once on each connection for the number by which the server knows it. */
    private void identify(Connection connection) {
        if (connection.id == 0) {
            try {
                connection.id = connection.callUntil(Commands.of(Reading.LONG, "CLIENT ID"), time.ready());
            } catch (RedisException refused) {
                connection.id = -1;
            }
        }
    }

    private void begin(RedisClient client, Connection connection) {
        lock.lock();
        try {
            if (over || isDone()) {
                throw new CancellationException();
            }
            owner = client;
            on = connection;
            sent = true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the reply to CLIENT UNBLOCK: it must not end the wait of the next command on this connection. */
    private void end(Connection connection) {
        CompletableFuture<Void> asking;
        lock.lock();
        try {
            on = null;
            asking = asked;
        } finally {
            lock.unlock();
        }
        if (asking == null) {
            return;
        }
        try {
            asking.get(2 * owner.options().connectTimeout, TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException unknown) {
            connection.close("it is not known what the server replied to CLIENT UNBLOCK");
        } catch (InterruptedException stopped) {
            connection.close("the thread was interrupted");
            Thread.currentThread().interrupt();
        }
    }

    /** Unblocks the call on the server if it still waits, or closes the connection if the server cannot be asked. */
    private void unblock(long pause) {
        Connection connection;
        CompletableFuture<Void> asking = new CompletableFuture<>();
        lock.lock();
        try {
            connection = on;
            if (connection == null) {
                return;
            }
            asked = asking;
        } finally {
            lock.unlock();
        }
        if (connection.id < 0 || pause > LAST_PAUSE) {
            asking.complete(null);
            connection.close("its caller does not wait any more");
            return;
        }
        owner.unblock(connection.id).whenComplete((ended, failure) -> {
            if (failure != null) {
                connection.close("its caller does not wait any more, and CLIENT UNBLOCK failed: "
                    + Call.failure(failure).getMessage());
            } else if (ended > 0) {
                unblocked = true;
            } else {
                calls.later(pause, () -> unblock(2 * pause));
            }
            asking.complete(null);
        });
    }

    /** Completes the future with what became of the command. */
    void settle(T value, Throwable failure) {
        settled = true;
        if (over) {
            return;
        } else if (failure != null) {
            if (!completeExceptionally(failure) && sent && !unblocked && Unclaimed.mayHaveRun(failure)) {
                calls.unclaimed().inDoubt(command, this, failure);
            }
        } else if (!complete(value)) {
            calls.unclaimed().reply(command, value);
        }
    }
}
