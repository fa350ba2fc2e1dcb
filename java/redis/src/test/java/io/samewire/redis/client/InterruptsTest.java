package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that are interrupted while they call: what the client says of a command is what the server has run. */
class InterruptsTest extends OnOneServer {
    private final FailingChannel.Plan plan = new FailingChannel.Plan();

    /** The ways in which a command that must not run twice is sent. */
    enum Way {
        CALL((client, token) -> client.execute(Lists.rpush("all", token))),
        PIPELINE((client, token) -> {
            Pipeline pipeline = client.pipeline();
            pipeline.add(Strings.get("other"));
            Result<Long> pushed = pipeline.add(Lists.rpush("all", token));
            pipeline.execute();
            pushed.get();
        }),
        TRANSACTION((client, token) -> {
            try (Transaction work = client.transaction()) {
                work.add(Lists.rpush("all", token));
                assertTrue(work.exec().isPresent());
            }
        }),
        WATCHED((client, token) -> {
            try (Transaction work = client.transaction()) {
                work.watch("other");
                work.add(Lists.rpush("all", token));
                assertTrue(work.exec().isPresent());
            }
        }),
        ASYNC((client, token) -> {
            CompletableFuture<Long> pushed = client.async().execute(Lists.rpush("all", token));
            while (!pushed.isDone()) {
                Thread.onSpinWait();
            }
            try {
                pushed.join();
            } catch (CompletionException failed) {
                throw (RuntimeException) failed.getCause();
            }
        });

        private interface Push {
            void push(RedisClient client, String token);
        }

        private final Push push;

        Way(Push push) {
            this.push = push;
        }

        /** Pushes an element, and returns once that is over. */
        void send(RedisClient client, String token) {
            push.push(client, token);
        }
    }

    @AfterEach
    void clear() {
        Thread.interrupted();
    }

    private void warmUp(RedisClient of) {
        of.execute(Strings.set("other", "1"));
        of.async().execute(Strings.set("other", "1")).join();
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptAfterTheWriteMayHaveRun(Way way) {
        try (RedisClient own = RedisClient.connect(plan.of(server))) {
            warmUp(own);
            plan.interruptAfterWriteOf("RPUSH");
            ConnectionException stopped = assertThrows(ConnectionException.class, () -> way.send(own, "token"));
            assertTrue(stopped.mayHaveRun());
            Thread.interrupted();
            Threads.await("the server has run it", () -> !run(Lists.lrange("all", 0, -1)).isEmpty());
            way.send(own, "next");
            assertEquals(List.of("token", "next"), run(Lists.lrange("all", 0, -1)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWriteOfWhichNothingWasTakenIsRepeated(Way way) {
        try (RedisClient own = RedisClient.connect(plan.of(server))) {
            warmUp(own);
            plan.breakBeforeWriteOf("RPUSH");
            if (way == Way.WATCHED) {
                // What it watched is gone: it has not run, and says so.
                assertThrows(AssertionError.class, () -> way.send(own, "token"));
            }
            way.send(own, "token");
            assertEquals(List.of("token"), run(Lists.lrange("all", 0, -1)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadInterruptedBeforeItCallsRunsNothing(Way way) {
        try (RedisClient own = RedisClient.connect(plan.of(server))) {
            warmUp(own);
            Thread.currentThread().interrupt();
            if (way == Way.ASYNC) {
                // Another thread writes for it, and the connection stays.
                way.send(own, "token");
                assertTrue(Thread.interrupted());
                assertEquals(List.of("token"), run(Lists.lrange("all", 0, -1)));
                assertEquals(2, plan.channels.get());
                return;
            }
            ConnectionException stopped = assertThrows(ConnectionException.class, () -> way.send(own, "token"));
            assertFalse(stopped.mayHaveRun());
            assertTrue(Thread.interrupted());
            assertEquals(List.of(), run(Lists.lrange("all", 0, -1)));
        }
    }

    @Test
    void afterOneInterruptCallersNoLongerWriteOnTheSharedConnection() {
        try (RedisClient own = RedisClient.connect(plan.of(server))) {
            own.async().execute(Strings.set("other", "1")).join();
            plan.interruptAfterWriteOf("RPUSH");
            assertThrows(ConnectionException.class, () -> Way.ASYNC.send(own, "token"));
            plan.writers.clear();
            // Interrupted all the time: only a write of its own would be.
            for (int i = 0; i < 50; i++) {
                Thread.currentThread().interrupt();
                Way.ASYNC.send(own, "next-" + i);
            }
            Thread.interrupted();
            assertEquals(51, run(Lists.lrange("all", 0, -1)).size());
            Set<String> wrote = Set.copyOf(plan.writers);
            assertTrue(Set.of("samewire-redis-writer", "samewire-redis-reader").containsAll(wrote), wrote.toString());
        }
    }

    @Test
    void interruptsOfTheReadingThreadCloseNothing() {
        try (RedisClient own = RedisClient.connect(plan.of(server))) {
            own.async().execute(Strings.set("other", "1")).join();
            int before = plan.channels.get();
            for (int i = 0; i < 50; i++) {
                // As code does that catches an InterruptedException.
                own.async().execute(Strings.get("other")).thenRun(() -> Thread.currentThread().interrupt());
                assertEquals(i + 1, own.async().execute(Lists.rpush("all", "token-" + i)).join());
            }
            assertEquals(before, plan.channels.get());
        }
    }

    @Test
    void aThreadInterruptedBeforeItSubscribesDisturbsNoSubscription() throws InterruptedException {
        CountDownLatch heard = new CountDownLatch(1);
        AtomicInteger lost = new AtomicInteger();
        MessageListener listener = new MessageListener() {
            @Override
            public void message(Message message) {
                heard.countDown();
            }

            @Override
            public void lost(RuntimeException why) {
                lost.incrementAndGet();
            }
        };
        try (RedisClient own = RedisClient.connect(plan.of(server)); Subscriber subscriber = own.subscriber(listener)) {
            subscriber.subscribe("news");
            Thread.currentThread().interrupt();
            assertFalse(assertThrows(ConnectionException.class, () -> subscriber.subscribe("more")).mayHaveRun());
            Thread.interrupted();
            run(io.samewire.redis.command.PubSub.publish("news", "1"));
            heard.await();
            assertEquals(0, lost.get());
        }
    }

    private static void failsAsMayHaveRun(Consumer<RedisClient> call) {
        // It takes one command and is gone: the attempt after that cannot even connect.
        try (Peer peer = Peer.greeting((connection, read) -> connection.close())) {
            RedisOptions options = RedisOptions.of(peer.address())
                .withRetry(new Retry(2, Duration.ofMillis(1), Duration.ofMillis(1)));
            AtomicInteger dials = new AtomicInteger();
            Locator locator = () -> {
                if (dials.incrementAndGet() > 1) {
                    throw ConnectionException.closed(false, "the server is gone", null);
                }
                return peer.address();
            };
            try (RedisClient own = RedisClient.create(options, locator)) {
                assertTrue(assertThrows(ConnectionException.class, () -> call.accept(own)).mayHaveRun());
            }
        }
    }

    @Test
    void whatMayHaveRunOnceMayHaveRunAfterLaterAttemptsToo() {
        failsAsMayHaveRun(own -> own.execute(Strings.get("key")));
        failsAsMayHaveRun(own -> {
            Pipeline pipeline = own.pipeline();
            pipeline.add(Strings.get("key"));
            pipeline.execute();
        });
        failsAsMayHaveRun(own -> {
            try {
                own.async().execute(Strings.get("key")).join();
            } catch (CompletionException failed) {
                throw (RuntimeException) failed.getCause();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void everyPushOfAnInterruptedThreadIsAccountedFor(Way way) {
        Sent sent = new Sent();
        AtomicInteger left = new AtomicInteger(1_500);
        AtomicInteger interrupts = new AtomicInteger();
        try (RedisClient own = RedisClient.connect(RedisOptions.of(server.uri()))) {
            Thread caller = new Thread(() -> {
                for (int turn = left.get(); turn > 0; turn = left.decrementAndGet()) {
                    String token = way + "-" + turn;
                    Thread.interrupted();
                    try {
                        sent.send(token, () -> way.send(own, token));
                    } catch (AssertionError nothingHasRun) {
                        sent.refused.add(token);
                    }
                }
            });
            caller.start();
            while (left.get() > 0) {
                for (int spin = ThreadLocalRandom.current().nextInt(20_000); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                caller.interrupt();
                interrupts.incrementAndGet();
            }
            Threads.await("the caller has ended", () -> !caller.isAlive());
        }
        // What was given up may still be on its way.
        AtomicInteger before = new AtomicInteger(-1);
        Threads.await("the server has done all", () -> {
            Pool.sleep(50_000_000);
            int now = run(Lists.lrange("all", 0, -1)).size();
            return before.getAndSet(now) == now;
        });
        List<String> found = new ArrayList<>(run(Lists.lrange("all", 0, -1)));
        sent.agrees(found);
        assertEquals(1_500, sent.acknowledged.size() + sent.unknown.size() + sent.refused.size());
        assertTrue(interrupts.get() > 0);
    }
}
