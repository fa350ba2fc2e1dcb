package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Strings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for replies is bounded, and what callers do with their futures ends no thread of the client. */
@Timeout(120)
class QueueBoundsTest {
    private static Code refused(CompletableFuture<?> call) {
        assertTrue(call.isCompletedExceptionally());
        SamewireException full = (SamewireException) assertThrows(CompletionException.class, call::join).getCause();
        assertTrue(full.getMessage().contains("withQueue"), full.getMessage());
        return full.code();
    }

    /** As many calls as there is room for, and one more, once, and again when the replies have come. */
    private static void fills(RedisOptions options, ValkeyServer server, String value, int most, Code code) {
        try (RedisClient client = RedisClient.connect(options)) {
            AsyncClient async = client.async();
            for (int round = 0; round < 3; round++) {
                async.execute(Connection.ping()).join();
                server.stall();
                List<CompletableFuture<?>> accepted = new ArrayList<>();
                try {
                    for (int i = 0; i < most; i++) {
                        accepted.add(async.execute(Strings.set("key", value)));
                    }
                    assertEquals(code, refused(async.execute(Strings.set("key", value))));
                    assertEquals(code, refused(async.execute(Strings.set("key", value))));
                } finally {
                    server.goOn();
                }
                accepted.forEach(CompletableFuture::join);
                assertEquals(Optional.of(value), async.execute(Strings.get("key")).join());
            }
        }
    }

    @Test
    void callsAreBounded() {
        try (ValkeyServer server = ValkeyServer.start()) {
            fills(RedisOptions.of(server.uri()).withQueue(50, 1 << 30).withCommandTimeout(Duration.ofSeconds(60)),
                server, "x", 50, Code.LIMIT_ITEMS);
        }
    }

    @Test
    void bytesAreBounded() {
        try (ValkeyServer server = ValkeyServer.start()) {
            // Each takes its arguments and a little more.
            fills(RedisOptions.of(server.uri()).withQueue(1 << 20, 1_050_000)
                .withCommandTimeout(Duration.ofSeconds(60)), server, "x".repeat(100_000), 10, Code.LIMIT_SIZE);
        }
    }

    @Test
    void oneCallAloneIsNeverRefused() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri()).withQueue(1, 1))) {
            for (int i = 0; i < 10; i++) {
                client.async().execute(Strings.set("key", "x".repeat(100_000))).join();
            }
        }
    }

    @Test
    void callsThatFailAreCountedOut() {
        RedisOptions options;
        try (ValkeyServer server = ValkeyServer.start()) {
            options = FaultsTest.once(FaultsTest.address(server)).withQueue(10, 1 << 20);
        }
        try (RedisClient client = RedisClient.create(options)) {
            for (int i = 0; i < 100; i++) {
                ConnectionException lost = (ConnectionException) assertThrows(CompletionException.class,
                    client.async().execute(Connection.ping())::join).getCause();
                assertEquals(Code.CLOSED, lost.code());
            }
        }
        try (Peer cuts = Peer.greeting((connection, read) -> connection.close());
                RedisClient client = RedisClient.create(options.withAddress(cuts.address()))) {
            for (int i = 0; i < 100; i++) {
                CompletableFuture<?> cancelled = client.async().execute(Strings.incr("n"));
                cancelled.cancel(true);
                assertThrows(CompletionException.class, client.async().execute(Strings.incr("n"))::join);
            }
        }
    }

    @Test
    void callersThatWaitAreNotRefused() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri()).withQueue(1, 1)
                    .withCache(100, 1 << 20))) {
            List<Threads.Work> works = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String key = "key" + i;
                works.add(() -> assertTrue(client.execute(Strings.get(key)).isEmpty()));
            }
            Threads.together(works);
        }
    }

    @Test
    void whatACallbackThrowsDoesNotEndTheWatchOverTimes() throws InterruptedException {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        AtomicInteger reported = new AtomicInteger();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> reported.incrementAndGet());
        try (Deadlines deadlines = new Deadlines()) {
            AtomicInteger looked = new AtomicInteger();
            AtomicInteger tries = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(2);
            deadlines.watch((now, most) -> {
                looked.incrementAndGet();
                throw new OutOfMemoryError("of a test");
            });
            deadlines.after(0, () -> {
                throw new IllegalStateException("of a test");
            });
            deadlines.after(1, () -> {
                throw new StackOverflowError("of a test");
            });
            // What there was no memory for is done later.
            deadlines.after(2, () -> {
                if (tries.incrementAndGet() < 3) {
                    throw new OutOfMemoryError("of a test");
                }
                done.countDown();
            });
            deadlines.after(3, done::countDown);
            done.await();
            assertEquals(3, tries.get());
            int seen = looked.get();
            Threads.await("it looks on", () -> looked.get() > seen);
            assertTrue(reported.get() > 2);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void tasksThatAreNotNeededAreForgotten() {
        try (Deadlines deadlines = new Deadlines()) {
            CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
            for (int i = 0; i < 100_000; i++) {
                deadlines.at(Deadlines.now() + 3_600_000_000_000L, done, () -> { });
            }
            assertTrue(deadlines.tasks() < 5_000, deadlines.tasks() + " tasks");
        }
    }

    @Test
    void errorsOfCallersLeaveTheSharedConnectionAsItIs() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient client = RedisClient.connect(RedisOptions.of(server.uri())
                    .withCommandTimeout(Duration.ofMillis(300)).withExecutor(work -> {
                        throw new OutOfMemoryError("of a test");
                    }))) {
            AsyncClient async = client.async();
            for (int i = 0; i < 5; i++) {
                assertEquals("PONG", async.execute(Connection.ping(), Duration.ofSeconds(60)).join());
            }
            server.stall();
            try {
                for (int i = 0; i < 3; i++) {
                    assertThrows(CompletionException.class, async.execute(Connection.ping())::join);
                }
            } finally {
                server.goOn();
            }
            Threads.await("replies", () -> {
                try {
                    return async.execute(Connection.ping()).join().equals("PONG");
                } catch (CompletionException late) {
                    return false;
                }
            });
            assertFalse(client.async().execute(Connection.ping()).isCompletedExceptionally());
        }
    }
}
