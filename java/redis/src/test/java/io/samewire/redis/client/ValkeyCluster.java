package io.samewire.redis.client;

import io.samewire.redis.command.Cluster;
import io.samewire.redis.command.Commands;
import io.samewire.redis.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A real cluster for tests: three primaries that share the slots evenly, and a replica of each. */
public final class ValkeyCluster implements AutoCloseable {
    private static final int PRIMARIES = 3;

    private final List<ValkeyServer> servers = new ArrayList<>();
    private final List<RedisClient> clients = new ArrayList<>();

    /** Starts the servers, and waits until they are a cluster. */
    public ValkeyCluster() {
        try {
            List<Integer> buses = new ArrayList<>();
            for (int i = 0; i < 2 * PRIMARIES; i++) {
                buses.add(ValkeyServer.freePort());
                servers.add(ValkeyServer.start("--cluster-enabled", "yes", "--cluster-node-timeout", "1500",
                    "--cluster-port", String.valueOf(buses.get(i)), "--cluster-replica-validity-factor", "0",
                    "--cluster-allow-replica-migration", "no", "--repl-diskless-sync-delay", "0"));
                clients.add(RedisClient.create(RedisOptions.of(servers.get(i).uri())
                    .withBreaker(null).withRetry(Retry.NONE)));
            }
            join(buses);
        } catch (RuntimeException | Error failed) {
            close();
            throw failed;
        }
    }

    private void join(List<Integer> buses) {
        for (int i = 0; i < servers.size(); i++) {
            call(i, "CLUSTER SET-CONFIG-EPOCH", String.valueOf(i + 1));
            if (i < PRIMARIES) {
                call(i, "CLUSTER ADDSLOTSRANGE", String.valueOf(i * 16384 / PRIMARIES),
                    String.valueOf((i + 1) * 16384 / PRIMARIES - 1));
            }
            // Everyone meets everyone: news that go round by themselves take seconds.
            for (int j = 0; j < i; j++) {
                call(i, "CLUSTER MEET", "127.0.0.1", String.valueOf(servers.get(j).port()),
                    String.valueOf(buses.get(j)));
            }
        }
        await("everyone knows everyone", () -> clients.stream().allMatch(one -> known(one) == servers.size()));
        for (int i = PRIMARIES; i < servers.size(); i++) {
            String primary = id(i - PRIMARIES);
            int replica = i;
            await("a replica follows", () -> {
                call(replica, "CLUSTER REPLICATE", primary);
                return true;
            });
        }
        await("the cluster is whole", this::isWhole);
    }

    private static long known(RedisClient one) {
        return one.execute(Commands.of(in -> in.readString(), "CLUSTER NODES")).lines()
            .filter(line -> !line.contains("handshake") && !line.contains("noaddr")).count();
    }

    /** Whether every living node knows every slot's primary, and two nodes for each, and these have their data. */
    boolean isWhole() {
        return clients.stream().allMatch(one -> {
            List<Reply> rows = one.execute(Cluster.clusterSlots());
            long slots = 0;
            for (Reply row : rows) {
                List<Reply> parts = ((Reply.Array) row).elements();
                slots += ((Reply.Integer) parts.get(1)).value() - ((Reply.Integer) parts.get(0)).value() + 1;
                if (parts.size() != 4) {
                    return false;
                }
            }
            String replication = one.execute(Commands.of(in -> in.readString(), "INFO", "replication"));
            return slots == 16384 && !replication.contains("master_link_status:down")
                && one.execute(Commands.of(in -> in.readString(), "CLUSTER INFO")).contains("state:ok");
        });
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 30_000_000_000L;
        while (true) {
            try {
                if (condition.getAsBoolean()) {
                    return;
                }
            } catch (io.samewire.core.SamewireException notYet) {
                if (System.nanoTime() > end) {
                    throw notYet;
                }
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("waited too long: " + what);
            }
            Pool.sleep(20_000_000);
        }
    }

    String id(int index) {
        return clients.get(index).execute(Commands.of(in -> in.readString(), "CLUSTER MYID"));
    }

    Reply call(int index, String name, String... words) {
        Reply reply = clients.get(index).execute(Commands.of(name, words));
        if (reply instanceof Reply.Error error) {
            throw error.exception();
        }
        return reply;
    }

    ValkeyServer server(int index) {
        return servers.get(index);
    }

    RedisClient client(int index) {
        return clients.get(index);
    }

    /** The number of the node that is the primary of a slot, as the nodes say. */
    int primary(int slot) {
        return primary(slot, servers.stream().map(ValkeyServer::port).toList());
    }

    /** The number of a slot's primary where the nodes announce {@code ports}, in their order, instead of their own. */
    int primary(int slot, List<Integer> ports) {
        for (Reply row : clients.get(0).execute(Cluster.clusterSlots())) {
            List<Reply> parts = ((Reply.Array) row).elements();
            if (((Reply.Integer) parts.get(0)).value() <= slot && slot <= ((Reply.Integer) parts.get(1)).value()) {
                long port = ((Reply.Integer) ((Reply.Array) parts.get(2)).elements().get(1)).value();
                return ports.indexOf((int) port);
            }
        }
        throw new AssertionError("nobody serves slot " + slot);
    }

    /** The number of another primary than this. */
    int otherPrimary(int primary) {
        for (int slot = 0; slot < 16384; slot += 1000) {
            int other = primary(slot);
            if (other != primary) {
                return other;
            }
        }
        throw new AssertionError("there is one primary");
    }

    /** Begins to move a slot: its node says ASK for keys that are no longer there. */
    void beginMove(int slot, int from, int to) {
        call(to, "CLUSTER SETSLOT", String.valueOf(slot), "IMPORTING", id(from));
        call(from, "CLUSTER SETSLOT", String.valueOf(slot), "MIGRATING", id(to));
    }

    void moveKeys(int slot, int from, int to) {
        while (true) {
            List<String> keys = clients.get(from).execute(Commands.of(
                io.samewire.redis.command.Reading.list(in -> in.readString()), "CLUSTER GETKEYSINSLOT",
                String.valueOf(slot), "10"));
            if (keys.isEmpty()) {
                return;
            }
            for (String key : keys) {
                call(from, "MIGRATE", "127.0.0.1", String.valueOf(servers.get(to).port()), key, "0", "5000");
            }
        }
    }

    void endMove(int slot, int from, int to) {
        String owner = id(to);
        call(to, "CLUSTER SETSLOT", String.valueOf(slot), "NODE", owner);
        call(from, "CLUSTER SETSLOT", String.valueOf(slot), "NODE", owner);
    }

    /** Returns the URIs of its nodes. */
    public String[] uris() {
        return servers.stream().limit(PRIMARIES).map(ValkeyServer::uri).toArray(String[]::new);
    }

    @Override
    public void close() {
        clients.forEach(RedisClient::close);
        servers.forEach(ValkeyServer::close);
    }
}
