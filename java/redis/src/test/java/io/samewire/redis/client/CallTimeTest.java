package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The time of a call bounds all that it does. Bounds are wide: what took a minute must end sooner than that, on a
 * machine that does much else.
 */
@Timeout(120)
class CallTimeTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final long WIDE = 50_000_000_000L;
    /** Longer than the test may take. */
    private static final Duration LONG = Duration.ofSeconds(100);

    private long start;

    @BeforeEach
    void begin() {
        start = System.nanoTime();
    }

    @AfterEach
    void end() {
        assertTrue(System.nanoTime() - start < WIDE, "calls took " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }

    /** A peer that takes what comes and says nothing. */
    private static Peer silent(AtomicInteger connects) {
        return Peer.start(connection -> {
            connects.incrementAndGet();
            connection.getInputStream().readAllBytes();
        });
    }

    private static ConnectionException late(org.junit.jupiter.api.function.Executable call) {
        ConnectionException late = assertThrows(ConnectionException.class, call);
        assertEquals(Code.TIMEOUT, late.code(), late.getMessage());
        return late;
    }

    private static ConnectionException lateAsync(org.junit.jupiter.api.function.Executable join) {
        ConnectionException late = (ConnectionException) assertThrows(CompletionException.class, join).getCause();
        assertEquals(Code.TIMEOUT, late.code(), late.getMessage());
        return late;
    }

    @Test
    void aTransactionEndsInItsTime() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri()).withCommandTimeout(LONG));
                Transaction watched = client.transaction()) {
            for (int i = 0; i < 2; i++) {
                Transaction work = client.transaction();
                Result<Long> added = work.add(Strings.incr("n"));
                assertEquals(1, work.exec(Duration.ofSeconds(40)).orElseThrow().size());
                assertEquals(i + 1, added.get());
            }
            watched.watch("n");
            server.stall();
            try {
                Transaction work = client.transaction();
                work.add(Strings.incr("n"));
                assertThrows(io.samewire.core.SamewireException.class, () -> work.exec(Duration.ZERO));
                late(() -> work.exec(SHORT));
                watched.add(Strings.incr("n"));
                assertTrue(late(() -> watched.exec(SHORT)).mayHaveRun());
            } finally {
                server.goOn();
            }
        }
    }

    @Test
    void aServerThatStallsEndsACallOnANewConnection() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri()))) {
            client.execute(Connection.ping());
            server.stall();
            try {
                assertTrue(late(() -> client.execute(Strings.incr("n"), SHORT)).mayHaveRun());
                // The connection is gone: the next call makes one, which the server does not greet.
                for (int i = 0; i < 3; i++) {
                    assertFalse(late(() -> client.execute(Connection.ping(), SHORT)).mayHaveRun());
                }
            } finally {
                server.goOn();
            }
        }
    }

    @Test
    void aServerThatDoesNotGreetEndsEveryKindOfCall() {
        AtomicInteger connects = new AtomicInteger();
        try (Peer peer = silent(connects);
                RedisClient client = RedisClient.create(RedisOptions.of(peer.address()).withConnectTimeout(LONG)
                    .withCommandTimeout(SHORT))) {
            late(() -> client.execute(Connection.ping()));
            late(() -> client.execute(Connection.ping(), SHORT));
            lateAsync(client.async().execute(Connection.ping())::join);
            lateAsync(client.async().execute(Connection.ping(), SHORT)::join);
            Pipeline pipeline = client.pipeline();
            pipeline.add(Connection.ping());
            late(pipeline::execute);
            pipeline.add(Connection.ping());
            late(() -> pipeline.execute(SHORT));
            try (Transaction work = client.transaction()) {
                late(() -> work.watch("key"));
                work.add(Strings.incr("key"));
                late(work::exec);
            }
        }
    }

    @Test
    void connectingHasItsOwnTimeInAll() {
        AtomicInteger connects = new AtomicInteger();
        try (Peer peer = silent(connects)) {
            RedisOptions options = RedisOptions.of(peer.address()).withConnectTimeout(SHORT);
            late(() -> RedisClient.connect(options));
            try (RedisClient client = RedisClient.create(options)) {
                late(() -> client.subscriber(message -> { }));
                late(client::monitor);
            }
        }
    }

    @Test
    void attemptsAndTheWaitsBetweenThemAreInIt() {
        AtomicInteger connects = new AtomicInteger();
        // Each connection is closed at once, and attempts would go on for half an hour.
        try (Peer peer = Peer.start(connection -> connects.incrementAndGet());
                RedisClient client = RedisClient.create(RedisOptions.of(peer.address())
                    .withRetry(new Retry(1_000, Duration.ofSeconds(1), Duration.ofSeconds(2))))) {
            assertFalse(late(() -> client.execute(Connection.ping(), Duration.ofSeconds(5))).mayHaveRun());
            Threads.await("attempts", () -> connects.get() > 1);
            lateAsync(client.async().execute(Connection.ping(), Duration.ofMillis(500))::join);
        }
    }

    @Test
    void aFreeConnectionIsWaitedForInIt() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri()).withConnections(1))) {
            io.samewire.redis.client.Connection held = client.borrow(CallTime.within(WIDE));
            ConnectionException late = late(() -> client.execute(Connection.ping(), SHORT));
            assertTrue(late.getMessage().contains("withConnections"), late.getMessage());
            client.release(held);
            assertEquals("PONG", client.execute(Connection.ping()));
        }
    }

    @Test
    void aConnectionThatComesTooLateServesTheNextCall() {
        AtomicInteger connects = new AtomicInteger();
        CompletableFuture<Void> late = new CompletableFuture<>();
        try (Peer peer = Peer.start(connection -> {
            connects.incrementAndGet();
            connection.getInputStream().read(new byte[1_000]);
            late.join();
            Peer.send(connection, Peer.GREETING);
            byte[] bytes = new byte[1_000];
            while (connection.getInputStream().read(bytes) > 0) {
                Peer.send(connection, "+PONG\r\n");
            }
        }); RedisClient client = RedisClient.create(RedisOptions.of(peer.address()).withConnections(1))) {
            late(() -> client.execute(Connection.ping(), SHORT));
            late.complete(null);
            assertEquals("PONG", client.execute(Connection.ping(), Duration.ofSeconds(40)));
            assertEquals(1, connects.get());
        }
    }

    @Test
    void aReplyInPiecesDoesNotBeginItAnew() {
        try (Peer peer = Peer.greeting((connection, read) -> {
            Peer.send(connection, "$1000000\r\n");
            for (int i = 0; i < 2_000; i++) {
                Peer.send(connection, "x");
                Pool.sleep(20_000_000);
            }
        }); RedisClient client = RedisClient.create(RedisOptions.of(peer.address()))) {
            late(() -> client.execute(Strings.get("key"), SHORT));
            late(() -> client.execute(Lists.blpop(Duration.ofMillis(100), "list"), SHORT));
            lateAsync(client.async().execute(Strings.get("key"), SHORT)::join);
        }
    }

    @Test
    void aPipelineWithATimeEndsThoughRepliesComeOneByOne() {
        try (Peer peer = Peer.greeting((connection, read) -> {
            for (int i = 0; i < 1_000; i++) {
                Peer.send(connection, ":1\r\n");
                Pool.sleep(50_000_000);
            }
        }); RedisClient client = RedisClient.create(RedisOptions.of(peer.address()))) {
            Pipeline pipeline = client.pipeline();
            Result<Long> first = pipeline.add(Strings.incr("key"));
            for (int i = 0; i < 999; i++) {
                pipeline.add(Strings.incr("key"));
            }
            assertTrue(late(() -> pipeline.execute(Duration.ofSeconds(6))).mayHaveRun());
            assertEquals(1, first.get());
        }
    }

    @Test
    void callsOnASharedConnectionEndEachInItsTime() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri()).withCommandTimeout(LONG))) {
            AsyncClient async = client.async();
            async.execute(Connection.ping()).join();
            server.stall();
            try {
                var longest = async.execute(Connection.echo("last"), Duration.ofSeconds(90));
                var usual = async.execute(Connection.echo("usual"));
                List.of(300, 100, 200).forEach(millis -> assertTrue(lateAsync(async.execute(Strings.incr("n"),
                    Duration.ofMillis(millis))::join).mayHaveRun()));
                assertFalse(longest.isDone());
                server.goOn();
                assertEquals("last", longest.join());
                assertEquals("usual", usual.join());
                assertEquals("3", async.execute(Strings.get("n")).join().orElseThrow());
            } finally {
                server.goOn();
            }
        }
    }

    @Test
    void aCallBehindOneWithMoreTimeEndsInTheUsualTime() {
        AtomicInteger connects = new AtomicInteger();
        try (Peer peer = silent(connects);
                RedisClient client = RedisClient.create(RedisOptions.of(peer.address()).withConnectTimeout(LONG)
                    .withCommandTimeout(SHORT))) {
            client.async().execute(Connection.ping(), LONG);
            lateAsync(client.async().execute(Connection.ping())::join);
        }
    }

    @Test
    void aPortWithoutTlsIsATimeoutOrAnErrorAndIsNotTriedForLong() {
        AtomicInteger connects = new AtomicInteger();
        try (Peer peer = silent(connects);
                RedisClient client = RedisClient.create(RedisOptions.of(peer.address()).withTls(null))) {
            ConnectionException late = late(() -> client.execute(Connection.ping(), SHORT));
            assertTrue(late.getMessage().contains("TLS"), late.getMessage());
            lateAsync(client.async().execute(Connection.ping(), SHORT)::join);
        }
        AtomicInteger answered = new AtomicInteger();
        try (Peer peer = Peer.start(connection -> {
            answered.incrementAndGet();
            connection.getInputStream().read(new byte[1_000]);
            Peer.send(connection, "-ERR Protocol error: unbalanced quotes in request\r\n");
        }); RedisClient client = RedisClient.create(RedisOptions.of(peer.address()).withTls(null))) {
            ConnectionException refused = assertThrows(ConnectionException.class,
                () -> client.execute(Connection.ping()));
            assertTrue(refused.getMessage().contains("TLS"), refused.getMessage());
            assertEquals(1, answered.get());
        }
    }

    @Test
    void aClusterEndsCallsInTime() {
        AtomicInteger connects = new AtomicInteger();
        // One node has all slots and does not answer commands.
        Peer[] peer = new Peer[1];
        peer[0] = Peer.start(connection -> {
            connects.incrementAndGet();
            byte[] bytes = new byte[10_000];
            connection.getInputStream().read(bytes);
            Peer.send(connection, Peer.GREETING);
            for (int came = connection.getInputStream().read(bytes); came > 0;
                    came = connection.getInputStream().read(bytes)) {
                if (new String(bytes, 0, came, java.nio.charset.StandardCharsets.ISO_8859_1).contains("SLOTS")) {
                    Peer.send(connection, "*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$9\r\n127.0.0.1\r\n:" + peer[0].port()
                        + "\r\n$4\r\nnode\r\n");
                }
            }
        });
        RedisOptions options = RedisOptions.of(peer[0].address()).withCommandTimeout(LONG);
        try (Peer node = peer[0];
                RedisCluster cluster = RedisCluster.connect(options, List.of(node.address()), ReadFrom.PRIMARY)) {
            late(() -> cluster.execute(Strings.get("key"), SHORT));
            assertTrue(late(() -> cluster.execute(Strings.incr("key"), SHORT)).mayHaveRun());
            late(() -> cluster.execute(io.samewire.redis.command.Server.dbsize(), SHORT));
            lateAsync(cluster.submit(Strings.get("key"), SHORT)::join);
            ClusterPipeline pipeline = cluster.pipeline();
            Result<Long> none = pipeline.add(Strings.incr("key"));
            pipeline.execute(SHORT);
            late(none::get);
        }
    }
}
