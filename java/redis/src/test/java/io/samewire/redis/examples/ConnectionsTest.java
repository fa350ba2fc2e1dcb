package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.Address;
import io.samewire.redis.client.ClusterPipeline;
import io.samewire.redis.client.Credentials;
import io.samewire.redis.client.NodeRole;
import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.RedisCluster;
import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.Result;
import io.samewire.redis.client.Retry;
import io.samewire.redis.client.Script;
import io.samewire.redis.client.TlsProxy;
import io.samewire.redis.client.ValkeyCluster;
import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.command.Acl;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Reading;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guides' ways to connect: URIs, users, pools, TLS, client-side caching and clusters. */
class ConnectionsTest extends OnOneServer {
    /** A typed value. */
    record Book(String name, int year) { }

    @Test
    void connectsByUri() {
        try (RedisClient other = RedisClient.connect(server.uri())) {
            assertEquals("PONG", other.execute(Connection.ping()));
        }
        try (RedisClient other = RedisClient.connect("redis://127.0.0.1:" + server.port() + "/1?client_name=desk")) {
            assertEquals(Optional.of("desk"), other.execute(Connection.clientGetname()));
            other.execute(Strings.set("here", "x"));
        }
        assertEquals(Optional.empty(), run(Strings.get("here")));
    }

    @Test
    void setsTimesAndConnections() {
        RedisOptions options = RedisOptions.of(Address.tcp("127.0.0.1", server.port())).withConnections(8)
            .withConnectTimeout(Duration.ofSeconds(2)).withCommandTimeout(Duration.ofSeconds(2)).withRetry(Retry.NONE);
        try (RedisClient other = RedisClient.connect(options)) {
            assertEquals("PONG", other.execute(Connection.ping()));
            assertEquals("PONG", other.execute(Connection.ping(), Duration.ofSeconds(2)));
            assertEquals(1, other.poolStatistics().idle());
        }
    }

    @Test
    void connectsAsAUser() {
        run(Acl.aclSetuser("clerk", "on", ">secret", "+get", "+ping", "+hello", "~*"));
        RedisOptions options = RedisOptions.of(server.uri()).withCredentials("clerk", "secret");
        try (RedisClient clerk = RedisClient.connect(options)) {
            assertEquals(Optional.empty(), clerk.execute(Strings.get("book")));
            RedisException refused = assertThrows(RedisException.class, () -> clerk.execute(Strings.set("book", "x")));
            assertEquals("NOPERM", refused.word());
        }
        assertThrows(RedisException.class, () -> RedisClient.connect(options.withCredentials("clerk", "wrong")));
        try (RedisClient clerk = RedisClient.connect(RedisOptions.of(server.uri())
                .withCredentials(() -> new Credentials("clerk", "secret")))) {
            assertEquals(Optional.empty(), clerk.execute(Strings.get("book")));
        }
        run(Acl.aclDeluser("clerk"));
    }

    @Test
    void connectsThroughTls(@TempDir Path folder) throws Exception {
        try (TlsProxy proxy = new TlsProxy(server.port(), folder)) {
            RedisOptions options = RedisOptions.of("rediss://localhost:" + proxy.port()).withTls(proxy.trusting());
            try (RedisClient other = RedisClient.connect(options)) {
                other.execute(Strings.set("secret", "x"));
                assertEquals("x", other.execute(Strings.get("secret")).orElseThrow());
            }
        }
    }

    @Test
    void cachesOnTheClientsSide() {
        run(Strings.set("book:1", "It"));
        try (RedisClient caching = RedisClient.connect(RedisOptions.of(server.uri()).withCache(1_000, 1 << 20))) {
            for (int turn = 0; turn < 10; turn++) {
                assertEquals("It", caching.execute(Strings.get("book:1")).orElseThrow());
            }
            assertEquals(9, caching.cacheStatistics().hits());
            run(Strings.set("book:1", "Cujo"));
            long end = System.nanoTime() + 60_000_000_000L;
            while (!caching.execute(Strings.get("book:1")).orElseThrow().equals("Cujo")) {
                assertTrue(System.nanoTime() < end, "the cache keeps what was changed");
            }
        }
    }

    @Test
    void connectsToAUnixSocket() {
        try (ValkeyServer local = ValkeyServer.startUnix(); RedisClient other = RedisClient.connect(local.uri())) {
            assertEquals("PONG", other.execute(Connection.ping()));
        }
    }

    @Test
    void connectsToACluster() {
        try (ValkeyCluster servers = new ValkeyCluster(); RedisCluster cluster = RedisCluster.connect(servers.uris())) {
            cluster.execute(Strings.mset(Map.of("a", "1", "b", "2", "c", "3")));
            assertEquals(List.of(Optional.of("1"), Optional.of("3")), cluster.execute(Strings.mget("a", "c")));
            ClusterPipeline pipeline = cluster.pipeline();
            List<Result<Long>> counts = IntStream.range(0, 20)
                .mapToObj(number -> pipeline.add(Strings.incr("count:" + number))).toList();
            pipeline.execute();
            assertEquals(20, counts.stream().mapToLong(Result::get).sum());
            assertEquals("3", cluster.submit(Strings.get("c")).join().orElseThrow());
            assertEquals(3, cluster.executeOn(NodeRole.PRIMARY, Connection.ping()).size());
            Script<Long> add = Script.of("return redis.call('INCRBY', KEYS[1], ARGV[1])", Reading.LONG);
            assertEquals(5, add.run(cluster, List.of("sum"), "5"));
            assertEquals(7, add.run(cluster, List.of("sum"), "2"));
            Store<Book> books = cluster.typed(Book.class).store("book:");
            books.put("1", new Book("It", 1986));
            assertEquals(1986, books.get("1").orElseThrow().year());
        }
    }
}
