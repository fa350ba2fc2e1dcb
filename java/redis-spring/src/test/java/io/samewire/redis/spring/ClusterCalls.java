package io.samewire.redis.spring;

import static io.samewire.redis.spring.Operations.b;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.ScanOptions;

/** Calls of a cluster of three primaries with a replica each. */
final class ClusterCalls {
    private ClusterCalls() { }

    static void check(RedisConnectionFactory factory) {
        RedisClusterConnection connection = factory.getClusterConnection();
        connection.serverCommands().flushAll();
        for (int i = 0; i < 300; i++) {
            connection.stringCommands().set(b("key:" + i), b("v" + i));
        }
        assertEquals(300, connection.serverCommands().dbSize());
        assertEquals(300, connection.keyCommands().keys(b("*")).size());
        try (var cursor = factory.getClusterConnection().keyCommands().scan(ScanOptions.scanOptions()
                .match("key:*1").build())) {
            assertEquals(30, cursor.stream().count());
        }
        assertEquals(List.of("v1", "v2"), connection.stringCommands().mGet(b("key:1"), b("key:2")).stream()
            .map(String::new).toList());
        assertEquals(2, connection.keyCommands().del(b("key:1"), b("key:2")));
        InvalidDataAccessApiUsageException apart = assertThrows(InvalidDataAccessApiUsageException.class,
            () -> connection.setCommands().sInter(b("s1"), b("s2")));
        assertTrue(apart.getMessage().contains("hash tag"), apart.getMessage());
        pipelines(connection);
        nodes(connection);
        assertThrows(InvalidDataAccessApiUsageException.class, () -> connection.select(1));
        assertThrows(UnsupportedOperationException.class, connection::getSentinelConnection);
        connection.close();
    }

    private static void pipelines(RedisClusterConnection connection) {
        byte[] reused = b("first");
        connection.openPipeline();
        connection.stringCommands().set(b("{p}1"), reused);
        // The caller's array is its own again.
        reused[0] = 'F';
        connection.stringCommands().get(b("{p}1"));
        connection.stringCommands().incr(b("{q}1"));
        List<Object> replies = connection.closePipeline();
        assertArrayEquals(b("first"), (byte[]) replies.get(1));
        assertEquals(1L, replies.get(2));
        connection.multi();
        connection.stringCommands().incr(b("{q}1"));
        connection.stringCommands().incr(b("{q}2"));
        assertEquals(List.of(2L, 1L), connection.exec());
    }

    private static void nodes(RedisClusterConnection connection) {
        Map<RedisClusterNode, ?> primaries = connection.clusterGetMasterReplicaMap();
        assertEquals(3, primaries.size());
        assertEquals("ok", connection.clusterGetClusterInfo().getState());
        assertEquals(12182, connection.clusterGetSlotForKey(b("foo")));
        RedisClusterNode node = connection.clusterGetNodeForKey(b("foo"));
        assertEquals(1, connection.clusterGetReplicas(node).size());
        connection.stringCommands().set(b("foo"), b("bar"));
        assertEquals(1, connection.clusterCountKeysInSlot(12182));
        assertArrayEquals(b("foo"), connection.clusterGetKeysInSlot(12182, 10).get(0));
        assertEquals("PONG", connection.ping(node));
        assertTrue(connection.keys(node, b("*")).size() < 300);
        assertTrue(connection.randomKey(node).length > 0);
        try (var cursor = connection.scan(node, ScanOptions.NONE)) {
            assertTrue(cursor.stream().count() > 0);
        }
        assertTrue(connection.serverCommands().time(node, TimeUnit.SECONDS) > 1_600_000_000L);
        // Replicas, too: one is a primary some day.
        assertEquals(6, connection.serverCommands().info("server").stringPropertyNames().stream()
            .filter(name -> name.endsWith(".tcp_port")).count());
        connection.openPipeline();
        assertEquals(6, connection.serverCommands().getConfig("maxmemory").size());
        assertEquals(List.of(), connection.closePipeline());
        assertEquals("master", connection.serverCommands().info(node, "replication").getProperty("role"));
        assertTrue(connection.serverCommands().getConfig(node, "maxmemory").containsKey("maxmemory"));
        connection.serverCommands().setConfig("hash-max-listpack-entries", "77");
        assertEquals(6, connection.serverCommands().getConfig("hash-max-listpack-entries").values().stream()
            .filter("77"::equals).count());
        assertTrue(connection.serverCommands().getClientList().size() >= 6);
        assertTrue(connection.serverCommands().dbSize(node) < 300);
    }
}
