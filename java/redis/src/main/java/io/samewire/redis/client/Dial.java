package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.redis.resp.RedisException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connections that are made on a thread of their own. So whoever needs one waits no longer than its time, whatever of a
 * host's name, a sentinel, TLS and the greeting takes long; and a caller that stops waiting, or is interrupted, ends no
 * connection that another one can use.
 */
final class Dial {
    private Dial() { }

    /** Starts to connect. What {@link Dialer#dial} throws, the future fails with. */
    static CompletableFuture<Connection> start(Dialer dialer, List<String[]> setup) {
        CompletableFuture<Connection> made = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                made.complete(dialer.dial(setup));
            } catch (RuntimeException | Error failed) {
                made.completeExceptionally(failed);
            }
        }, "samewire-redis-dial");
        thread.setDaemon(true);
        thread.start();
        return made;
    }

    /**
     * Connects, and waits for it until a time.
     *
     * @throws ConnectionException {@code timeout} if it is over; what {@link Dialer#dial} throws
     */
    static Connection await(Dialer dialer, long until) {
        long start = Deadlines.now();
        CompletableFuture<Connection> made = start(dialer, List.of());
        try {
            return made.get(until - start, TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw failure(failed.getCause());
        } catch (TimeoutException late) {
            made.thenAccept(Connection::close);
            throw late(dialer, Deadlines.now() - start);
        } catch (InterruptedException stopped) {
            made.thenAccept(Connection::close);
            Thread.currentThread().interrupt();
            throw ConnectionException.last(Code.CLOSED, false, "the thread was interrupted while it waited for a"
                + " connection", stopped);
        }
    }

    /** What is thrown after waiting so many nanoseconds. */
    static ConnectionException late(Dialer dialer, long nanos) {
        return ConnectionException.timeout(false, "no connection to " + dialer.options.address + " was ready within "
            + nanos / 1_000_000 + " ms" + (dialer.options.tls ? ", TLS included: does this port speak TLS?" : ""),
            null);
    }

    /** Returns why none was made, with the stack of the caller that waited. */
    static RuntimeException failure(Throwable failed) {
        if (failed instanceof Error error) {
            throw error;
        } else if (failed instanceof ConnectionException lost) {
            return lost.located();
        }
        return failed instanceof RedisException refused ? refused.located() : (RuntimeException) failed;
    }
}
