package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.Cluster;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.KeySlot;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import io.samewire.redis.resp.RedisException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose nodes are reached through TLS, by a user of its ACL. */
@Timeout(180)
class SecuredClusterTest {
    private static final String[] CLERK = {"clerk", "on", ">secret", "~*", "&*", "+@all", "-flushall"};

    private static ValkeyCluster servers;
    private static final List<TlsProxy> PROXIES = new ArrayList<>();
    private static RedisOptions options;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        servers = new ValkeyCluster();
        for (int i = 0; i < 6; i++) {
            TlsProxy proxy = new TlsProxy(servers.server(i).port(), folder);
            PROXIES.add(proxy);
            servers.call(i, "ACL SETUSER", CLERK);
            servers.call(i, "CONFIG SET", "cluster-announce-hostname", "localhost", "cluster-preferred-endpoint-type",
                "hostname", "cluster-announce-port", String.valueOf(proxy.port()));
        }
        options = RedisOptions.of("rediss://localhost:" + PROXIES.get(0).port())
            .withTls(PROXIES.get(0).trusting()).withCredentials("clerk", "secret");
        for (int i = 0; i < 3; i++) {
            RedisClient node = servers.client(i);
            ValkeyCluster.await("everyone tells the proxies' addresses", () -> PROXIES.stream().limit(3)
                .allMatch(proxy -> node.execute(Cluster.clusterSlots()).toString()
                    .contains("localhost, " + proxy.port())));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        for (TlsProxy proxy : PROXIES) {
            proxy.close();
        }
        servers.close();
    }

    private static RedisCluster connect(RedisOptions by) {
        return RedisCluster.connect(by, List.of(by.address()), ReadFrom.PRIMARY);
    }

    @Test
    void allWaysToTheNodesAreEncryptedAndKnown() {
        ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
        try (RedisCluster cluster = connect(options.withCache(100, 1 << 20));
                ClusterSubscriber subscriber = cluster.subscriber(message -> heard.add(message.payload().text()))) {
            for (Address node : cluster.addresses(NodeRole.PRIMARY)) {
                assertEquals("localhost", node.host());
                assertTrue(PROXIES.stream().anyMatch(proxy -> proxy.port() == node.port()), node::toString);
            }
            assertEquals(List.of("clerk", "clerk", "clerk"), List.copyOf(cluster.executeOn(NodeRole.PRIMARY,
                Commands.of(Text.STRING, "ACL WHOAMI")).values()));
            ClusterPipeline pipeline = cluster.pipeline();
            for (int i = 0; i < 100; i++) {
                String key = "key" + i;
                cluster.execute(Strings.set(key, "a"));
                assertEquals(Optional.of("a"), cluster.execute(Strings.get(key)));
                pipeline.add(Strings.append(key, "b"));
            }
            pipeline.execute().forEach(result -> assertEquals(2L, result.get()));
            assertEquals(Optional.of("ab"), cluster.submit(Strings.get("key7")).join());
            assertEquals(Optional.of("ab"), cluster.execute(Strings.get("key7")));
            try (ClusterTransaction work = cluster.transaction()) {
                work.watch("key7");
                work.add(Strings.append("key7", "c"));
                assertTrue(work.exec().isPresent());
            }
            subscriber.subscribe("news");
            subscriber.ssubscribe("shard");
            cluster.execute(PubSub.publish("news", "n"));
            cluster.execute(PubSub.spublish("shard", "s"));
            Threads.await("both messages", () -> heard.size() == 2);
            for (int i = 0; i < 3; i++) {
                String clients = servers.client(i).execute(Commands.of(in -> in.readString(), "CLIENT LIST"));
                // The test's own; servers that move keys have connections, too.
                long others = clients.lines().filter(line -> line.contains("lib-name=samewire")
                    && line.contains("user=default")).count();
                assertEquals(1, others, clients);
            }
        }
    }

    @Test
    void redirectionsLeadThroughTls() {
        try (RedisCluster cluster = connect(options)) {
            int slot = KeySlot.of("moving");
            int from = servers.primary(slot, PROXIES.stream().map(TlsProxy::port).toList());
            int to = (from + 1) % 3;
            cluster.execute(Strings.set("moving", "1"));
            servers.beginMove(slot, from, to);
            cluster.execute(Strings.set("{moving}new", "2"));
            assertEquals(Optional.of("2"), cluster.submit(Strings.get("{moving}new")).join());
            servers.moveKeys(slot, from, to);
            servers.endMove(slot, from, to);
            assertEquals(Optional.of("1"), cluster.execute(Strings.get("moving")));
            assertEquals(Optional.of("2"), cluster.execute(Strings.get("{moving}new")));
        }
    }

    @Test
    void whatTheUserMayNotDoIsRefused() {
        try (RedisCluster cluster = connect(options)) {
            assertEquals("NOPERM", assertThrows(RedisException.class,
                () -> cluster.execute(Server.flushall())).word());
            assertEquals("PONG", cluster.execute(Connection.ping()));
        }
        ConnectionException wrong = assertThrows(ConnectionException.class,
            () -> connect(options.withCredentials("clerk", "guess")));
        assertTrue(wrong.getMessage().contains("WRONGPASS"), wrong.getMessage());
        ConnectionException stranger = assertThrows(ConnectionException.class, () -> connect(options.withTls(null)));
        assertTrue(stranger.getMessage().contains("PKIX"), stranger.getMessage());
    }
}
