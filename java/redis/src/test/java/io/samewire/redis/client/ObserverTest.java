package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.Command;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ObserverTest {
    private static final Command<List<String>> WRONG = Lists.lrange("text", 0, -1);
    private static ValkeyServer server;

    @BeforeAll
    static void startServer() {
        server = ValkeyServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static RedisOptions observed(ValkeyServer of, Observer observer) {
        return RedisOptions.of(of.uri()).withObserver(observer);
    }

    @Test
    void tellsOfCallsAndConnectionsOfBlockingCallers() {
        Events events = new Events();
        RedisOptions options = observed(server, events);
        String at = options.address().toString();
        try (RedisClient client = RedisClient.connect(options)) {
            client.execute(Strings.set("text", "a"));
            assertThrows(RedisException.class, () -> client.execute(WRONG, Duration.ofSeconds(60)));
        }
        assertEquals(List.of("connected " + at, "started SET 1 at " + at, "finished SET", "started LRANGE 1 at " + at,
            "finished LRANGE RedisException", "disconnected " + at), events.taken());
    }

    @Test
    void tellsOfCommandsThatAreSentTogetherAsOneCall() {
        Events events = new Events();
        RedisOptions options = observed(server, events);
        String at = options.address().toString();
        try (RedisClient client = RedisClient.connect(options)) {
            client.execute(Strings.set("text", "a"));
            events.taken();
            Pipeline pipeline = client.pipeline();
            pipeline.add(Strings.get("text"));
            pipeline.add(WRONG);
            pipeline.execute();
            try (Transaction work = client.transaction()) {
                work.add(Strings.get("text"));
                work.add(Strings.get("none"));
                work.exec(Duration.ofSeconds(60));
            }
            assertEquals(List.of("started PIPELINE 2 at " + at, "finished PIPELINE RedisException",
                "started MULTI 2 at " + at, "finished MULTI"), events.taken());
        }
    }

    @Test
    void tellsOfCallsThatDoNotWait() {
        Events events = new Events();
        try (RedisClient client = RedisClient.connect(observed(server, events))) {
            events.taken();
            client.async().execute(Strings.incr("visits")).join();
            String at = client.options().address().toString();
            assertEquals(List.of("started INCR 1 at " + at, "connected " + at, "finished INCR"),
                List.of(events.await(), events.await(), events.await()));
            CompletableFuture<?> pop = client.async().execute(Lists.blpop(Duration.ZERO, "nothing"));
            assertEquals("started BLPOP 1 at " + at, events.await());
            pop.cancel(false);
            assertTrue(List.of("finished BLPOP CancellationException", "connected " + at).contains(events.await()));
        }
    }

    @Test
    void tellsOfLostConnectionsAndOfCommandsThatAreSentAgain() {
        Events events = new Events();
        try (ValkeyServer own = ValkeyServer.start();
                RedisClient client = RedisClient.connect(observed(own, events))) {
            String at = client.options().address().toString();
            own.kill();
            CompletableFuture<?> reply = CompletableFuture.supplyAsync(() -> client.execute(Strings.get("a")));
            List<String> seen = new ArrayList<>();
            while (!seen.contains("repeated GET 1 ConnectionException")) {
                seen.add(events.await());
            }
            own.launch();
            reply.join();
            seen.addAll(events.taken());
            assertEquals(List.of("connected " + at, "started GET 1 at " + at,
                "disconnected " + at + " ConnectionException"), seen.subList(0, 3));
            assertEquals(2, seen.stream().filter(("connected " + at)::equals).count());
            assertEquals("finished GET", seen.get(seen.size() - 1));
        }
    }

    @Test
    void tellsOfAConnectionOfCallersThatDoNotWaitWhichIsLost() {
        Events events = new Events();
        try (ValkeyServer own = ValkeyServer.start();
                RedisClient client = RedisClient.create(observed(own, events))) {
            client.async().execute(Strings.set("a", "1")).join();
            own.stall();
            CompletableFuture<?> reply = client.async().execute(Strings.get("a"));
            own.kill();
            own.launch();
            reply.join();
            String at = client.options().address().toString();
            assertEquals(List.of("started SET 1 at " + at, "connected " + at, "finished SET", "started GET 1 at " + at,
                "disconnected " + at + " ConnectionException", "repeated GET 1 ConnectionException"),
                events.taken().subList(0, 6));
        }
    }

    @Test
    void survivesAnObserverThatThrows() throws InterruptedException {
        Observer broken = new Observer() {
            @Override
            public Object started(Operation operation) {
                throw new IllegalStateException("started");
            }

            @Override
            public void finished(Object token, Operation operation, Duration time, Throwable error) {
                assertNull(token);
                throw new IllegalStateException("finished");
            }
        };
        Events events = new Events();
        List<String> reported = new ArrayList<>();
        try (RedisClient client = RedisClient.create(observed(server, broken).withObserver(events))) {
            Thread caller = new Thread(() -> client.execute(Strings.get("a")));
            caller.setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown.getMessage()));
            caller.start();
            caller.join();
        }
        assertEquals(List.of("started", "finished"), reported);
        assertTrue(events.taken().contains("finished GET"));
    }
}
