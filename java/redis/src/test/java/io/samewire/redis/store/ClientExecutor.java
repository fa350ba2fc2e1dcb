package io.samewire.redis.store;

import io.samewire.redis.client.Pipeline;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.Result;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.ScanPage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** A client for typed values of tests, which have a clock of their own. */
record ClientExecutor(RedisClient client) implements CommandExecutor {
    @Override
    public <T> T execute(Command<T> command) {
        return client.execute(command);
    }

    @Override
    public <T> CompletableFuture<T> submit(Command<T> command) {
        return client.async().execute(command);
    }

    @Override
    public <T> List<T> executeAll(List<? extends Command<? extends T>> commands) {
        Pipeline pipeline = client.pipeline();
        List<Result<? extends T>> results = commands.stream().<Result<? extends T>>map(pipeline::add).toList();
        pipeline.execute();
        return results.stream().<T>map(Result::get).toList();
    }

    @Override
    public <T> Stream<T> scan(Function<String, ? extends Command<ScanPage<T>>> page) {
        return client.scan(page);
    }

    @Override
    public boolean mixesSlots() {
        // As on a cluster: single commands that go out together.
        return false;
    }

    @Override
    public Subscription subscribe(CharSequence channel, boolean sharded, Consumer<byte[]> listener) {
        throw new UnsupportedOperationException();
    }
}
