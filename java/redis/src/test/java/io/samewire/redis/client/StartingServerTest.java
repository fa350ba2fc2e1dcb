package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

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
        try (Peer peer = Peer.greeting((connection, read) -> Peer.send(connection, LOADING));
                RedisClient client = client(peer.address(), Duration.ofMillis(200))) {
            assertEquals("LOADING", assertThrows(RedisException.class, () -> client.execute(Strings.incr("n"))).word());
            CompletionException usual = assertThrows(CompletionException.class,
                () -> client.async().execute(Strings.incr("n")).join());
            assertEquals("LOADING", assertInstanceOf(RedisException.class, usual.getCause()).word());
            CompletionException timed = assertThrows(CompletionException.class,
                () -> client.async().execute(Strings.incr("n"), Duration.ofMillis(100)).join());
            assertEquals("LOADING", assertInstanceOf(RedisException.class, timed.getCause()).word());
        }
    }

    @Test
    void whoseTimeIsOverLearnsWhyThereIsNoConnection() {
        Peer peer = Peer.greeting((connection, read) -> Peer.send(connection, ":1\r\n"));
        try (RedisClient client = client(peer.address(), Duration.ofMillis(200))) {
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
}
