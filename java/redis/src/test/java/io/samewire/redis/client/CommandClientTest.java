package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.Strings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** One program with the client of a server, of a cluster, and of the master that sentinels know. */
@Timeout(180)
class CommandClientTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(200);

    @Test
    void aProgramRunsOnAServer() throws Exception {
        try (ValkeyServer server = ValkeyServer.start(); RedisClient client = RedisClient.connect(server.uri())) {
            program(client);
        }
    }

    @Test
    void aProgramRunsOnACluster() throws Exception {
        try (ValkeyCluster servers = new ValkeyCluster(); RedisCluster client = RedisCluster.connect(servers.uris())) {
            program(client);
        }
    }

    @Test
    void aProgramRunsOnTheMasterOfSentinels() throws Exception {
        try (ValkeySentinels servers = new ValkeySentinels();
                RedisSentinel sentinels = RedisSentinel.connect(servers.uris());
                RedisClient client = sentinels.master(ValkeySentinels.SERVICE)) {
            program(client);
        }
    }

    /** All that there is, with the usual time and with a time of its own. Keys share a slot. */
    private static void program(CommandClient client) throws Exception {
        assertTrue(client.toString().contains("127.0.0.1:"), client.toString());
        assertEquals(true, client.execute(Strings.set("{a}1", "1")));
        assertEquals(Optional.of("1"), client.execute(Strings.get("{a}1"), LONG));
        assertEquals(2, client.async().execute(Strings.incr("{a}1")).join());
        assertEquals(3, client.async().execute(Strings.incr("{a}1"), LONG).join());
        Pipeline pipeline = client.pipeline();
        Result<Long> fourth = pipeline.add(Strings.incr("{a}1"));
        assertEquals("a pipeline of 1 commands", pipeline.toString());
        pipeline.execute();
        assertEquals(4, fourth.get());
        Result<Long> fifth = pipeline.add(Strings.incr("{a}1"));
        assertEquals(1, pipeline.execute(LONG).size());
        assertEquals(5, fifth.get());
        try (Transaction work = client.transaction()) {
            work.watch("{a}1");
            work.watch(LONG, "{a}2");
            assertEquals(Optional.of("5"), work.execute(Strings.get("{a}1")));
            assertEquals(Optional.empty(), work.execute(Strings.get("{a}2"), LONG));
            Result<Long> sixth = work.add(Strings.incr("{a}1"));
            assertEquals("a transaction of 1 commands", work.toString());
            assertTrue(work.exec().isPresent());
            assertEquals(6, sixth.get());
            work.watch(LONG, "{a}1");
            assertEquals(7, client.execute(Strings.incr("{a}1")));
            Result<Long> never = work.add(Strings.incr("{a}1"));
            assertTrue(work.exec(LONG).isEmpty());
            assertEquals(false, never.isDone());
        }
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (Subscriber subscriber = client.subscriber(message -> heard.add(message.channel() + message.text()))) {
            subscriber.subscribe("news");
            subscriber.within(LONG).psubscribe("w*");
            subscriber.within(LONG).ssubscribe("{a}shard");
            client.execute(PubSub.publish("news", "!"));
            assertEquals("news!", heard.poll(60, TimeUnit.SECONDS));
            client.execute(PubSub.publish("weather", "?"));
            assertEquals("weather?", heard.poll(60, TimeUnit.SECONDS));
            client.execute(PubSub.spublish("{a}shard", "."));
            assertEquals("{a}shard.", heard.poll(60, TimeUnit.SECONDS));
            subscriber.within(LONG).sunsubscribe("{a}shard");
            subscriber.punsubscribe();
        }
        try (Subscriber subscriber = client.subscriber(message -> heard.add(message.text()), LONG)) {
            subscriber.subscribe("news");
        }
        assertEquals(List.of("{a}1"), client.scan(cursor -> Keys.scan(cursor).match("{a}*")).toList());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
            () -> client.subscriber(message -> { }, Duration.ZERO)).code());
    }

    @Test
    void eachKindOfCallEndsInItsTime() {
        try (Peer peer = silent()) {
            String uri = "redis://" + peer.address();
            try (RedisClient client = RedisClient.connect(uri)) {
                calls(client);
            }
            try (RedisCluster client = RedisCluster.connect(uri)) {
                calls(client);
            }
            try (RedisSentinel sentinels = RedisSentinel.connect(uri);
                    RedisClient client = sentinels.master("orders")) {
                calls(client);
            }
        }
    }

    private static void calls(CommandClient client) {
        late(() -> client.execute(Strings.get("k"), SHORT));
        late(() -> client.async().execute(Strings.get("k"), SHORT).join());
        late(() -> {
            Pipeline pipeline = client.pipeline();
            Result<Optional<String>> result = pipeline.add(Strings.get("k"));
            pipeline.execute(SHORT);
            result.get();
        });
        try (Transaction work = client.transaction()) {
            work.watch(LONG, "k");
            late(() -> work.execute(Strings.get("k"), SHORT));
        }
        try (Transaction work = client.transaction()) {
            late(() -> work.watch(SHORT, "slow"));
        }
        try (Transaction work = client.transaction()) {
            work.add(Strings.get("k"));
            late(() -> work.exec(SHORT));
        }
        try (Subscriber subscriber = client.subscriber(message -> { }, LONG)) {
            late(() -> subscriber.within(SHORT).subscribe("news"));
            late(() -> subscriber.within(SHORT).ssubscribe("news"));
        }
    }

    private static void late(Executable call) {
        RuntimeException late = assertThrows(RuntimeException.class, call);
        SamewireException why = (SamewireException) (late instanceof CompletionException ? late.getCause() : late);
        assertEquals(Code.TIMEOUT, why.code(), why.getMessage());
    }

    /** A peer that is a server, a cluster of one node, and a sentinel; to other commands it says nothing. */
    private static Peer silent() {
        Peer[] self = new Peer[1];
        self[0] = Peer.greeting((connection, read) -> {
            String port = String.valueOf(self[0].port());
            if (read.contains("CLUSTER")) {
                Peer.send(connection, "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n" + bulk("127.0.0.1") + ":" + port + "\r\n");
            } else if (read.contains("SENTINEL")) {
                Peer.send(connection, "*1\r\n%4\r\n" + bulk("name") + bulk("orders") + bulk("ip") + bulk("127.0.0.1")
                    + bulk("port") + bulk(port) + bulk("flags") + bulk("master"));
            } else if (read.contains("ROLE")) {
                Peer.send(connection, "*3\r\n" + bulk("master") + ":0\r\n*0\r\n");
            } else if (read.contains("WATCH") && !read.contains("slow") || read.contains("DISCARD")
                || read.contains("MULTI") && !read.contains("EXEC")) {
                Peer.send(connection, "+OK\r\n");
            }
        });
        return self[0];
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }
}
