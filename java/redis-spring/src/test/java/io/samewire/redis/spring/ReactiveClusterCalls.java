package io.samewire.redis.spring;

import static io.samewire.redis.spring.ReactiveOperations.b;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.ReactiveRedisClusterConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.zset.Tuple;
import org.springframework.data.redis.core.ScanOptions;
import reactor.core.publisher.Flux;

/** Reactive calls of a cluster of three primaries with a replica each. */
final class ReactiveClusterCalls {
    private static final Duration WAIT = Duration.ofSeconds(60);

    private ReactiveClusterCalls() { }

    static void check(ReactiveRedisConnectionFactory factory) {
        ReactiveRedisClusterConnection connection = factory.getReactiveClusterConnection();
        connection.serverCommands().flushAll().block(WAIT);
        Flux.range(0, 300).flatMap(i -> connection.stringCommands().set(b("key:" + i), b("v" + i))).blockLast(WAIT);
        assertEquals(300, connection.serverCommands().dbSize().block(WAIT));
        assertEquals(300, connection.keyCommands().keys(b("*")).block(WAIT).size());
        assertEquals(30, connection.keyCommands().scan(ScanOptions.scanOptions().match("key:*1").build()).count()
            .block(WAIT));
        assertEquals(List.of(b("v1"), b("v2")), connection.stringCommands().mGet(List.of(b("key:1"), b("key:2")))
            .block(WAIT));
        assertEquals(2, connection.keyCommands().mDel(List.of(b("key:1"), b("key:2"))).block(WAIT));
        InvalidDataAccessApiUsageException apart = assertThrows(InvalidDataAccessApiUsageException.class,
            () -> connection.setCommands().sInter(List.of(b("s1"), b("s2"))).blockLast(WAIT));
        assertTrue(apart.getMessage().contains("hash tag"), apart.getMessage());
        scans(connection);
        nodes(connection);
        connection.closeLater().block(WAIT);
    }

    /** A scan of one key asks the node that has it. */
    private static void scans(ReactiveRedisClusterConnection connection) {
        List<ByteBuffer> members = Flux.range(0, 1000).map(i -> b("member:" + i)).collectList().block();
        connection.setCommands().sAdd(b("set"), members).block(WAIT);
        connection.zSetCommands().zAdd(b("zset"), members.stream().map(one -> Tuple.of(Buffers.bytes(one), 1.0))
            .toList()).block(WAIT);
        assertEquals(1000, connection.setCommands().sScan(b("set")).distinct().count().block(WAIT));
        assertEquals(1000, connection.zSetCommands().zScan(b("zset")).map(one -> ByteBuffer.wrap(one.getValue()))
            .distinct().count().block(WAIT));
    }

    private static void nodes(ReactiveRedisClusterConnection connection) {
        assertEquals(6, connection.clusterGetNodes().count().block(WAIT));
        assertEquals(3, connection.clusterGetMasterReplicaMap().block(WAIT).size());
        assertEquals("ok", connection.clusterGetClusterInfo().block(WAIT).getState());
        assertEquals(12182, connection.clusterGetSlotForKey(b("foo")).block(WAIT));
        RedisClusterNode node = connection.clusterGetNodeForKey(b("foo")).block(WAIT);
        assertEquals(node, connection.clusterGetNodeForSlot(12182).block(WAIT));
        assertEquals(1, connection.clusterGetReplicas(node).count().block(WAIT));
        connection.stringCommands().set(b("foo"), b("bar")).block(WAIT);
        assertEquals(1, connection.clusterCountKeysInSlot(12182).block(WAIT));
        assertEquals(b("foo"), connection.clusterGetKeysInSlot(12182, 10).blockFirst(WAIT));
        assertEquals("PONG", connection.ping(node).block(WAIT));
        assertTrue(connection.keyCommands().keys(node, b("*")).block(WAIT).size() < 300);
        assertTrue(connection.keyCommands().randomKey(node).block(WAIT).hasRemaining());
        assertTrue(connection.serverCommands().dbSize(node).block(WAIT) < 300);
        assertTrue(connection.serverCommands().time(node).block(WAIT) > 1_600_000_000_000L);
        assertTrue(connection.serverCommands().lastSave(node).block(WAIT) > 1_600_000_000_000L);
        assertTrue(connection.serverCommands().lastSave().block(WAIT) > 1_600_000_000_000L);
        // Replicas, too: one is a primary some day.
        assertEquals(6, connection.serverCommands().info("server").block(WAIT).stringPropertyNames().stream()
            .filter(name -> name.endsWith(".tcp_port")).count());
        assertEquals("master", connection.serverCommands().info(node, "replication").block(WAIT).getProperty("role"));
        assertEquals("OK", connection.serverCommands().setConfig("hash-max-listpack-entries", "78").block(WAIT));
        assertEquals(6, connection.serverCommands().getConfig("hash-max-listpack-entries").block(WAIT).values().stream()
            .filter("78"::equals).count());
        assertEquals("OK", connection.serverCommands().setConfig(node, "hash-max-listpack-entries", "79").block(WAIT));
        assertEquals("79", connection.serverCommands().getConfig(node, "hash-max-listpack-entries").block(WAIT)
            .getProperty("hash-max-listpack-entries"));
        assertEquals("OK", connection.serverCommands().resetConfigStats().block(WAIT));
        assertTrue(connection.serverCommands().getClientList().count().block(WAIT) >= 6);
        assertTrue(connection.serverCommands().getClientList(node).count().block(WAIT) >= 1);
        assertEquals("OK", connection.serverCommands().flushAll(node).block(WAIT));
        assertEquals(0, connection.serverCommands().dbSize(node).block(WAIT));
    }
}
