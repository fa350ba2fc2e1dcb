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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that do not wait, when servers and connections break. */
@Timeout(180)
class AsyncFaultsTest {
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

    /** A caller that sends a token, and the next one when the reply has come, until it is told to stop. */
    private static CompletableFuture<Void> push(AsyncClient async, Sent sent, String name, int turn,
            AtomicBoolean stop) {
        if (stop.get()) {
            return CompletableFuture.completedFuture(null);
        }
        String token = name + "-" + turn;
        return async.execute(Lists.rpush("all", token)).handleAsync((length, failure) -> {
            if (failure == null) {
                sent.acknowledged.add(token);
            } else {
                sent.failed(token, failure instanceof CompletionException ? failure.getCause() : failure);
            }
            return push(async, sent, name, turn + 1, stop);
        }).thenCompose(next -> next);
    }

    @Test
    void aCallThatFollowsALostOneIsSentAtOnce() {
        RedisOptions options = FaultsTest.once(FaultsTest.address(server));
        try (RedisClient client = RedisClient.create(options)) {
            AsyncClient async = client.async();
            async.execute(Connection.ping()).join();
            direct.execute(Commands.of("CLIENT PAUSE", "60000", "WRITE"));
            CompletableFuture<String> followed = async.execute(Strings.incr("held")).thenApply(String::valueOf)
                .exceptionallyCompose(lost -> async.execute(Connection.echo("followed")));
            Threads.await("held", () -> direct.execute(Commands.of("CLIENT LIST")).toString().contains("cmd=incr"));
            direct.execute(Commands.of("CLIENT KILL", "TYPE", "normal", "SKIPME", "yes"));
            assertEquals("followed", followed.join());
        } finally {
            direct.execute(Commands.of("CLIENT UNPAUSE"));
        }
    }

    @Test
    void aCallThatFollowsOneThatCannotBeWrittenRunsOnce() {
        try (RedisClient client = RedisClient.create(RedisOptions.of(FaultsTest.address(server)))) {
            AsyncClient async = client.async();
            CompletableFuture<Long> followed;
            // The connection is made once both are there.
            server.stall();
            try {
                followed = async.execute(Strings.get("\ud800")).thenApply(none -> 0L)
                    .exceptionallyCompose(unwritable -> async.execute(Strings.incr("once")));
            } finally {
                server.goOn();
            }
            assertEquals(1, followed.join());
            assertEquals(2, async.execute(Strings.incr("once")).join());
        }
    }

    @Test
    void killAndRestartUnderLoadLosesNothingAcknowledged() {
        try (ValkeyServer durable = ValkeyServer.start("--appendonly", "yes", "--appendfsync", "always");
                RedisClient client = RedisClient.connect(FaultsTest.patient(FaultsTest.address(durable)))) {
            Sent sent = new Sent();
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger reads = new AtomicInteger();
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int name = 0; name < 20; name++) {
                writers.add(push(client.async(), sent, "w" + name, 0, stop));
            }
            Threads.together(List.of(
                () -> {
                    while (!stop.get()) {
                        String text = "read " + reads.incrementAndGet();
                        assertEquals(text, client.async().execute(Connection.echo(text)).join());
                    }
                },
                () -> {
                    for (int i = 0; i < 3 || sent.unknown.isEmpty(); i++) {
                        FaultsTest.goesOn(sent, reads);
                        durable.kill();
                        Pool.sleep(50_000_000);
                        durable.launch();
                    }
                    FaultsTest.goesOn(sent, reads);
                    stop.set(true);
                }));
            writers.forEach(CompletableFuture::join);
            sent.agrees(client.execute(Lists.lrange("all", 0, -1)));
            assertFalse(sent.unknown.isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void cutConnectionsLoseNothingAndRunNothingTwice(long seed) {
        try (CuttingProxy proxy = new CuttingProxy(server.port(), seed, 6_000);
                RedisClient client = RedisClient.create(FaultsTest.patient(proxy.address()))) {
            AsyncClient async = client.async();
            Sent sent = new Sent();
            AtomicInteger wrong = new AtomicInteger();
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int turn = 0; turn < 60; turn++) {
                List<CompletableFuture<?>> round = new ArrayList<>();
                for (int name = 0; name < 8; name++) {
                    String token = name + "-" + turn;
                    round.add(async.execute(Lists.rpush("all" + name, token)).handle((length, failure) -> {
                        if (failure == null) {
                            sent.acknowledged.add(token);
                        } else {
                            sent.failed(token, failure);
                        }
                        return null;
                    }));
                    round.add(async.execute(Connection.echo(token)).thenAccept(text ->
                        wrong.addAndGet(text.equals(token) ? 0 : 1)));
                }
                all.addAll(round);
                round.forEach(CompletableFuture::join);
            }
            assertEquals(0, wrong.get());
            List<String> found = new ArrayList<>();
            for (int name = 0; name < 8; name++) {
                List<String> tokens = direct.execute(Lists.lrange("all" + name, 0, -1));
                List<Integer> turns = tokens.stream().map(token -> Integer.valueOf(token.substring(2))).toList();
                assertEquals(turns.stream().sorted().toList(), turns);
                found.addAll(tokens);
            }
            sent.agrees(found);
            assertFalse(sent.unknown.isEmpty());
        }
    }

    @Test
    void tenThousandCancelledCallsShiftNoReplyOnCutConnections() {
        Random random = new Random(1);
        int cancelled = 0;
        try (CuttingProxy proxy = new CuttingProxy(server.port(), 9, 200_000);
                RedisClient client = RedisClient.create(FaultsTest.patient(proxy.address()))) {
            for (int round = 0; round < 20; round++) {
                List<CompletableFuture<String>> calls = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    calls.add(client.async().execute(Connection.echo(round + "-" + i)));
                }
                for (int i = 0; i < 600; i++) {
                    cancelled += calls.get(random.nextInt(1_000)).cancel(true) ? 1 : 0;
                }
                for (int i = 0; i < 1_000; i++) {
                    if (!calls.get(i).isCancelled()) {
                        assertEquals(round + "-" + i, calls.get(i).join());
                    }
                }
            }
        }
        assertTrue(cancelled > 1_000, "cancelled " + cancelled);
    }

    @Test
    void aCallThatIsCancelledBeforeItIsTakenIsNotSent() {
        try (ValkeyServer later = ValkeyServer.start()) {
            later.kill();
            try (RedisClient client = RedisClient.create(FaultsTest.patient(FaultsTest.address(later)))) {
                CompletableFuture<Long> first = client.async().execute(Strings.incr("n"));
                CompletableFuture<Long> second = client.async().execute(Strings.incr("n"));
                assertTrue(first.cancel(true));
                later.launch();
                assertEquals(1, second.join());
            }
        }
    }

    @Test
    void aStalledServerIsATimeoutAndItsLateReplyIsNobodys() {
        try (ValkeyServer stalled = ValkeyServer.start();
                RedisClient client = RedisClient.connect(FaultsTest.once(FaultsTest.address(stalled))
                    .withCommandTimeout(Duration.ofSeconds(1)))) {
            AsyncClient async = client.async();
            Duration enough = Duration.ofSeconds(60);
            async.execute(Strings.set("key", "value"), enough).join();
            stalled.stall();
            try {
                List<CompletableFuture<Long>> calls = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    calls.add(async.execute(Strings.incr("counter")));
                }
                for (CompletableFuture<Long> call : calls) {
                    ConnectionException late = (ConnectionException) assertThrows(CompletionException.class, call::join)
                        .getCause();
                    assertEquals(Code.TIMEOUT, late.code());
                    assertTrue(late.mayHaveRun());
                }
            } finally {
                stalled.goOn();
            }
            assertEquals("mine", async.execute(Connection.echo("mine"), enough).join());
            assertEquals("50", async.execute(Strings.get("counter"), enough).join().orElseThrow());
        }
    }

    @Test
    void aCallWhoseTimeIsNotOverSurvivesAStall() {
        try (ValkeyServer stalled = ValkeyServer.start();
                RedisClient client = RedisClient.connect(FaultsTest.once(FaultsTest.address(stalled))
                    .withCommandTimeout(Duration.ofSeconds(60)))) {
            AsyncClient async = client.async();
            async.execute(Strings.set("key", "value")).join();
            stalled.stall();
            try {
                CompletableFuture<?> early = async.execute(Strings.get("key"), Duration.ofMillis(500));
                CompletableFuture<?> late = async.execute(Strings.get("key"));
                assertThrows(CompletionException.class, early::join);
                stalled.goOn();
                assertEquals("Optional[value]", late.join().toString());
            } finally {
                stalled.goOn();
            }
        }
    }

    @Test
    void aConnectionThatStaysSilentIsReplaced() {
        AtomicInteger connections = new AtomicInteger();
        try (Peer peer = Peer.start(connection -> {
            byte[] bytes = new byte[10_000];
            connection.getInputStream().read(bytes);
            Peer.send(connection, Peer.GREETING);
            boolean first = connections.incrementAndGet() == 1;
            while (connection.getInputStream().read(bytes) > 0) {
                if (!first) {
                    Peer.send(connection, "$5\r\nvalue\r\n");
                }
            }
        }); RedisClient client = RedisClient.create(FaultsTest.once(peer.address())
                .withCommandTimeout(Duration.ofMillis(200)))) {
            assertThrows(CompletionException.class, client.async().execute(Strings.get("key"))::join);
            Threads.await("another connection", () -> {
                try {
                    return client.async().execute(Strings.get("key")).join().isPresent();
                } catch (CompletionException late) {
                    return false;
                }
            });
            // Of a machine that is slow for a moment the second one is replaced, too.
            assertTrue(connections.get() > 1);
        }
    }

    @Test
    void aThousandCallersDoNotStormAServerThatIsGone() {
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<Void> all = new CompletableFuture<>();
        try (Peer peer = Peer.start(connection -> {
            attempts.incrementAndGet();
            all.join();
        });
                RedisClient client = RedisClient.create(RedisOptions.of(peer.address())
                    .withRetry(new Retry(6, Duration.ofMillis(20), Duration.ofMillis(100))))) {
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                calls.add(client.async().execute(Strings.get("key")));
            }
            // Those who come later have attempts of their own.
            all.complete(null);
            for (CompletableFuture<?> call : calls) {
                ConnectionException lost = (ConnectionException) assertThrows(CompletionException.class, call::join)
                    .getCause();
                assertEquals(Code.CLOSED, lost.code());
                assertFalse(lost.mayHaveRun());
            }
            assertTrue(attempts.get() <= 7, attempts + " connects");
        }
    }

    @Test
    void closingFailsWhatWaitsAndLeavesNothingBehind() {
        direct.execute(Connection.ping());
        Threads.await("earlier clients", () -> Threads.ofClients().size() <= 1);
        int before = Threads.descriptors();
        for (int round = 0; round < 20; round++) {
            RedisClient client = RedisClient.connect(FaultsTest.patient(FaultsTest.address(server)));
            AtomicInteger answered = new AtomicInteger();
            List<Threads.Work> works = new ArrayList<>();
            for (int name = 0; name < 4; name++) {
                int caller = name;
                works.add(() -> {
                    try {
                        for (int i = 0;; i++) {
                            String text = caller + "-" + i;
                            assertEquals(text, caller % 2 == 0 ? client.execute(Connection.echo(text))
                                : client.async().execute(Connection.echo(text)).join());
                            answered.incrementAndGet();
                        }
                    } catch (ConnectionException closed) {
                        assertEquals(Code.CLOSED, closed.code());
                    } catch (CompletionException closed) {
                        assertEquals(Code.CLOSED, ((ConnectionException) closed.getCause()).code());
                    }
                });
            }
            works.add(() -> {
                client.subscriber(message -> { }).subscribe("c");
                Threads.await("traffic", () -> answered.get() > 100);
                client.close();
            });
            Threads.together(works);
        }
        Threads.await("threads left: " + Threads.ofClients(), () -> Threads.ofClients().size() <= 1);
        Threads.await("descriptors left", () -> Threads.descriptors() <= before);
    }

    /** What a peer has run: the last words of the commands that it did not refuse, in their order. */
    private static Peer loading(AtomicInteger refusals, List<String> run) {
        return Peer.greeting((connection, read) -> {
            StringBuilder replies = new StringBuilder();
            for (String command : read.split("\\*(?=[0-9]+\r)")) {
                String[] words = command.split("\r\n");
                if (command.isEmpty()) {
                    continue;
                } else if (refusals.getAndDecrement() > 0) {
                    replies.append("-LOADING Valkey is loading the dataset in memory\r\n");
                } else {
                    String word = words[words.length - 1];
                    run.add(word);
                    replies.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
                }
            }
            Peer.send(connection, replies.toString());
        });
    }

    @Test
    void callsThatALoadingServerRefusedKeepTheirOrderAndTheirReplies() {
        for (int refused = 1; refused < 8; refused++) {
            List<String> run = java.util.Collections.synchronizedList(new ArrayList<>());
            try (Peer peer = loading(new AtomicInteger(refused), run);
                    RedisClient client = RedisClient.connect(FaultsTest.patient(peer.address()))) {
                List<CompletableFuture<Optional<String>>> calls = new ArrayList<>();
                List<String> names = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    names.add("key" + i);
                    calls.add(client.async().execute(Strings.get("key" + i)));
                }
                for (int i = 0; i < 20; i++) {
                    assertEquals(Optional.of("key" + i), calls.get(i).join());
                }
                assertEquals(names, run);
            }
        }
    }

    @Test
    void aServerThatBeginsToLoadUnderTrafficLeavesEachCallItsReply() {
        AtomicInteger refusals = new AtomicInteger();
        try (Peer peer = loading(refusals, java.util.Collections.synchronizedList(new ArrayList<>()));
                RedisClient client = RedisClient.connect(FaultsTest.patient(peer.address()))) {
            for (int round = 0; round < 50; round++) {
                List<CompletableFuture<Optional<String>>> calls = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    if (i == 20) {
                        refusals.set(round % 8);
                    }
                    calls.add(client.async().execute(Strings.get("key" + i)));
                }
                for (int i = 0; i < 40; i++) {
                    assertEquals(Optional.of("key" + i), calls.get(i).join());
                }
            }
        }
    }

    @Test
    void aReplyThatNeverEndsEndsTheConnection() {
        AtomicInteger connections = new AtomicInteger();
        try (Peer peer = Peer.start(connection -> {
            boolean first = connections.incrementAndGet() == 1;
            byte[] bytes = new byte[65_536];
            connection.getInputStream().read(bytes);
            Peer.send(connection, Peer.GREETING);
            connection.getInputStream().read(bytes);
            Peer.send(connection, first ? "$100000\r\n" : "$1\r\nv\r\n");
            for (int i = 0; first && i < 1_000; i++) {
                Peer.send(connection, "x");
                Pool.sleep(20_000_000);
            }
            connection.getInputStream().read(bytes);
        }); RedisClient client = RedisClient.create(FaultsTest.patient(peer.address())
                .withCommandTimeout(Duration.ofMillis(200)))) {
            assertThrows(CompletionException.class, () -> client.async().execute(Strings.incr("n")).join());
            boolean ended = false;
            for (int i = 0; i < 20 && !ended; i++) {
                try {
                    ended = client.async().execute(Strings.get("key")).join().isPresent();
                } catch (CompletionException late) {
                    assertFalse(ended);
                }
            }
            assertTrue(ended);
        }
    }
}
