package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import io.samewire.redis.command.ScanPage;
import io.samewire.redis.store.CommandExecutor;
import io.samewire.redis.store.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** What a client does for its typed values. */
final class StoreExecutor implements CommandExecutor {
    private final CommandClient client;

    StoreExecutor(CommandClient client) {
        this.client = client;
    }

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
        List<Result<? extends T>> results = new ArrayList<>(commands.size());
        commands.forEach(command -> results.add(pipeline.add(command)));
        pipeline.execute();
        List<T> replies = new ArrayList<>(commands.size());
        results.forEach(result -> replies.add(result.get()));
        return replies;
    }

    @Override
    public <T> Stream<T> scan(Function<String, ? extends Command<ScanPage<T>>> page) {
        return client.scan(page);
    }

    @Override
    public boolean mixesSlots() {
        return client instanceof RedisClient;
    }

    @Override
    public Subscription subscribe(CharSequence channel, boolean sharded, Consumer<byte[]> listener) {
        Subscriber subscriber = client.subscriber(message -> listener.accept(message.payload().toByteArray()));
        try {
            if (sharded) {
                subscriber.ssubscribe(channel);
            } else {
                subscriber.subscribe(channel);
            }
            return subscriber::close;
        } catch (RuntimeException refused) {
            subscriber.close();
            throw refused;
        }
    }
}
