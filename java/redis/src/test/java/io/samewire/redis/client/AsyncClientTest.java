package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that do not wait, on a real server. */
@Timeout(180)
class AsyncClientTest extends OnOneServer {
    private static AsyncClient async;

    @BeforeAll
    static void share() {
        async = client.async();
    }

    @Test
    void completesWithTypedReplies() throws Exception {
        assertEquals(1L, async.execute(Strings.incr("one")).get());
        assertEquals("1", async.execute(Strings.get("one")).thenApply(text -> text.orElse("none")).get());
    }

    @Test
    void failsWithTheErrorsOfTheBlockingClient() {
        async.execute(Strings.set("word", "w")).join();
        CompletionException failed = assertThrows(CompletionException.class, async.execute(Strings.incr("word"))::join);
        assertInstanceOf(RedisException.class, failed.getCause());
        CompletableFuture<?> unwritable = async.execute(Strings.get("\ud800"));
        assertEquals(Code.BAD_UTF8, ((SamewireException) assertThrows(ExecutionException.class, unwritable::get)
            .getCause()).code());
        assertEquals("w", async.execute(Strings.get("word")).join().orElseThrow());
        assertEquals(java.util.Optional.empty(), async.execute(Lists.blpop(Duration.ofMillis(10), "none")).join());
    }

    @Test
    void aThousandCallersShareOneConnection() throws Exception {
        CountDownLatch done = new CountDownLatch(1_000);
        List<String> wrong = new ArrayList<>();
        for (int caller = 0; caller < 1_000; caller++) {
            chain(caller, 50, done, wrong);
        }
        done.await();
        assertEquals(List.of(), wrong);
        assertEquals(1, client.execute(io.samewire.redis.command.Commands.of("CLIENT LIST")).toString().lines()
            .filter(line -> line.contains("cmd=echo")).count());
    }

    private static void chain(int caller, int left, CountDownLatch done, List<String> wrong) {
        String text = caller + ":" + left;
        async.execute(Connection.echo(text)).whenComplete((reply, failure) -> {
            if (!text.equals(reply)) {
                synchronized (wrong) {
                    wrong.add(text + " got " + reply + ", " + failure);
                }
            }
            if (left == 1) {
                done.countDown();
            } else {
                chain(caller, left - 1, done, wrong);
            }
        });
    }

    @Test
    void cancelledCallsShiftNoReply() {
        Random random = new Random(1);
        AtomicInteger cancelled = new AtomicInteger();
        // Most replies come before the cancellation on a machine that does much else.
        for (int round = 0; round < 10 || cancelled.get() < 1_000; round++) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                calls.add(async.execute(Connection.echo(round + "-" + i)));
                if (random.nextInt(3) == 0) {
                    int victim = random.nextInt(calls.size());
                    if (calls.get(victim).cancel(true)) {
                        cancelled.incrementAndGet();
                    }
                }
            }
            for (int i = 0; i < 1_000; i++) {
                if (!calls.get(i).isCancelled()) {
                    assertEquals(round + "-" + i, calls.get(i).join());
                }
            }
        }
    }

    /** Ways to wait for a call. */
    private static List<Function<CompletableFuture<String>, Object>> waits() {
        return List.of(CompletableFuture::join,
            call -> call.thenApply(String::toUpperCase).join(),
            call -> CompletableFuture.allOf(call, new CompletableFuture<>()).join(),
            call -> CompletableFuture.anyOf(call, new CompletableFuture<>()).join(),
            call -> call.thenCombine(new CompletableFuture<>(), (one, other) -> one).join(),
            call -> get(CompletableFuture.allOf(call)));
    }

    private static Object get(CompletableFuture<?> future) {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Sends a call, and has something done with its reply on the thread that reads it. */
    private static <T> CompletableFuture<T> onReader(Function<String, T> work) {
        server.stall();
        try {
            return async.execute(Connection.echo("a")).thenApply(work);
        } finally {
            server.goOn();
        }
    }

    @Test
    void waitingOnTheReadingThreadIsRefused() throws Exception {
        for (Function<CompletableFuture<String>, Object> wait : waits()) {
            CompletableFuture<Object> refused = onReader(reply -> wait.apply(async.execute(Connection.echo("b"))));
            CompletableFuture<String> other = async.execute(Connection.echo("c"));
            SamewireException misuse = (SamewireException) assertThrows(ExecutionException.class, refused::get)
                .getCause();
            assertEquals(Code.MISUSE, misuse.code());
            assertTrue(misuse.getMessage().contains("RedisOptions.withExecutor"), misuse.getMessage());
            assertEquals("c", other.get());
        }
        RedisOptions own = RedisOptions.of(server.uri()).withExecutor(work -> new Thread(work).start());
        try (RedisClient other = RedisClient.connect(own)) {
            assertEquals("b", other.async().execute(Connection.echo("a"))
                .thenApply(text -> other.async().execute(Connection.echo("b")).join()).get());
        }
    }

    @Test
    void otherThingsMayBeDoneOnTheReadingThread() throws Exception {
        LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
        CompletableFuture<String> taken = onReader(reply -> {
            try {
                return queue.take();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        });
        queue.add("taken");
        assertEquals("taken", taken.get());
        assertEquals("b", onReader(reply -> CompletableFuture.completedFuture("b").join()).get());
        assertEquals(499_500, onReader(reply -> IntStream.range(0, 1_000).parallel().sum()).get());
        assertEquals("b", onReader(reply -> async.execute(Connection.echo("b"))).thenCompose(next -> next).get());
    }
}
