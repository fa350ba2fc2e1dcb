package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that stop being masters while clients have connections to them that go on working. */
@Timeout(60)
class ChangeOfRoleTest {
    /** A sentinel that says what it is told to, and publishes changes. */
    private static final class Sentinel implements AutoCloseable {
        final Peer peer = Peer.greeting(this::reply);
        private final Set<Socket> subscribed = ConcurrentHashMap.newKeySet();
        private volatile int port;
        private volatile int epoch;

        Sentinel(int port, int epoch) {
            this.port = port;
            this.epoch = epoch;
        }

        private void reply(Socket connection, String read) throws IOException {
            if (read.contains("SUBSCRIBE")) {
                subscribed.add(connection);
                Peer.send(connection, ">3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n");
            } else if (read.contains("MASTERS")) {
                Peer.send(connection, "*1\r\n%5\r\n+name\r\n+orders\r\n+ip\r\n+127.0.0.1\r\n+port\r\n+" + port
                    + "\r\n+flags\r\n+master\r\n+config-epoch\r\n+" + epoch + "\r\n");
            } else {
                Peer.send(connection, "-ERR what\r\n");
            }
        }

        /** Has another server be the master, and says so. */
        void change(int to) throws IOException {
            Threads.await("a subscription", () -> !subscribed.isEmpty());
            String text = "orders 127.0.0.1 " + port + " 127.0.0.1 " + to;
            port = to;
            epoch++;
            for (Socket one : subscribed) {
                Peer.send(one, ">3\r\n$7\r\nmessage\r\n$14\r\n+switch-master\r\n$" + text.length() + "\r\n" + text
                    + "\r\n");
            }
        }

        String uri() {
            return "redis://127.0.0.1:" + peer.port();
        }

        @Override
        public void close() {
            peer.close();
        }
    }

    @Test
    void connectionsToAFormerMasterThatStillTakesWritesAreLeft() throws Exception {
        try (ValkeyServer former = ValkeyServer.start(); ValkeyServer next = ValkeyServer.start();
                Sentinel late = new Sentinel(former.port(), 1); Sentinel sentinel = new Sentinel(former.port(), 1);
                RedisSentinel sentinels = RedisSentinel.connect(late.uri(), sentinel.uri());
                RedisClient client = sentinels.master("orders")) {
            CountDownLatch restored = new CountDownLatch(1);
            CountDownLatch heard = new CountDownLatch(1);
            Subscriber subscriber = client.subscriber(new MessageListener() {
                @Override
                public void message(Message message) {
                    heard.countDown();
                }

                @Override
                public void restored() {
                    restored.countDown();
                }
            });
            subscriber.subscribe("news");
            client.execute(Strings.set("a", "1"));
            client.async().execute(Strings.set("a", "1")).join();
            Transaction watched = client.transaction();
            watched.watch("a");
            watched.add(Strings.set("watched", "1"));
            // The first sentinel has not heard of it, and the former master believes to be one.
            sentinel.change(next.port());
            assertTrue(restored.await(30, TimeUnit.SECONDS));
            client.execute(Strings.set("call", "1"));
            client.async().execute(Strings.set("async", "1")).join();
            Pipeline pipeline = client.pipeline();
            pipeline.add(Strings.set("pipeline", "1"));
            pipeline.execute();
            // Nothing is watched any more, so nothing has run.
            assertTrue(watched.exec().isEmpty());
            watched.close();
            try (RedisClient old = RedisClient.connect(former.uri());
                    RedisClient now = RedisClient.connect(next.uri())) {
                assertEquals(3, now.execute(Keys.exists("call", "async", "pipeline")));
                assertEquals(0, old.execute(Keys.exists("call", "async", "pipeline",
                    "watched")));
                assertEquals(1, now.execute(PubSub.publish("news", "1")));
            }
            assertTrue(heard.await(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void aLostSentinelIsAskedForWhatWasMissed() throws Exception {
        try (ValkeyServer former = ValkeyServer.start(); ValkeyServer next = ValkeyServer.start();
                Sentinel sentinel = new Sentinel(former.port(), 1);
                RedisSentinel sentinels = RedisSentinel.connect(sentinel.uri());
                RedisClient client = sentinels.master("orders")) {
            client.execute(Strings.set("a", "1"));
            Threads.await("a subscription", () -> !sentinel.subscribed.isEmpty());
            // It changes while nobody hears of it.
            sentinel.port = next.port();
            sentinel.epoch = 2;
            for (Socket one : sentinel.subscribed) {
                one.close();
            }
            Threads.await("the new master is used", () -> {
                client.execute(Strings.set("b", "1"));
                try (RedisClient now = RedisClient.connect(next.uri())) {
                    return now.execute(Strings.get("b")).isPresent();
                }
            });
        }
    }

    /** A client behind an address of which the first connections lead to a replica, and all later ones to a master. */
    private static final class Moved implements AutoCloseable {
        final ValkeyServer master = ValkeyServer.start();
        final ValkeyServer replica = ValkeyServer.start("--replicaof", "127.0.0.1 " + master.port(),
            "--repl-diskless-sync-delay", "0");
        private final AtomicInteger connections = new AtomicInteger();
        final Peer address = Peer.start(this::carry);

        private void carry(Socket client) throws IOException {
            int port = connections.incrementAndGet() == 1 ? replica.port() : master.port();
            try (Socket server = new Socket("127.0.0.1", port)) {
                Thread back = new Thread(() -> pump(server, client), "back");
                back.setDaemon(true);
                back.start();
                pump(client, server);
            }
        }

        private static void pump(Socket from, Socket to) {
            try (from; to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException over) {
                return;
            }
        }

        RedisClient client() {
            return RedisClient.create(FaultsTest.patient(address.address()));
        }

        List<String> found() {
            try (RedisClient client = RedisClient.connect(master.uri())) {
                return client.execute(Lists.lrange("all", 0, -1));
            }
        }

        @Override
        public void close() {
            address.close();
            replica.close();
            master.close();
        }
    }

    @Test
    void callsRefusedByAReplicaBehindAnAddressGoToWhatIsThereNow() {
        try (Moved moved = new Moved(); RedisClient client = moved.client()) {
            client.execute(Strings.get("a"));
            assertEquals(1, client.execute(Lists.rpush("all", "call")));
            assertEquals(List.of("call"), moved.found());
        }
    }

    @Test
    void pipelinesOfReadsAndRefusedWritesAreRepeatedAsAWhole() {
        try (Moved moved = new Moved(); RedisClient client = moved.client()) {
            client.execute(Strings.get("a"));
            Pipeline pipeline = client.pipeline();
            pipeline.add(Lists.rpush("all", "one"));
            Result<List<String>> all = pipeline.add(Lists.lrange("all", 0, -1));
            pipeline.execute();
            assertEquals(List.of("one"), all.get());
            assertEquals(List.of("one"), moved.found());
        }
    }

    @Test
    void transactionsRefusedByAReplicaBehindAnAddressGoToWhatIsThereNow() {
        try (Moved moved = new Moved(); RedisClient client = moved.client()) {
            client.execute(Strings.get("a"));
            try (Transaction work = client.transaction()) {
                work.add(Lists.rpush("all", "transaction"));
                assertTrue(work.exec().isPresent());
            }
            assertEquals(List.of("transaction"), moved.found());
        }
    }

    @Test
    void watchedTransactionsRefusedByAReplicaSayItOnce() {
        try (Moved moved = new Moved(); RedisClient client = moved.client(); Transaction work = client.transaction()) {
            work.watch("a");
            work.add(Lists.rpush("all", "watched"));
            assertEquals("READONLY", assertThrows(RedisException.class, work::exec).word());
            work.watch("a");
            work.add(Lists.rpush("all", "watched"));
            assertTrue(work.exec().isPresent());
            assertEquals(List.of("watched"), moved.found());
        }
    }

    @Test
    void sharedConnectionsLeaveAReplicaBehindAnAddress() {
        try (Moved moved = new Moved(); RedisClient client = moved.client()) {
            client.async().execute(Strings.get("a")).join();
            assertEquals(1, client.async().execute(Lists.rpush("all", "async")).join());
            assertEquals(List.of("async"), moved.found());
        }
    }

    @Test
    void aReplicaThatStaysOneSaysSoAfterTheAttempts() {
        try (Moved moved = new Moved(); RedisClient client = RedisClient.connect(RedisOptions.of(moved.replica.uri())
                .withRetry(new Retry(2, Duration.ofMillis(1), Duration.ofMillis(1))))) {
            assertEquals("READONLY", assertThrows(RedisException.class,
                () -> client.execute(Strings.set("a", "1"))).word());
            assertEquals(3, client.poolStatistics().lost());
        }
    }

    /** A server that is reading its data when the first commands come. */
    private static Peer loading() {
        AtomicInteger refused = new AtomicInteger();
        return Peer.greeting((connection, read) -> {
            int commands = read.split("\\*\\d+\r\n\\$").length - 1;
            boolean loads = refused.getAndIncrement() < 2;
            StringBuilder replies = new StringBuilder();
            for (int i = 0; i < commands; i++) {
                replies.append(loads ? "-LOADING dataset in memory\r\n" : "+OK\r\n");
            }
            Peer.send(connection, replies.toString());
        });
    }

    @Test
    void commandsBesideAWatchWaitWhileTheServerIsLoading() {
        try (Peer peer = loading(); RedisClient client = RedisClient.create(FaultsTest.patient(peer.address()));
                Transaction work = client.transaction()) {
            work.watch("a");
            assertEquals("OK", work.execute(Commands.of(in -> in.readString(), "PING")));
        }
    }
}
