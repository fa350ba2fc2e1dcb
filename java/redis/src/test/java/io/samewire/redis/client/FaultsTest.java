package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocking callers when servers and connections break. What was sent, acknowledged and found is counted. */
@Timeout(180)
class FaultsTest {
    private static ValkeyServer server;
    private static RedisClient direct;

    @BeforeAll
    static void start() {
        server = ValkeyServer.start();
        direct = RedisClient.connect(server.uri());
    }

    @AfterAll
    static void stop() {
        direct.close();
        server.close();
    }

    @BeforeEach
    void empty() {
        direct.execute(Server.flushall());
    }

    /** Goes on while a server is started again. */
    static RedisOptions patient(Address address) {
        return RedisOptions.of(address).withRetry(new Retry(60, Duration.ofMillis(10), Duration.ofMillis(100)))
            .withCommandTimeout(Duration.ofSeconds(30));
    }

    static RedisOptions once(Address address) {
        return RedisOptions.of(address).withRetry(Retry.NONE);
    }

    static Address address(ValkeyServer of) {
        return Address.tcp("127.0.0.1", of.port());
    }

    @Test
    void killAndRestartUnderLoadLosesNothingAcknowledged() {
        try (ValkeyServer durable = ValkeyServer.start("--appendonly", "yes", "--appendfsync", "always");
                RedisClient client = RedisClient.connect(patient(address(durable)))) {
            Sent sent = new Sent();
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger reads = new AtomicInteger();
            List<Threads.Work> works = new ArrayList<>();
            works.add(() -> {
                try {
                    for (int i = 0; i < 3 || sent.unknown.isEmpty(); i++) {
                        goesOn(sent, reads);
                        durable.kill();
                        Pool.sleep(50_000_000);
                        durable.launch();
                    }
                    goesOn(sent, reads);
                } finally {
                    stop.set(true);
                }
            });
            for (int name = 0; name < 4; name++) {
                int writer = name;
                works.add(() -> {
                    for (int turn = 0; !stop.get(); turn++) {
                        String token = writer + "-" + turn;
                        sent.send(token, () -> client.execute(Lists.rpush("all", token)));
                    }
                });
            }
            works.add(() -> {
                while (!stop.get()) {
                    String text = "read " + reads.incrementAndGet();
                    assertEquals(text, client.execute(Connection.echo(text)));
                }
            });
            Threads.together(works);
            sent.agrees(client.execute(Lists.lrange("all", 0, -1)));
            assertFalse(sent.unknown.isEmpty());
            assertEquals(client.poolStatistics().connections(), client.poolStatistics().idle());
        }
    }

    /** Waits until more was written and read. */
    static void goesOn(Sent sent, AtomicInteger reads) {
        int written = sent.acknowledged.size();
        int read = reads.get();
        Threads.await("traffic", () -> sent.acknowledged.size() > written + 25 && reads.get() > read + 5);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void cutConnectionsLoseNothingAndRunNothingTwice(long seed) {
        try (CuttingProxy proxy = new CuttingProxy(server.port(), seed, 1_500);
                RedisClient client = RedisClient.create(patient(proxy.address()))) {
            Sent sent = new Sent();
            List<Threads.Work> works = new ArrayList<>();
            for (int name = 0; name < 4; name++) {
                int caller = name;
                works.add(() -> {
                    for (int turn = 0; turn < 60; turn++) {
                        String token = caller + "-" + turn;
                        sent.send(token, () -> client.execute(Lists.rpush("all", token)));
                        // What may be repeated is, and its reply is nobody else's.
                        assertEquals(token, client.execute(Connection.echo(token)));
                        direct.execute(Strings.set("key" + caller, token));
                        assertEquals(token, client.execute(Strings.get("key" + caller)).orElseThrow());
                    }
                });
            }
            Threads.together(works);
            sent.agrees(direct.execute(Lists.lrange("all", 0, -1)));
            assertFalse(sent.acknowledged.isEmpty());
            assertFalse(sent.unknown.isEmpty());
        }
    }

    @Test
    void cutTransactionsRunWholeAndOnceOrSayThatTheyMayHave() {
        try (CuttingProxy proxy = new CuttingProxy(server.port(), 4, 1_200);
                RedisClient client = RedisClient.create(patient(proxy.address()))) {
            Sent sent = new Sent();
            for (int turn = 0; turn < 150; turn++) {
                String token = String.valueOf(turn);
                sent.send(token, () -> {
                    try (Transaction work = client.transaction()) {
                        work.add(Lists.rpush("first", token));
                        work.add(Lists.rpush("second", token));
                        assertTrue(work.exec().isPresent());
                    }
                });
            }
            List<String> first = direct.execute(Lists.lrange("first", 0, -1));
            sent.agrees(first);
            assertEquals(first, direct.execute(Lists.lrange("second", 0, -1)));
            assertFalse(sent.acknowledged.isEmpty());
            assertFalse(sent.unknown.isEmpty());
        }
    }

    @Test
    void watchesOnCutConnectionsCountEachStepOnce() {
        direct.execute(Strings.set("counter", "0"));
        int done = 0;
        int unknown = 0;
        try (CuttingProxy proxy = new CuttingProxy(server.port(), 5, 1_500);
                RedisClient client = RedisClient.create(patient(proxy.address()))) {
            for (int turn = 0; turn < 60; turn++) {
                try (Transaction work = client.transaction()) {
                    work.watch("counter");
                    long now = Long.parseLong(work.execute(Strings.get("counter")).orElseThrow());
                    work.add(Strings.set("counter", String.valueOf(now + 1)));
                    done += work.exec().isPresent() ? 1 : 0;
                } catch (ConnectionException lost) {
                    unknown += lost.mayHaveRun() ? 1 : 0;
                }
            }
        }
        long counted = Long.parseLong(direct.execute(Strings.get("counter")).orElseThrow());
        assertTrue(done <= counted && counted <= done + unknown, done + " " + counted + " " + unknown);
        assertTrue(done > 0);
    }

    @Test
    void blockingCommandsOnCutConnectionsTakeNothingTwice() {
        try (CuttingProxy proxy = new CuttingProxy(server.port(), 7, 1_500);
                RedisClient client = RedisClient.create(patient(proxy.address()))) {
            Set<String> taken = ConcurrentHashMap.newKeySet();
            AtomicInteger twice = new AtomicInteger();
            AtomicInteger unknown = new AtomicInteger();
            AtomicBoolean stop = new AtomicBoolean();
            List<Threads.Work> works = new ArrayList<>();
            for (int taker = 0; taker < 4; taker++) {
                works.add(() -> {
                    while (!stop.get()) {
                        try {
                            client.execute(Lists.blpop(Duration.ofMillis(200), "queue"))
                                .ifPresent(popped -> twice.addAndGet(taken.add(popped.element()) ? 0 : 1));
                        } catch (ConnectionException lost) {
                            unknown.addAndGet(lost.mayHaveRun() ? 1 : 0);
                        }
                    }
                });
            }
            works.add(() -> {
                for (int i = 0; i < 200; i++) {
                    direct.execute(Lists.rpush("queue", String.valueOf(i)));
                }
                Threads.await("all taken", () -> direct.execute(Lists.llen("queue")) == 0);
                Pool.sleep(300_000_000);
                stop.set(true);
            });
            Threads.together(works);
            assertEquals(0, twice.get());
            assertTrue(200 - taken.size() <= unknown.get(), taken.size() + " taken, " + unknown);
        }
    }

    @Test
    void pipelinesThatOnlyReadAreRepeated() {
        direct.execute(Strings.set("key", "value"));
        try (CuttingProxy proxy = new CuttingProxy(server.port(), 6, 3_000);
                RedisClient client = RedisClient.create(patient(proxy.address()))) {
            for (int turn = 0; turn < 30; turn++) {
                Pipeline pipeline = client.pipeline();
                for (int i = 0; i < 20; i++) {
                    pipeline.add(Strings.get("key"));
                }
                pipeline.execute().forEach(result -> assertEquals("Optional[value]", result.get().toString()));
            }
        }
    }

    @Test
    void aPipelineThatWritesIsSentOnce() {
        AtomicInteger received = new AtomicInteger();
        try (Peer peer = Peer.greeting((connection, read) -> {
            received.incrementAndGet();
            Peer.send(connection, ":1\r\n");
            connection.close();
        }); RedisClient client = RedisClient.connect(patient(peer.address()))) {
            Pipeline pipeline = client.pipeline();
            Result<Long> first = pipeline.add(Strings.incr("n"));
            Result<Long> second = pipeline.add(Strings.incr("n"));
            ConnectionException lost = assertThrows(ConnectionException.class, pipeline::execute);
            assertTrue(lost.mayHaveRun());
            assertEquals(1, received.get());
            assertEquals(1, first.get());
            assertFalse(second.isDone());
        }
    }

    @Test
    void aCommandThatMayHaveRunIsSentOnce() {
        AtomicInteger received = new AtomicInteger();
        try (Peer peer = Peer.greeting((connection, read) -> {
            received.incrementAndGet();
            connection.close();
        }); RedisClient client = RedisClient.connect(patient(peer.address())
                .withRetry(new Retry(5, Duration.ZERO, Duration.ZERO)))) {
            ConnectionException lost = assertThrows(ConnectionException.class, () -> client.execute(Strings.incr("n")));
            assertEquals(Code.CLOSED, lost.code());
            assertTrue(lost.mayHaveRun());
            assertEquals(1, received.get());
            lost = assertThrows(ConnectionException.class, () -> client.execute(Strings.get("n")));
            assertTrue(lost.mayHaveRun());
            assertEquals(1 + 6, received.get());
        }
    }

    @Test
    void aHalfClosedConnectionIsLost() {
        AtomicInteger seen = new AtomicInteger();
        try (Peer peer = Peer.greeting((connection, read) -> {
            if (seen.incrementAndGet() > 3) {
                Peer.send(connection, "$5\r\nvalue\r\n");
            } else {
                connection.shutdownOutput();
            }
        }); RedisClient client = RedisClient.connect(patient(peer.address()))) {
            ConnectionException lost = assertThrows(ConnectionException.class, () -> client.execute(Strings.incr("n")));
            assertTrue(lost.getMessage().contains("closed the connection"), lost.getMessage());
            assertTrue(lost.mayHaveRun());
            assertEquals(1, seen.get());
            assertEquals("value", client.execute(Strings.get("key")).orElseThrow());
            assertEquals(4, seen.get());
        }
    }

    @Test
    void aStalledServerIsATimeoutAndItsLateReplyIsNobodys() {
        try (ValkeyServer stalled = ValkeyServer.start();
                RedisClient client = RedisClient.connect(once(address(stalled))
                    .withCommandTimeout(Duration.ofSeconds(1)).withConnectTimeout(Duration.ofSeconds(1)))) {
            Duration enough = Duration.ofSeconds(60);
            client.execute(Strings.set("key", "value"), enough);
            stalled.stall();
            try {
                ConnectionException late = assertThrows(ConnectionException.class,
                    () -> client.execute(Strings.incr("counter")));
                assertEquals(Code.TIMEOUT, late.code());
                assertTrue(late.mayHaveRun());
                late = assertThrows(ConnectionException.class, () -> client.execute(Strings.get("key")));
                assertEquals(Code.TIMEOUT, late.code());
            } finally {
                stalled.goOn();
            }
            // Now the connection is made in the time of the call.
            assertEquals("value", client.execute(Strings.get("key"), enough).orElseThrow());
            assertEquals("mine", client.execute(Connection.echo("mine"), enough));
            assertEquals("1", client.execute(Strings.get("counter"), enough).orElseThrow());
        }
    }

    @Test
    void aWriteThatTheServerDoesNotTakeIsATimeout() {
        try (ValkeyServer stalled = ValkeyServer.start();
                RedisClient client = RedisClient.connect(once(address(stalled))
                    .withCommandTimeout(Duration.ofSeconds(3)))) {
            String large = "x".repeat(50_000_000);
            stalled.stall();
            try {
                ConnectionException late = assertThrows(ConnectionException.class,
                    () -> client.execute(Strings.set("large", large)));
                assertEquals(Code.TIMEOUT, late.code());
                assertTrue(late.mayHaveRun());
            } finally {
                stalled.goOn();
            }
            assertTrue(client.execute(Strings.get("large"), Duration.ofSeconds(30)).isEmpty());
        }
    }

    private static void awaitBlocked(int count) {
        Threads.await(count + " callers wait", () -> direct.execute(Commands.of(in -> in.readString(), "INFO",
            "clients")).lines().anyMatch(line -> line.equals("blocked_clients:" + count)));
    }

    @Test
    void anInterruptedCallLeavesNoReplyBehind() throws InterruptedException {
        try (RedisClient client = RedisClient.connect(once(address(server)))) {
            for (int turn = 0; turn < 5; turn++) {
                int number = turn;
                List<ConnectionException> seen = new ArrayList<>();
                Thread caller = new Thread(() -> {
                    seen.add(assertThrows(ConnectionException.class,
                        () -> client.execute(Lists.blpop(Duration.ofSeconds(20), "none" + number))));
                    assertTrue(Thread.interrupted());
                });
                awaitBlocked(0);
                caller.start();
                awaitBlocked(1);
                caller.interrupt();
                caller.join();
                assertEquals(Code.CLOSED, seen.get(0).code());
                assertTrue(seen.get(0).mayHaveRun());
                assertEquals("echo " + turn, client.execute(Connection.echo("echo " + turn)));
            }
            assertEquals(client.poolStatistics().connections(), client.poolStatistics().idle());
        }
    }

    @Test
    void aLoadingServerIsWaitedForEvenByWhatMayNotRunTwice() {
        AtomicInteger seen = new AtomicInteger();
        try (Peer peer = Peer.greeting((connection, read) -> Peer.send(connection, seen.incrementAndGet() <= 3
                ? "-LOADING Valkey is loading the dataset in memory\r\n" : ":1\r\n"));
                RedisClient client = RedisClient.connect(patient(peer.address()));
                RedisClient once = RedisClient.connect(once(peer.address()))) {
            assertEquals(1, client.execute(Strings.incr("n")));
            assertEquals(4, seen.getAndSet(0));
            Pipeline pipeline = client.pipeline();
            Result<Long> result = pipeline.add(Strings.incr("n"));
            pipeline.execute();
            assertEquals(1, result.get());
            assertEquals(4, seen.getAndSet(0));
            assertEquals(1, client.async().execute(Strings.incr("n")).join());
            assertEquals(4, seen.getAndSet(0));
            assertEquals("LOADING", assertThrows(RedisException.class, () -> once.execute(Strings.incr("n"))).word());
            assertEquals(1, seen.get());
        }
    }

    @Test
    void aFullServerRefusesAndGoesOn() {
        try (ValkeyServer full = ValkeyServer.start(); RedisClient client = RedisClient.connect(full.uri())) {
            client.execute(Strings.set("key", "value"));
            client.execute(Commands.of("CONFIG SET", "maxmemory", "1"));
            assertEquals("OOM", assertThrows(RedisException.class,
                () -> client.execute(Strings.set("other", "value"))).word());
            try (Transaction work = client.transaction()) {
                work.add(Strings.set("other", "value"));
                assertEquals("OOM", assertThrows(RedisException.class, work::exec).word());
            }
            assertEquals("value", client.execute(Strings.get("key")).orElseThrow());
            assertEquals(1, client.poolStatistics().connections());
        }
    }
}
