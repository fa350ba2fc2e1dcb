package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import java.util.function.Consumer;

/** A node of a cluster with its connections. Its client makes one attempt: what follows, the cluster decides. */
final class ClusterNode {
    private static final Command<?> ASKING = Commands.of("ASKING");

    final Address address;
    final RedisClient client;
    /** When it last did not reply, by {@link Deadlines#now}; 0 for never. */
    volatile long failedAt;
    /** Since when it has not been in the map, by {@link Deadlines#now}; 0 while it is. */
    volatile long leftAt;
    /** Whether its client was closed because it has left the cluster. */
    volatile boolean left;

    /** written: is notified of commands that may have changed a key, if there is client-side caching. */
    ClusterNode(Address address, RedisOptions options, Consumer<Command<?>> written) {
        this.address = address;
        this.client = RedisClient.ofNode(options.withAddress(address).withRetry(Retry.NONE)
            .withBreaker(null), options.cacheEntries > 0 ? written : null);
    }

    /** Sends a command within a time; asking: although the slot is still another node's. */
    <T> T execute(Command<T> command, boolean asking, boolean cached, CallTime time) {
        if (!asking) {
            return cached ? client.executeCached(command, time) : client.execute(command, time);
        }
        Queue queue = new Queue(client.writers());
        queue.addUnchecked(ASKING);
        Result<T> result = queue.add(command);
        try {
            client.run(command.name(), queue, queue.isRepeatable(), 0, time);
            return result.get();
        } finally {
            client.wrote(queue);
            queue.clear();
        }
    }

    /** Submits a command to this node without blocking. nanos: its time, or 0 for the default. */
    <T> Call<T> submit(Command<T> command, boolean asking, long nanos, boolean waits) {
        return client.nodeAsync().execute(command, asking, nanos, waits);
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
