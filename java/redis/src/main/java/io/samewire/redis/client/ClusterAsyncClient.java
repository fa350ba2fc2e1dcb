package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Sends commands of callers that do not wait to the nodes of a cluster. */
final class ClusterAsyncClient extends AsyncClient {
    private final RedisCluster cluster;

    ClusterAsyncClient(RedisCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public <T> CompletableFuture<T> execute(Command<T> command) {
        return cluster.submit(command);
    }

    @Override
    public <T> CompletableFuture<T> execute(Command<T> command, Duration timeout) {
        return cluster.submit(command, timeout);
    }

    @Override
    Unclaimed unclaimed() {
        return cluster.unclaimed();
    }
}
