package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Strings;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that says nothing: it is stopped, or a connection to it is dead. */
@Timeout(120)
class SilentServerTest {
    /** What came on each connection but its greeting, as {@code 0 GET}. */
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    /** A peer that greets everybody, and replies 1 on some connections alone. */
    private Peer peer(IntPredicate replies) {
        return Peer.start(connection -> {
            int number = connections.getAndIncrement();
            InputStream in = connection.getInputStream();
            byte[] bytes = new byte[10_000];
            in.read(bytes);
            Peer.send(connection, Peer.GREETING);
            for (int came = in.read(bytes); came > 0; came = in.read(bytes)) {
                String read = new String(bytes, 0, came, StandardCharsets.ISO_8859_1);
                seen.add(number + (read.contains("GET") ? " GET" : " INCR"));
                if (replies.test(number)) {
                    Peer.send(connection, read.contains("GET") ? "$1\r\n1\r\n" : ":1\r\n");
                }
            }
        });
    }

    /** Options of a client whose calls have less time by default. It connects before what has a short one. */
    private static RedisOptions usual(Address address, Duration time) {
        RedisOptions options = RedisOptions.of(address);
        options.commandTimeout = time.toNanos();
        return options;
    }

    private static ConnectionException late(org.junit.jupiter.api.function.Executable call) {
        ConnectionException late = assertThrows(ConnectionException.class, call);
        assertEquals(Code.TIMEOUT, late.code(), late.getMessage());
        assertTrue(late.mayHaveRun(), late.getMessage());
        return late;
    }

    @Test
    void aCallHasAMinuteByDefault() {
        RedisOptions options = RedisOptions.of("redis://localhost");
        long minute = Duration.ofMinutes(1).toNanos();
        CallTime time = CallTime.of(Strings.get("n"), options);
        assertEquals(minute, time.ready() - time.start());
        assertEquals(time.ready(), time.until(Strings.incr("n"), time.start()));
        assertEquals(minute / 2, time.until(Strings.get("n"), time.start()) - time.start());
        CallTime chosen = CallTime.of(Strings.get("n"), options.withCommandTimeout(Duration.ofSeconds(3)));
        assertEquals(chosen.ready(), chosen.until(Strings.get("n"), chosen.start()));
        CallTime once = CallTime.of(Strings.get("n"), options.withRetry(Retry.NONE));
        assertEquals(once.ready(), once.until(Strings.get("n"), once.start()));
    }

    @Test
    void aStoppedServerIsWaitedForInEachWay() {
        Map<Socket, String> waiting = new ConcurrentHashMap<>();
        CountDownLatch all = new CountDownLatch(4);
        try (Peer peer = Peer.greeting((connection, read) -> {
            if (read.contains("INCR")) {
                waiting.put(connection, read.contains("EXEC") ? "+OK\r\n+QUEUED\r\n*1\r\n:1\r\n" : ":1\r\n");
                all.countDown();
            } else {
                Peer.send(connection, "+OK\r\n");
            }
        }); RedisClient client = RedisClient.connect(RedisOptions.of(peer.address()))) {
            Threads.together(List.of(
                () -> assertEquals(1, client.execute(Strings.incr("n"))),
                () -> assertEquals(1, client.async().execute(Strings.incr("n")).join()),
                () -> {
                    Pipeline pipeline = client.pipeline();
                    Result<Long> result = pipeline.add(Strings.incr("n"));
                    pipeline.execute();
                    assertEquals(1, result.get());
                },
                () -> {
                    try (Transaction transaction = client.transaction()) {
                        Result<Long> result = transaction.add(Strings.incr("n"));
                        assertTrue(transaction.exec().isPresent());
                        assertEquals(1, result.get());
                    }
                },
                () -> {
                    all.await();
                    for (Map.Entry<Socket, String> one : waiting.entrySet()) {
                        Peer.send(one.getKey(), one.getValue());
                    }
                }));
        }
    }

    @Test
    void aReadIsSentAgainOnAnotherConnection() {
        try (Peer peer = peer(number -> number > 1);
                RedisClient client = RedisClient.create(usual(peer.address(), Duration.ofSeconds(60)))) {
            List<Connection> dead = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                dead.add(client.borrow(CallTime.within(Duration.ofSeconds(60).toNanos())));
            }
            dead.forEach(client::release);
            CallTime now = CallTime.within(Duration.ofSeconds(60).toNanos());
            long end = now.start() + 20_000_000_000L;
            assertEquals(Optional.of("1"), client.execute(Strings.get("n"), new CallTime(now.start(), end, end, true)));
            // Nor is one tried that has been idle since before the dead one was lent.
            assertEquals(2, seen.size(), seen.toString());
            assertEquals("2 GET", seen.get(1));
        }
    }

    @Test
    void aWriteIsSentOnce() {
        try (Peer peer = peer(number -> false);
                RedisClient client = RedisClient.connect(usual(peer.address(), Duration.ofSeconds(2)))) {
            late(() -> client.execute(Strings.incr("n")));
            assertEquals(List.of("0 INCR"), seen);
        }
    }

    @Test
    void aChosenTimeIsAllForOneReply() {
        try (Peer peer = peer(number -> false);
                RedisClient client = RedisClient.connect(RedisOptions.of(peer.address()))) {
            late(() -> client.execute(Strings.get("n"), Duration.ofSeconds(2)));
            assertEquals(List.of("0 GET"), seen);
        }
        try (Peer peer = peer(number -> false); RedisClient client = RedisClient.connect(
                RedisOptions.of(peer.address()).withCommandTimeout(Duration.ofSeconds(2)))) {
            late(() -> client.execute(Strings.get("n")));
            assertEquals(List.of("0 GET", "1 GET"), seen);
        }
    }

    /** Options of a client whose shared connection is soon in doubt. */
    private static RedisOptions doubting(Address address) {
        RedisOptions options = RedisOptions.of(address);
        options.doubtAfter = 100_000_000L;
        return options;
    }

    @Test
    void aReadOnASharedConnectionIsSentAgainOnceTheServerGreetsAnother() {
        // Connection 1 only asks whether the server is there.
        try (Peer peer = peer(number -> number > 1);
                RedisClient client = RedisClient.create(doubting(peer.address()))) {
            assertEquals(Optional.of("1"), client.async().execute(Strings.get("n")).join());
            assertEquals(List.of("0 GET", "2 GET"), seen);
        }
    }

    @Test
    void aReadOfAClusterLeavesADeadConnectionToItsNode() {
        CompletableFuture<Socket> dead = new CompletableFuture<>();
        Peer[] self = new Peer[1];
        self[0] = Peer.greeting((connection, read) -> {
            if (read.contains("CLUSTER")) {
                Peer.send(connection, "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + self[0].port()
                    + "\r\n");
            } else if (!dead.complete(connection) && dead.join() != connection) {
                Peer.send(connection, "$1\r\n1\r\n");
            }
        });
        RedisOptions options = doubting(self[0].address());
        try (Peer peer = self[0];
                RedisCluster cluster = RedisCluster.connect(options, List.of(peer.address()), ReadFrom.PRIMARY)) {
            assertEquals(Optional.of("1"), cluster.submit(Strings.get("n")).join());
        }
    }

    @Test
    void aWriteOnASharedConnectionHasItsTimeAndTheReadBehindItIsSentAgain() {
        try (Peer peer = peer(number -> number > 1)) {
            RedisOptions options = doubting(peer.address());
            options.commandTimeout = Duration.ofSeconds(3).toNanos();
            try (RedisClient client = RedisClient.create(options)) {
                CompletableFuture<Long> write = client.async().execute(Strings.incr("n"));
                CompletableFuture<Optional<String>> read = client.async().execute(Strings.get("n"),
                    Duration.ofSeconds(100));
                late(() -> {
                    throw assertThrows(CompletionException.class, write::join).getCause();
                });
                assertEquals(Optional.of("1"), read.join());
                // On a new connection one call is on its way until the first reply.
                assertEquals(List.of("0 INCR", "2 GET"), seen);
            }
        }
    }

    @Test
    void aStoppedServerIsWaitedForOnASharedConnection() {
        CompletableFuture<Socket> silent = new CompletableFuture<>();
        try (Peer peer = Peer.start(connection -> {
            int number = connections.getAndIncrement();
            InputStream in = connection.getInputStream();
            byte[] bytes = new byte[10_000];
            in.read(bytes);
            if (number > 0) {
                // The question whether it is there: nothing comes, and it goes on.
                Peer.send(silent.join(), "$1\r\n1\r\n");
                in.read(bytes);
                return;
            }
            Peer.send(connection, Peer.GREETING);
            seen.add("0 " + in.read(bytes));
            silent.complete(connection);
            in.read(bytes);
        }); RedisClient client = RedisClient.create(doubting(peer.address()))) {
            assertEquals(Optional.of("1"), client.async().execute(Strings.get("n")).join());
            assertEquals(1, seen.size(), seen.toString());
        }
    }

    /** A server that is found at one address, and then at another. */
    private static final class Moving implements Locator {
        private volatile Address now;
        private volatile Runnable told = () -> { };

        Moving(Address first) {
            now = first;
        }

        @Override
        public Address find() {
            return now;
        }

        @Override
        public boolean isCurrent(Address server) {
            return server.equals(now);
        }

        @Override
        public void onChange(Runnable listener) {
            told = listener;
        }

        void moveTo(Address other) {
            now = other;
            told.run();
        }
    }

    @Test
    void whoWaitsForAFormerServerLeavesIt() {
        CountDownLatch all = new CountDownLatch(4);
        try (Peer former = Peer.greeting((connection, read) -> {
            if (read.contains("PING")) {
                Peer.send(connection, "+PONG\r\n");
            }
            for (int i = read.split("GET|INCR").length; i > 1; i--) {
                all.countDown();
            }
        }); Peer next = peer(number -> true)) {
            Moving moving = new Moving(former.address());
            RedisOptions options = RedisOptions.of(former.address()).withConnectTimeout(Duration.ofSeconds(1));
            try (RedisClient client = RedisClient.create(options, moving)) {
                // Before the first reply a shared connection has one call on its way.
                client.async().execute(Commands.of("PING")).join();
                Threads.together(List.of(
                    () -> assertEquals(Optional.of("1"), client.execute(Strings.get("n"))),
                    () -> assertEquals(Optional.of("1"), client.async().execute(Strings.get("n")).join()),
                    () -> left(assertThrows(ConnectionException.class, () -> client.execute(Strings.incr("n")))),
                    () -> left((ConnectionException) assertThrows(CompletionException.class,
                        () -> client.async().execute(Strings.incr("n")).join()).getCause()),
                    () -> {
                        all.await();
                        moving.moveTo(next.address());
                    }));
            }
        }
    }

    private static void left(ConnectionException closed) {
        assertEquals(Code.CLOSED, closed.code(), closed.getMessage());
        assertTrue(closed.mayHaveRun(), closed.getMessage());
        assertTrue(closed.getMessage().contains("another server is meant now"), closed.getMessage());
    }

    /** Options of a client whose first connect goes to a peer that says nothing, and has a second. */
    private static RedisOptions reaching(Address address) {
        RedisOptions options = RedisOptions.of(address).withConnectTimeout(Duration.ofSeconds(4));
        options.reachTimeout = Duration.ofSeconds(60).toNanos();
        return options;
    }

    @Test
    void connectingIsTriedAgainIfNothingComes() {
        assertEquals(Duration.ofSeconds(10).toNanos(), RedisOptions.of("redis://localhost").reachTimeout);
        assertEquals(Duration.ofSeconds(1).toNanos(),
            RedisOptions.of("redis://localhost?connect_timeout=1").reachTimeout);
        for (boolean subscribes : List.of(false, true)) {
            AtomicInteger connects = new AtomicInteger();
            try (Peer peer = Peer.start(connection -> {
                InputStream in = connection.getInputStream();
                byte[] bytes = new byte[10_000];
                for (boolean silent = connects.getAndIncrement() == 0; in.read(bytes) > 0;) {
                    if (!silent) {
                        Peer.send(connection, Peer.GREETING);
                    }
                }
            })) {
                RedisOptions options = reaching(peer.address());
                try (RedisClient client = subscribes ? RedisClient.create(options) : RedisClient.connect(options)) {
                    if (subscribes) {
                        client.subscriber(message -> { }).close();
                    }
                }
                assertTrue(connects.get() > 1, connects + " connects");
            }
        }
    }
}
