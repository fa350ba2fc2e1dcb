package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.Commands;
import io.samewire.redis.command.KeySlot;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.Reply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Client-side caching on a cluster: what is kept of each node, and dropped when slots or roles change. */
@Timeout(180)
class ClusterCachingTest {
    private static final int KEYS = 12;

    private static ValkeyCluster servers;
    private static RedisCluster plain;
    private RedisCluster cluster;

    @BeforeAll
    static void startServers() {
        servers = new ValkeyCluster();
        plain = RedisCluster.connect(servers.uris());
    }

    @AfterAll
    static void stopServers() {
        plain.close();
        servers.close();
    }

    @BeforeEach
    void start() {
        plain.execute(Server.flushall());
        cluster = caching(ReadFrom.PRIMARY);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static RedisCluster caching(ReadFrom reads) {
        RedisOptions options = RedisOptions.of(servers.uris()[0]).withCache(1_000, 1 << 20);
        return RedisCluster.connect(options, List.of(options.address()), reads);
    }

    private static String key(int number) {
        return "key" + number;
    }

    private String read(String key) {
        return cluster.execute(Strings.get(key)).orElse("none");
    }

    private long hits() {
        return cluster.cacheStatistics().hits();
    }

    private static void move(int slot) {
        int from = servers.primary(slot);
        int to = servers.otherPrimary(from);
        servers.beginMove(slot, from, to);
        servers.moveKeys(slot, from, to);
        servers.endMove(slot, from, to);
    }

    @Test
    void repliesOfAllNodesAreKeptUntilTheirKeysChange() {
        for (int i = 0; i < KEYS; i++) {
            plain.execute(Strings.set(key(i), "1"));
            assertEquals("1", read(key(i)));
            assertEquals("1", read(key(i)));
        }
        assertEquals(KEYS, hits());
        assertEquals(KEYS, cluster.cacheStatistics().entries());
        for (int i = 0; i < KEYS; i++) {
            plain.execute(Strings.set(key(i), "2"));
        }
        Threads.await("invalidated", () -> cluster.cacheStatistics().invalidated() == KEYS);
        for (int i = 0; i < KEYS; i++) {
            assertEquals("2", read(key(i)));
        }
        assertEquals(KEYS, hits());
        assertNull(plain.cacheStatistics());
    }

    @Test
    void theClientReadsWhatItWrote() {
        for (int i = 0; i < 300; i++) {
            String key = key(i % KEYS);
            cluster.execute(Strings.set(key, i + "e"));
            assertEquals(i + "e", read(key));
            cluster.submit(Strings.set(key, i + "s")).join();
            assertEquals(i + "s", read(key));
            ClusterPipeline pipeline = cluster.pipeline();
            pipeline.add(Strings.set(key, i + "p"));
            pipeline.execute();
            assertEquals(i + "p", read(key));
            try (ClusterTransaction work = cluster.transaction()) {
                work.add(Strings.set(key, i + "t"));
                work.exec();
            }
            assertEquals(i + "t", read(key));
        }
    }

    @Test
    void aSlotOnItsWayIsReadWhereItsKeysAre() {
        int slot = KeySlot.of("asked");
        int from = servers.primary(slot);
        int to = servers.otherPrimary(from);
        assertEquals("none", read("asked"));
        servers.beginMove(slot, from, to);
        // ASK: it is made on the node that imports the slot, and the one that had it is not told.
        cluster.execute(Strings.set("asked", "1"));
        assertEquals("1", read("asked"));
        cluster.submit(Strings.set("asked", "2")).join();
        assertEquals("2", read("asked"));
        servers.moveKeys(slot, from, to);
        servers.endMove(slot, from, to);
        assertEquals("2", read("asked"));
    }

    @Test
    void whatWasReadOfASlotIsDroppedWhenItMoves() {
        int slot = KeySlot.of("there");
        plain.execute(Strings.set("there", "1"));
        assertEquals("1", read("there"));
        assertEquals("none", read("{there}absent"));
        assertEquals("none", read("{there}absent"));
        assertEquals(1, hits());
        move(slot);
        plain.execute(Strings.set("there", "2"));
        Threads.await("the key's new value", () -> read("there").equals("2"));
        // By that the client has learned of the move.
        assertTrue(cluster.cacheStatistics().flushes() >= 2, "both nodes' replies stay");
        plain.execute(Strings.set("{there}absent", "made"));
        assertEquals("made", read("{there}absent"));
    }

    @Test
    void aKeyThatWasAbsentWhenItsSlotMovedIsFoundWithoutOtherCalls() {
        int slot = KeySlot.of("lone");
        assertEquals("none", read("lone"));
        assertEquals("none", read("lone"));
        assertEquals(1, hits());
        move(slot);
        plain.execute(Strings.set("lone", "made"));
        // No command of this client leaves for that slot: the reply is in its cache, and its old node tells nothing.
        Threads.await("the key made elsewhere", () -> read("lone").equals("made"));
    }

    @Test
    void nothingOldStaysWhenAReplicaTakesOver() {
        int slot = KeySlot.of(key(0));
        int primary = servers.primary(slot);
        plain.execute(Strings.set(key(0), "1"));
        assertEquals("1", read(key(0)));
        int replica = IntStream.range(0, 6).filter(i -> followed(i).equals(String.valueOf(servers.server(primary)
            .port()))).findFirst().orElseThrow();
        servers.call(replica, "CLUSTER FAILOVER");
        ValkeyCluster.await("the replica is the primary", () -> servers.primary(slot) == replica);
        plain.execute(Strings.set(key(0), "2"));
        Threads.await("the new value", () -> read(key(0)).equals("2"));
        ValkeyCluster.await("everyone knows", servers::isWhole);
    }

    private static String followed(int server) {
        Reply role = servers.call(server, "ROLE");
        return ((Reply.Array) role).elements().get(2).toString();
    }

    @Test
    void aLostConnectionDropsWhatItsNodeHadSent() {
        for (int i = 0; i < KEYS; i++) {
            read(key(i));
        }
        int before = cluster.cacheStatistics().entries();
        int node = servers.primary(KeySlot.of(key(0)));
        servers.call(node, "CLIENT KILL", "TYPE", "normal", "SKIPME", "yes");
        Threads.await("flushed", () -> cluster.cacheStatistics().flushes() == 1);
        assertTrue(cluster.cacheStatistics().entries() < before, "entries of the lost connection stay");
        assertTrue(cluster.cacheStatistics().entries() > 0, "entries of other nodes are gone");
        plain.execute(Strings.set(key(0), "2"));
        assertEquals("2", read(key(0)));
    }

    @Test
    void nothingGoesBackInTimeWhileSlotsMove() {
        AtomicLongArray written = new AtomicLongArray(KEYS);
        AtomicBoolean stop = new AtomicBoolean();
        Threads.Work write = () -> {
            for (long i = 1; !stop.get(); i++) {
                int key = (int) (i % KEYS);
                plain.execute(Strings.set(key(key), String.valueOf(i)));
                written.set(key, i);
            }
        };
        Threads.Work read = () -> {
            long[] last = new long[KEYS];
            for (int i = 0; !stop.get(); i++) {
                int key = i / 3 % KEYS;
                long found = cluster.execute(Strings.get(key(key))).map(Long::parseLong).orElse(0L);
                assertTrue(found >= last[key], "went back from " + last[key] + " to " + found);
                last[key] = found;
            }
        };
        Threads.Work moves = () -> {
            try {
                for (int i = 0; i < 5; i++) {
                    long before = hits();
                    move(KeySlot.of(key(i)));
                    Threads.await("reads go on", () -> hits() > before + 20);
                }
            } finally {
                stop.set(true);
            }
        };
        Threads.together(List.of(write, read, moves));
        for (int key = 0; key < KEYS; key++) {
            String last = String.valueOf(written.get(key));
            String name = key(key);
            Threads.await("the last value", () -> read(name).equals(last));
        }
    }

    @Test
    void replicasThatAreReadTellOfChanges() {
        try (RedisCluster reading = caching(ReadFrom.REPLICAS)) {
            plain.execute(Strings.set("copied", "1"));
            Threads.await("the replica has it", () -> reading.execute(Strings.get("copied")).isPresent());
            assertEquals(Optional.of("1"), reading.execute(Strings.get("copied")));
            assertTrue(reading.cacheStatistics().hits() > 0, "nothing was kept");
            plain.execute(Strings.set("copied", "2"));
            Threads.await("the replica's change", () -> reading.execute(Strings.get("copied")).orElseThrow()
                .equals("2"));
            reading.execute(Commands.of("SET", "copied", "3"));
            Threads.await("the own change", () -> reading.execute(Strings.get("copied")).orElseThrow().equals("3"));
        }
    }
}
