package io.samewire.redis.client;

import io.samewire.redis.command.Commands;
import io.samewire.redis.resp.Reply;
import java.util.ArrayList;
import java.util.List;

/** A master, a replica and three sentinels that watch them under the name {@code orders}. */
public final class ValkeySentinels implements AutoCloseable {
    /** What they call the service. */
    public static final String SERVICE = "orders";

    final ValkeyServer master = ValkeyServer.start("--repl-diskless-sync-delay", "0");
    final List<ValkeyServer> all = new ArrayList<>(List.of(master));
    final List<ValkeyServer> sentinels = new ArrayList<>();
    ValkeyServer replica;

    /** Starts all, and waits until they know each other. */
    public ValkeySentinels() {
        try {
            replica = ValkeyServer.start("--replicaof", "127.0.0.1 " + master.port(), "--repl-diskless-sync-delay",
                "0");
            all.add(replica);
            ValkeyCluster.await("the replica follows", () -> text(replica, "INFO", "replication")
                .contains("master_link_status:up"));
            for (int i = 0; i < 3; i++) {
                ValkeyServer made = ValkeyServer.startSentinel("sentinel monitor " + SERVICE + " 127.0.0.1 "
                    + master.port() + " 2\nsentinel down-after-milliseconds " + SERVICE + " 500\nsentinel "
                    + "failover-timeout " + SERVICE + " 3000\nsentinel known-replica " + SERVICE + " 127.0.0.1 "
                    + replica.port() + "\n");
                sentinels.add(made);
                all.add(made);
            }
            ValkeyCluster.await("the sentinels know each other", () -> sentinels.stream()
                .allMatch(one -> count(one, "SENTINEL SENTINELS") == 2 && count(one, "SENTINEL REPLICAS") == 1));
        } catch (RuntimeException | Error failed) {
            close();
            throw failed;
        }
    }

    static String text(ValkeyServer server, String name, String... words) {
        try (RedisClient client = RedisClient.create(RedisOptions.of(server.uri()).withRetry(Retry.NONE))) {
            return client.execute(Commands.of(in -> in.readString(), name, words));
        }
    }

    private static int count(ValkeyServer sentinel, String name) {
        try (RedisClient client = RedisClient.create(RedisOptions.of(sentinel.uri()).withRetry(Retry.NONE))) {
            return ((Reply.Array) client.execute(Commands.of(name, SERVICE))).elements().size();
        }
    }

    /** Returns the URIs of the sentinels. */
    public String[] uris() {
        return sentinels.stream().map(ValkeyServer::uri).toArray(String[]::new);
    }

    @Override
    public void close() {
        all.forEach(ValkeyServer::close);
    }
}
