package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Commands whose callers do not wait, on one connection that all share: those that are on their way at the same time
 * are written together. Futures are completed on the thread that reads replies, or by the client's executor
 * ({@link RedisOptions#withExecutor}). Without one, what is chained to a future must not wait: {@code join} and
 * {@code get} of a future that is not done throw {@code misuse} there, also of {@code allOf} and other programs'.
 *
 * <p>Calls run in the order in which they were made, with one exception: of those on their way together when a server
 * begins to load data ({@code LOADING}, a replica that gets a whole copy), a refused one may run behind later ones. Who
 * needs the order even then chains one call to the other.
 *
 * <p>Replies are not taken from the client's cache, nor kept in it. Thread-safe. A call that is cancelled before it is
 * written is not sent; afterwards its reply is dropped.
 */
public final class AsyncClient {
    private final SharedConnection connection;
    /** Is told of commands that may have changed a key, before their futures are done. May be null. */
    private final Consumer<Command<?>> written;

    AsyncClient(SharedConnection connection, Consumer<Command<?>> written) {
        this.connection = connection;
        this.written = written;
    }

    /**
     * Sends a command. {@code byte[]} arguments must not be changed until the future is done.
     *
     * @return a future of the reply. It fails with what {@link RedisClient#execute} throws
     * @throws io.samewire.core.SamewireException {@code misuse} if the command changes the connection, or makes it wait
     *     for other clients: those go over {@link RedisClient#execute}, on a virtual thread for instance
     */
    public <T> CompletableFuture<T> execute(Command<T> command) {
        check(command);
        return execute(command, false, 0, false);
    }

    /**
     * Sends a command, whose call has a time of its own instead of {@link RedisOptions#withCommandTimeout}.
     *
     * @return a future of the reply. It fails with what {@link RedisClient#execute} throws
     * @throws io.samewire.core.SamewireException {@code misuse} as {@link #execute(Command)}, and if the time is not
     *     above 0
     */
    public <T> CompletableFuture<T> execute(Command<T> command, Duration timeout) {
        check(command);
        return execute(command, false, RedisOptions.positive(timeout), false);
    }

    private static void check(Command<?> command) {
        SharedCommands.check(command);
        if (command.blockingMillis() >= 0) {
            throw RedisOptions.misuse(command.name() + " would hold up all callers: use RedisClient.execute");
        }
    }

    /**
     * Sends a command.
     *
     * @param asking although its slot is still another node's
     * @param nanos its time, or 0 for the usual one
     * @param waits whether the caller waits for it, or it was accepted before: it is not refused then
     */
    <T> Call<T> execute(Command<T> command, boolean asking, long nanos, boolean waits) {
        Consumer<byte[]> keeper = written == null || command.readOnly() ? null : reply -> written.accept(command);
        return asking ? connection.ask(command, keeper, nanos, waits)
            : connection.execute(command, keeper, nanos, waits);
    }
}
