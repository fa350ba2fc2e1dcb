package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Sends commands of callers that do not wait over the shared connection to one server. */
final class ServerAsyncClient extends AsyncClient {
    private final SharedConnection connection;
    private final BlockingCalls blocking;
    private final RedisClient client;
    private final RedisOptions options;
    /** Is notified of commands that may have changed a key, before their futures are done. May be null. */
    private final Consumer<Command<?>> written;

    ServerAsyncClient(SharedConnection connection, BlockingCalls blocking, RedisClient client,
            Consumer<Command<?>> written) {
        this.connection = connection;
        this.blocking = blocking;
        this.client = client;
        this.options = client.options();
        this.written = written;
    }

    @Override
    public <T> CompletableFuture<T> execute(Command<T> command) {
        SharedCommands.check(command);
        return options.observers == null ? executeNow(command)
            : options.observers.submit(client.operation(command.name(), 1), () -> executeNow(command));
    }

    private <T> CompletableFuture<T> executeNow(Command<T> command) {
        return BlockingCalls.takes(command) ? blocking.execute(command, CallTime.of(command, options))
            : execute(command, false, 0, false);
    }

    @Override
    public <T> CompletableFuture<T> execute(Command<T> command, Duration timeout) {
        SharedCommands.check(command);
        long nanos = RedisOptions.positive(timeout);
        return options.observers == null ? executeNow(command, nanos)
            : options.observers.submit(client.operation(command.name(), 1), () -> executeNow(command, nanos));
    }

    private <T> CompletableFuture<T> executeNow(Command<T> command, long nanos) {
        return BlockingCalls.takes(command) ? blocking.execute(command, CallTime.within(nanos))
            : execute(command, false, nanos, false);
    }

    @Override
    Unclaimed unclaimed() {
        return blocking.unclaimed();
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
