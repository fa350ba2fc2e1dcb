package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** A pipeline of one server: commands are encoded as they are added, and go over one connection. */
final class ServerPipeline extends Pipeline {
    private final RedisClient client;
    private final Queue queue;

    ServerPipeline(RedisClient client) {
        this.client = client;
        this.queue = new Queue(client.writers());
    }

    @Override
    public <T> Result<T> add(Command<T> command) {
        return queue.add(command);
    }

    @Override
    public int size() {
        return queue.replies();
    }

    /**
     * Sends the commands. The first reply has the time of a command, {@link RedisOptions#withCommandTimeout}, and each
     * one after it as long again.
     */
    @Override
    public List<Result<?>> execute() {
        long nanos = client.nanos(queue.waitMillis());
        return execute(nanos, CallTime.ofBatch(client.options()));
    }

    @Override
    public List<Result<?>> execute(Duration timeout) {
        return execute(0, CallTime.within(RedisOptions.positive(timeout)));
    }

    private List<Result<?>> execute(long nanos, CallTime time) {
        Observers observers = client.options().observers;
        return observers == null ? executeNow(nanos, time)
            : observers.batch(client.operation("PIPELINE", size()), () -> executeNow(nanos, time));
    }

    private List<Result<?>> executeNow(long nanos, CallTime time) {
        List<Result<?>> results = Collections.unmodifiableList(queue.results());
        try {
            if (!results.isEmpty()) {
                client.run("PIPELINE", queue, queue.isRepeatable(), nanos, time);
            }
            return results;
        } finally {
            client.wrote(queue);
            queue.clear();
        }
    }
}
