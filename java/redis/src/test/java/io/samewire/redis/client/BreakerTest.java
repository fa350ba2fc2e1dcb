package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The circuit breaker, which there is only where it was asked for, and clients that have none. */
@Timeout(120)
class BreakerTest {
    private static final long SECOND = 1_000_000_000L;
    /** Waits longer for each attempt than a restart takes, and for many. */
    private static final Retry PATIENT = new Retry(200, Duration.ofMillis(10), Duration.ofMillis(200));

    @Test
    void itOpensAfterATimeNotAfterFailures() {
        Breaker breaker = new Breaker(SECOND);
        for (int i = 0; i < 10_000; i++) {
            breaker.failed(10, 20 + i);
        }
        assertEquals(0, breaker.refuses(30_000));
        breaker.failed(SECOND, SECOND + 10);
        long left = breaker.refuses(SECOND + 10);
        assertTrue(left >= SECOND / 2 && left < SECOND * 3 / 2, "open for " + left);
        // Then one caller may try, and the others go on waiting.
        assertEquals(0, breaker.refuses(SECOND + 10 + left));
        assertTrue(breaker.refuses(SECOND + 10 + left) > 0);
        breaker.succeeded();
        assertEquals(0, breaker.refuses(SECOND + 10 + left));
        breaker.failed(3 * SECOND, 3 * SECOND);
        assertEquals(0, breaker.refuses(3 * SECOND));
    }

    @Test
    void withoutOneEachCallerTries() {
        Breaker none = new Breaker(0);
        for (long now = 0; now < 1_000 * SECOND; now += SECOND) {
            none.failed(now, now);
            assertEquals(0, none.refuses(now));
        }
    }

    @Test
    void aRestartIsNoErrorForCallersWhoRead() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri())
                    .withCommandTimeout(Duration.ofSeconds(60)))) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger reads = new AtomicInteger();
            List<Threads.Work> works = new ArrayList<>();
            for (int name = 0; name < 64; name++) {
                boolean shared = name % 4 == 0;
                works.add(() -> {
                    while (!stop.get()) {
                        assertTrue((shared ? client.async().execute(Strings.get("key")).join()
                            : client.execute(Strings.get("key"))).isEmpty());
                        reads.incrementAndGet();
                    }
                });
            }
            works.add(() -> {
                try {
                    Threads.await("traffic", () -> reads.get() > 1_000);
                    server.kill();
                    Pool.sleep(300_000_000);
                    server.launch();
                    int before = reads.get();
                    Threads.await("traffic again", () -> reads.get() > before + 1_000);
                } finally {
                    stop.set(true);
                }
            });
            Threads.together(works);
        }
    }

    @Test
    void anOpenBreakerHasCallersWaitWhileAttemptsAreLeft() {
        try (ValkeyServer gone = ValkeyServer.start();
                RedisClient client = RedisClient.create(RedisOptions.of(FaultsTest.address(gone))
                    .withBreaker(Duration.ofMillis(1)).withRetry(PATIENT).withCommandTimeout(Duration.ofSeconds(60)))) {
            gone.kill();
            AtomicInteger ended = new AtomicInteger();
            List<Threads.Work> works = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                works.add(() -> {
                    assertTrue(client.execute(Strings.get("key")).isEmpty());
                    ended.incrementAndGet();
                });
            }
            works.add(() -> assertTrue(client.async().execute(Strings.get("key")).join().isEmpty()));
            works.add(() -> {
                Pool.sleep(500_000_000);
                assertEquals(0, ended.get());
                gone.launch();
            });
            Threads.together(works);
        }
    }

    @Test
    void anOpenBreakerFailsCallersWithoutFurtherAttempts() {
        AtomicInteger connects = new AtomicInteger();
        try (Peer peer = Peer.start(connection -> connects.incrementAndGet());
                RedisClient client = RedisClient.create(FaultsTest.once(peer.address())
                    .withBreaker(Duration.ofNanos(1)))) {
            String text = "";
            int calls = 0;
            while (!text.contains("circuit breaker")) {
                calls++;
                ConnectionException lost = assertThrows(ConnectionException.class,
                    () -> client.execute(Strings.get("key")));
                assertEquals(Code.CLOSED, lost.code());
                assertFalse(lost.mayHaveRun());
                text = lost.getMessage();
                assertTrue(calls < 1_000, text);
            }
            assertTrue(connects.get() < calls, connects + " connects");
        }
    }

    @Test
    void aServerThatRefusesAClientIsNotOutOfReach() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.create(FaultsTest.once(FaultsTest.address(server))
                    .withCredentials("nobody", "wrong").withBreaker(Duration.ofNanos(1)))) {
            for (int i = 0; i < 5; i++) {
                assertEquals("WRONGPASS", assertThrows(RedisException.class,
                    () -> client.execute(Strings.get("key"))).word());
            }
        }
        try (Peer full = Peer.start(connection -> {
            connection.getInputStream().read(new byte[1_000]);
            Peer.send(connection, "-ERR max number of clients reached\r\n");
        }); RedisClient client = RedisClient.create(FaultsTest.once(full.address()).withBreaker(Duration.ofNanos(1)))) {
            for (int i = 0; i < 5; i++) {
                String text = assertThrows(ConnectionException.class, () -> client.execute(Strings.get("key")))
                    .getMessage();
                assertTrue(text.contains("refuses another client"), text);
            }
        }
    }

    @Test
    void callersThatAreInterruptedLeaveItClosed() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.create(RedisOptions.of(FaultsTest.address(server))
                    .withBreaker(Duration.ofNanos(1)))) {
            for (int i = 0; i < 60; i++) {
                Thread.currentThread().interrupt();
                assertThrows(ConnectionException.class, () -> client.execute(Connection.ping()));
                assertTrue(Thread.interrupted());
            }
            assertEquals("PONG", client.execute(Connection.ping()));
        }
    }

    @Test
    void aSubscriberComesBack() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri())
                    .withBreaker(Duration.ofMillis(1)).withRetry(new Retry(1, Duration.ofMillis(1),
                        Duration.ofMillis(1))))) {
            AtomicInteger restored = new AtomicInteger();
            AtomicInteger heard = new AtomicInteger();
            for (int i = 0; i < 6; i++) {
                client.subscriber(new MessageListener() {
                    @Override
                    public void message(Message message) {
                        heard.incrementAndGet();
                    }

                    @Override
                    public void restored() {
                        restored.incrementAndGet();
                    }
                }).subscribe("news");
            }
            server.kill();
            Pool.sleep(500_000_000);
            server.launch();
            Threads.await("all are back", () -> restored.get() == 6);
            try (RedisClient other = RedisClient.connect(server.uri())) {
                assertEquals(6, other.execute(io.samewire.redis.command.PubSub.publish("news", "x")));
            }
            Threads.await("all hear", () -> heard.get() == 6);
        }
    }
}
