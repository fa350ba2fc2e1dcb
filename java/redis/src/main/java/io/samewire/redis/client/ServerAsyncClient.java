package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Sends commands of callers that do not wait over the shared connection to one server. */
final class ServerAsyncClient extends AsyncClient {
    private final SharedConnection connection;
    /** Is told of commands that may have changed a key, before their futures are done. May be null. */
    private final Consumer<Command<?>> written;

    ServerAsyncClient(SharedConnection connection, Consumer<Command<?>> written) {
        this.connection = connection;
        this.written = written;
    }

    @Override
    public <T> CompletableFuture<T> execute(Command<T> command) {
        check(command);
        return execute(command, false, 0, false);
    }

    @Override
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
