package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * Commands that are sent together by {@link #execute}. Other clients' commands may run between them; for a transaction
 * there is {@link RedisClient#transaction}. Not thread-safe.
 */
public final class Pipeline {
    private final RedisClient client;
    private final Queue queue;

    Pipeline(RedisClient client) {
        this.client = client;
        this.queue = new Queue(client.writers());
    }

    /**
     * Adds a command, which is encoded now.
     *
     * @return where its reply will be
     * @throws io.samewire.core.SamewireException {@code misuse} if it changes the connection, and what is wrong with
     *     its arguments; the pipeline stays as it was
     */
    public <T> Result<T> add(Command<T> command) {
        return queue.add(command);
    }

    /** Returns how many commands wait. */
    public int size() {
        return queue.replies();
    }

    /**
     * Sends the commands, and waits for all replies; the pipeline is empty then. The first reply has the time of a
     * command, {@link RedisOptions#withCommandTimeout}, and each one after it as long again. An error of the server is
     * the result of its command, and thrown by {@link Result#get} alone.
     *
     * @return the results in the order of the commands
     * @throws ConnectionException if the connection was lost, and one of the commands cannot be repeated:
     *     {@link ConnectionException#mayHaveRun()} tells of them as a whole. Results that had come stay
     */
    public List<Result<?>> execute() {
        long nanos = client.nanos(queue.waitMillis());
        return execute(nanos, CallTime.ofBatch(client.options()));
    }

    /**
     * Does the same within a time, which covers all that it does.
     *
     * @throws io.samewire.core.SamewireException as {@link #execute()}; {@code timeout} if the time is over, {@code
     *     misuse} if it is not above 0
     */
    public List<Result<?>> execute(Duration timeout) {
        return execute(0, CallTime.within(RedisOptions.positive(timeout)));
    }

    private List<Result<?>> execute(long nanos, CallTime time) {
        List<Result<?>> results = Collections.unmodifiableList(queue.results());
        try {
            if (!results.isEmpty()) {
                client.run(queue, queue.isRepeatable(), nanos, time);
            }
            return results;
        } finally {
            client.wrote(queue);
            queue.clear();
        }
    }
}
