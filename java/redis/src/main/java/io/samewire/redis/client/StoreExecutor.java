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
        return client instanceof RedisCluster cluster ? cluster.submit(command)
            : ((RedisClient) client).async().execute(command);
    }

    /** How a command comes into a pipeline. */
    private interface Adding {
        <T> Result<T> add(Command<T> command);
    }

    @Override
    public <T> List<T> executeAll(List<? extends Command<? extends T>> commands) {
        if (client instanceof RedisCluster cluster) {
            ClusterPipeline pipeline = cluster.pipeline();
            return executeAll(commands, pipeline::add, pipeline::execute);
        }
        Pipeline pipeline = ((RedisClient) client).pipeline();
        return executeAll(commands, pipeline::add, pipeline::execute);
    }

    private static <T> List<T> executeAll(List<? extends Command<? extends T>> commands, Adding pipeline,
            Runnable execution) {
        List<Result<? extends T>> results = new ArrayList<>(commands.size());
        commands.forEach(command -> results.add(pipeline.add(command)));
        execution.run();
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
        MessageListener payloads = message -> listener.accept(message.payload().toByteArray());
        if (client instanceof RedisCluster cluster) {
            ClusterSubscriber subscriber = cluster.subscriber(payloads);
            return confirmed(sharded ? subscriber::ssubscribe : subscriber::subscribe, channel, subscriber::close);
        }
        Subscriber subscriber = ((RedisClient) client).subscriber(payloads);
        return confirmed(sharded ? subscriber::ssubscribe : subscriber::subscribe, channel, subscriber::close);
    }

    private static Subscription confirmed(Consumer<CharSequence> subscribe, CharSequence channel, Subscription open) {
        try {
            subscribe.accept(channel);
            return open;
        } catch (RuntimeException refused) {
            open.close();
            throw refused;
        }
    }
}
