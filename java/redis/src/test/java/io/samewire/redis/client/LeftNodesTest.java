package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.KeySlot;
import io.samewire.redis.command.Strings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster whose only node has a new address each time that it starts, as in containers. */
@Timeout(180)
class LeftNodesTest {
    private static final int TIMES = 3;

    private final AtomicReference<Peer> now = new AtomicReference<>();
    private final Deque<Peer> peers = new ArrayDeque<>();
    /** What the node that has the slots waits for before it replies. */
    private volatile CompletableFuture<Void> go = CompletableFuture.completedFuture(null);

    private Peer node() {
        AtomicReference<Peer> self = new AtomicReference<>();
        Peer made = Peer.greeting((connection, read) -> {
            Peer serving = now.get();
            if (read.contains("CLUSTER")) {
                Peer.send(connection, "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + serving.port()
                    + "\r\n");
            } else if (serving == self.get()) {
                go.join();
                Peer.send(connection, read.contains("CLIENT") ? "+OK\r\n" : "$1\r\n1\r\n");
            } else {
                Peer.send(connection, "-MOVED " + KeySlot.of("n") + " 127.0.0.1:" + serving.port() + "\r\n");
            }
        });
        self.set(made);
        peers.add(made);
        return made;
    }

    /** The slots are another node's; the former one is gone, if it does not say where they are. */
    private void move(boolean gone) {
        Peer former = now.getAndSet(node());
        if (gone) {
            former.close();
        }
    }

    private RedisCluster connect() {
        Peer seed = node();
        now.set(node());
        RedisOptions options = FaultsTest.patient(seed.address());
        RedisCluster cluster = RedisCluster.connect(options, List.of(seed.address()), ReadFrom.PRIMARY);
        cluster.topology().closesAfter = 0;
        return cluster;
    }

    @AfterEach
    void close() {
        go.complete(null);
        peers.forEach(Peer::close);
    }

    private static void call(RedisCluster cluster) {
        assertEquals(Optional.of("1"), cluster.execute(Strings.get("n")));
        assertEquals(Optional.of("1"), cluster.submit(Strings.get("n")).join());
    }

    /** The seed, and the node that serves. */
    private static void awaitTwo(RedisCluster cluster) {
        Threads.await("two nodes", () -> {
            cluster.topology().refresh(cluster.topology().round());
            return cluster.topology().size() == 2;
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theirClientsAreClosed(boolean gone) {
        try (RedisCluster cluster = connect()) {
            call(cluster);
            for (int i = 0; i < TIMES; i++) {
                move(gone);
                call(cluster);
            }
            awaitTwo(cluster);
            // What they did is still counted.
            assertTrue(cluster.poolStatistics().opened() > TIMES, cluster.poolStatistics()::toString);
            call(cluster);
        }
    }

    @Test
    void aCallOnItsWayIsNotCut() {
        try (RedisCluster cluster = connect()) {
            call(cluster);
            CompletableFuture<Void> held = new CompletableFuture<>();
            go = held;
            CompletableFuture<Optional<String>> shared = cluster.submit(Strings.get("n"));
            CompletableFuture<Optional<String>> own = CompletableFuture.supplyAsync(
                () -> cluster.execute(Strings.get("n")));
            Threads.await("both are on their way", () -> !shared.isDone()
                && cluster.poolStatistics().idle() < cluster.poolStatistics().connections());
            now.set(node());
            for (int i = 0; i < 3; i++) {
                cluster.topology().refresh(cluster.topology().round());
            }
            assertEquals(3, cluster.topology().size());
            held.complete(null);
            assertEquals(Optional.of("1"), shared.join());
            assertEquals(Optional.of("1"), own.join());
            awaitTwo(cluster);
        }
    }
}
