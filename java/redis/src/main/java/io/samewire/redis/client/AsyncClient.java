package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Commands whose callers do not wait, on one connection to each server that all share: those that are on their way at
 * the same time are written together. Futures are completed on the thread that reads replies, or by the client's
 * executor ({@link RedisOptions#withExecutor}). Without one, what is chained to a future must not wait: {@code join}
 * and {@code get} of a future that is not done throw {@code misuse} there, also of {@code allOf} and other programs'.
 *
 * <p>Calls of one server run in the order in which they were made, with one exception: of those on their way together
 * when a server begins to load data ({@code LOADING}, a replica that gets a whole copy), a refused one may run behind
 * later ones. Who needs the order even then chains one call to the other; on a cluster also who needs it while slots
 * move or nodes fail.
 *
 * <p>A command that makes the server wait ({@code BLPOP}, {@code XREAD} with {@code BLOCK}) has a connection and a
 * thread of its own, as many at once as {@link RedisOptions#withBlockingConnections} says, and so no order with other
 * calls; what is chained to its future may wait. If the future is done before the reply comes (it is cancelled, its
 * time is over), the server is asked to end its wait ({@code CLIENT UNBLOCK}). An element that was popped before that
 * is handed to {@link RedisOptions#withUnclaimed}. It may be lost if the connection breaks between the pop and the
 * reply, or if the server does not let the client ask, and the connection is closed instead. No client can know then,
 * and each such call is reported: by its future, whose {@link ConnectionException#mayHaveRun} is true, or, if that is
 * done, to {@link RedisOptions#withInDoubt}. {@code BLMOVE}, and {@code XREADGROUP} without {@code NOACK}, keep
 * the element on the server.
 *
 * <p>Replies are not taken from the client's cache, nor kept in it. Thread-safe. A call that is cancelled before it is
 * written is not sent; afterwards its reply is dropped, except that of a command that pops ({@code LPOP}, {@code SPOP},
 * {@code ZPOPMIN}, {@code GETDEL}): its element is handed over, or reported as in doubt, like that of {@code BLPOP}.
 */
public abstract sealed class AsyncClient permits ServerAsyncClient, ClusterAsyncClient {
    AsyncClient() { }

    /**
     * Sends a command. {@code byte[]} arguments must not be changed until the future is done.
     *
     * @return a future of the reply. It fails with what {@link CommandClient#execute} throws
     * @throws io.samewire.core.SamewireException {@code misuse} if the command changes the connection, and for
     *     {@code WAIT} and {@code WAITAOF}, which concern the writes of their own connection
     */
    public abstract <T> CompletableFuture<T> execute(Command<T> command);

    /**
     * Sends a command, whose call has a time of its own instead of {@link RedisOptions#withCommandTimeout}; that of a
     * command that makes the server wait is part of it.
     *
     * @return a future of the reply. It fails with what {@link CommandClient#execute} throws
     * @throws io.samewire.core.SamewireException {@code misuse} as {@link #execute(Command)}, and if the time is not
     *     above 0
     */
    public abstract <T> CompletableFuture<T> execute(Command<T> command, Duration timeout);

    /**
     * Takes a reply for which no caller waits any more, as that of a future that was cancelled before it came: the
     * element of a command that pops goes to {@link RedisOptions#withUnclaimed}. For libraries that bring replies to
     * callers of another kind, which may have left when a future is done, such as Kotlin's coroutines.
     */
    public final <T> void handOver(Command<T> command, T reply) {
        unclaimed().reply(command, reply);
    }

    /**
     * Does the same with a failure of which no caller hears any more: if a command that pops may have run, it goes to
     * {@link RedisOptions#withInDoubt}.
     */
    public final void inDoubt(Command<?> command, Throwable failure) {
        if (Unclaimed.mayHaveRun(failure)) {
            unclaimed().unheard(command, failure);
        }
    }

    /** What takes replies for which no caller waits any more. */
    abstract Unclaimed unclaimed();
}
