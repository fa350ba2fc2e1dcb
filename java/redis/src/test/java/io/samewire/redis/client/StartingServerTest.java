package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is started: it refuses connects first, and commands until it has read its data. */
class StartingServerTest {
    private static final String LOADING = "-LOADING Valkey is loading the dataset in memory\r\n";

    /** A client whose calls have so much time, and the default attempts in shorter pauses. */
    private static RedisClient client(Address address, Duration time) {
        return RedisClient.connect(RedisOptions.of(address).withCommandTimeout(time)
            .withRetry(new Retry(Retry.DEFAULT.attempts(), Duration.ofMillis(1), Duration.ofMillis(2))));
    }

    @Test
    void theDefaultAttemptsTakeAnyUsualTime() {
        long least = 0;
        for (int failures = 1; failures <= Retry.DEFAULT.attempts(); failures++) {
            least += Retry.DEFAULT.pause(failures);
        }
        assertTrue(least > Duration.ofMinutes(5).toNanos());
    }

    @Test
    void manyRefusalsAreWaitedForWhileThereIsTime() {
        AtomicInteger seen = new AtomicInteger();
        try (Peer peer = Peer.greeting((connection, read) -> Peer.send(connection, seen.incrementAndGet() <= 40
                ? LOADING : ":1\r\n")); RedisClient client = client(peer.address(), Duration.ofSeconds(60))) {
            assertEquals(1, client.execute(Strings.incr("n")));
            assertEquals(41, seen.getAndSet(0));
            assertEquals(1, client.async().execute(Strings.incr("n")).join());
            assertEquals(41, seen.getAndSet(0));
            Pipeline pipeline = client.pipeline();
            Result<Long> result = pipeline.add(Strings.incr("n"));
            pipeline.execute();
            assertEquals(1, result.get());
        }
    }

    @Test
    void whoseTimeIsOverLearnsWhatTheServerSaid() {
        // A pause longer than that time: no call is on its way when it is over.
        Retry late = new Retry(Retry.DEFAULT.attempts(), Duration.ofHours(1), Duration.ofHours(1));
        try (Peer peer = Peer.greeting((connection, read) -> Peer.send(connection, LOADING));
                RedisClient client = RedisClient.connect(RedisOptions.of(peer.address()).withRetry(late)
                    .withCommandTimeout(Duration.ofSeconds(2)))) {
            assertEquals("LOADING", assertThrows(RedisException.class, () -> client.execute(Strings.incr("n"))).word());
            CompletionException usual = assertThrows(CompletionException.class,
                () -> client.async().execute(Strings.incr("n")).join());
            assertEquals("LOADING", assertInstanceOf(RedisException.class, usual.getCause()).word());
            CompletionException timed = assertThrows(CompletionException.class,
                () -> client.async().execute(Strings.incr("n"), Duration.ofSeconds(2)).join());
            assertEquals("LOADING", assertInstanceOf(RedisException.class, timed.getCause()).word());
        }
    }

    @Test
    void whoseTimeIsOverLearnsWhyThereIsNoConnection() {
        Peer peer = Peer.greeting((connection, read) -> Peer.send(connection, ":1\r\n"));
        try (RedisClient client = client(peer.address(), Duration.ofSeconds(1))) {
            peer.close();
            CompletionException failed = assertThrows(CompletionException.class,
                () -> client.async().execute(Strings.incr("n")).join());
            ConnectionException why = assertInstanceOf(ConnectionException.class, failed.getCause());
            assertEquals(Code.TIMEOUT, why.code());
            assertFalse(why.mayHaveRun());
            assertTrue(why.getMessage().contains("could not be sent to"), why.getMessage());
            assertTrue(why.getMessage().contains(why.getCause().getMessage()), why.getMessage());
        }
    }

    private static final List<Function<RedisClient, Object>> WAYS = List.of(
        client -> client.execute(Strings.get("n")),
        client -> Call.await(client.async().execute(Strings.get("n"))),
        client -> {
            Pipeline pipeline = client.pipeline();
            Result<Optional<String>> result = pipeline.add(Strings.get("n"));
            pipeline.execute();
            return result.get();
        },
        client -> {
            try (Transaction transaction = client.transaction()) {
                Result<Optional<String>> result = transaction.add(Strings.get("n"));
                assertTrue(transaction.exec().isPresent());
                return result.get();
            }
        });

    /** All ways at once, as they mostly wait. */
    private static void inEachWay(Consumer<Function<RedisClient, Object>> test) {
        CompletableFuture.allOf(WAYS.stream().map(way -> CompletableFuture.runAsync(() -> test.accept(way),
            work -> new Thread(work).start())).toArray(CompletableFuture<?>[]::new)).join();
    }

    private static String wellReply(String read) {
        return read.contains("EXEC") ? "+OK\r\n+QUEUED\r\n*1\r\n$1\r\n1\r\n"
            : read.contains("MULTI") || read.contains("DISCARD") ? "+OK\r\n" : "$1\r\n1\r\n";
    }

    @Test
    @Timeout(120)
    void refusedCommandsAreWaitedForInEachWay() {
        inEachWay(way -> {
            AtomicInteger refusals = new AtomicInteger(16);
            try (Peer peer = Peer.greeting((connection, read) -> Peer.send(connection,
                    refusals.getAndDecrement() > 0 ? LOADING : wellReply(read)));
                    RedisClient client = client(peer.address(), Duration.ofMinutes(5))) {
                assertEquals(Optional.of("1"), way.apply(client));
            }
        });
    }

    @Test
    @Timeout(120)
    void refusedConnectsAreWaitedForInEachWay() {
        inEachWay(way -> {
            AtomicInteger refusals = new AtomicInteger();
            try (Peer peer = Peer.start(connection -> {
                InputStream in = connection.getInputStream();
                byte[] bytes = new byte[10_000];
                if (refusals.getAndDecrement() > 0) {
                    return;
                }
                for (int came = in.read(bytes); came > 0; came = in.read(bytes)) {
                    String read = new String(bytes, 0, came, StandardCharsets.ISO_8859_1);
                    Peer.send(connection, read.contains("HELLO") ? Peer.GREETING : wellReply(read));
                }
            }); RedisClient client = client(peer.address(), Duration.ofMinutes(5))) {
                assertEquals(Optional.of("1"), way.apply(client));
                refusals.set(16);
                drop(peer);
                assertEquals(Optional.of("1"), way.apply(client));
            }
        });
    }

    /** Closes the peer's connections, and waits until the pool does not trust its own any more. */
    private static void drop(Peer peer) {
        peer.drop();
        Pool.sleep(50_000_000);
    }
}
