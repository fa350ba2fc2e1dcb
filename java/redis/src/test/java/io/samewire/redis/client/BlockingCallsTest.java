package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Acl;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Popped;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.Side;
import io.samewire.redis.command.Streams;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocking commands of callers that do not wait. */
@Timeout(180)
class BlockingCallsTest {
    private static final Pattern WAITING = Pattern.compile("id=(\\d+) [^\\n]*flags=\\S*b");

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

    private static RedisClient client(int connections) {
        // Tests that end before the server has replied are not to be reported in others.
        return RedisClient.create(RedisOptions.of(server.uri()).withBlockingConnections(connections)
            .withInDoubt((command, why) -> { }));
    }

    private static CompletableFuture<Optional<Popped<String, String>>> pop(CommandClient client, String key) {
        return client.async().execute(Lists.blpop(Duration.ZERO, key));
    }

    /** The connections on which the server makes a command wait. */
    private static List<String> waiting(RedisClient of) {
        List<String> found = new ArrayList<>();
        Matcher each = WAITING.matcher(of.execute(Commands.of(Text.STRING, "CLIENT LIST")));
        while (each.find()) {
            found.add(each.group(1));
        }
        return found;
    }

    private static void await(int count) {
        Threads.await(count + " commands wait", () -> waiting(direct).size() == count);
    }

    private static Code code(CompletableFuture<?> future) {
        return ((SamewireException) assertThrows(CompletionException.class, future::join).getCause()).code();
    }

    @Test
    void theyHoldUpNobody() {
        try (RedisClient client = client(8)) {
            CompletableFuture<Optional<Popped<String, String>>> popped = pop(client, "q");
            CompletableFuture<?> moved = client.async().execute(Lists.blmove("a", "b", Side.LEFT, Side.LEFT,
                Duration.ZERO));
            CompletableFuture<?> read = client.async().execute(Streams.xread(Map.of("s", "$")).block(Duration.ZERO));
            await(3);
            assertEquals(true, client.async().execute(Strings.set("k", "v")).join());
            direct.execute(Lists.rpush("q", "1"));
            direct.execute(Lists.rpush("a", "2"));
            direct.execute(Streams.xadd("s", Map.of("f", "3")));
            assertEquals(Optional.of(new Popped<>("q", "1")), popped.join());
            assertEquals(Optional.of("2"), moved.join());
            assertTrue(read.join().toString().contains("3"), read.join().toString());
            assertEquals(Optional.empty(), client.async().execute(Lists.blpop(Duration.ofMillis(10), "q")).join());
            SamewireException refused = assertThrows(SamewireException.class,
                () -> client.async().execute(Keys.waitReplicas(1, Duration.ofSeconds(1))));
            assertEquals(Code.MISUSE, refused.code());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aCancelledOneTakesNothingAndLeavesItsConnectionToTheNext(int protocol) {
        try (RedisClient client = RedisClient.create(RedisOptions.of(server.uri()).withProtocol(protocol)
                .withInDoubt((command, why) -> { }))) {
            CompletableFuture<?> first = pop(client, "q");
            await(1);
            List<String> connection = waiting(direct);
            assertTrue(first.cancel(false));
            await(0);
            direct.execute(Lists.rpush("q", "kept"));
            assertEquals(1, direct.execute(Lists.llen("q")));
            CompletableFuture<?> second = pop(client, "other");
            await(1);
            assertEquals(connection, waiting(direct));
            second.cancel(false);
        }
    }

    @Test
    void noElementIsLostHoweverCallsEnd() {
        List<Object> unclaimed = new CopyOnWriteArrayList<>();
        int rounds = 400;
        RedisOptions options = RedisOptions.of(server.uri()).withBlockingConnections(4)
            .withUnclaimed((command, reply) -> unclaimed.add(reply)).withInDoubt((command, why) -> { });
        List<String> taken = new CopyOnWriteArrayList<>();
        try (RedisClient client = RedisClient.create(options)) {
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                CompletableFuture<Optional<Popped<String, String>>> call = pop(client, "q");
                calls.add(call.thenAccept(one -> taken.add(one.orElseThrow().element())));
                CompletableFuture<Long> pushed = client.async().execute(Lists.rpush("q", String.valueOf(i)));
                if (i % 3 == 0) {
                    pushed.join();
                }
                if (i % 2 == 0) {
                    call.cancel(false);
                }
                pushed.join();
            }
            // The others have enough elements.
            for (CompletableFuture<?> call : calls) {
                call.exceptionally(cancelled -> null).join();
            }
            await(0);
            Threads.await("every element is somewhere", () -> taken.size() + unclaimed.size()
                + direct.execute(Lists.llen("q")) == rounds);
            TreeSet<String> all = new TreeSet<>(taken);
            unclaimed.forEach(one -> all.add(((Popped<?, ?>) ((Optional<?>) one).orElseThrow()).element().toString()));
            all.addAll(direct.execute(Lists.lrange("q", 0, -1)));
            assertEquals(rounds, all.size());
        }
    }

    /**
     * What a peer replies on the blocked connection, which it closes if that is null, and on the asking one, each time
     * that it is asked to unblock.
     */
    private record Unblocked(String blocked, String asking) { }

    /** Runs with a client whose BLPOP waits until it is cancelled; returns the connections that BLPOP came on. */
    private static List<Integer> cancelling(RedisOptions changes, List<Unblocked> replies, CountDownLatch taken) {
        List<Integer> came = new CopyOnWriteArrayList<>();
        List<Socket> connections = new CopyOnWriteArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Socket> waits = new CompletableFuture<>();
        try (Peer peer = Peer.greeting((connection, read) -> {
            if (!connections.contains(connection)) {
                connections.add(connection);
            }
            if (read.contains("UNBLOCK")) {
                int count = asked.getAndIncrement();
                // On a busy machine the client asks again before it has read the reply.
                Unblocked reply = count < replies.size() ? replies.get(count) : new Unblocked("", ":0\r\n");
                if (reply.blocked == null) {
                    waits.join().close();
                } else if (!reply.blocked.isEmpty()) {
                    Peer.send(waits.join(), reply.blocked);
                }
                Peer.send(connection, reply.asking);
            } else if (read.contains("BLPOP")) {
                came.add(connections.indexOf(connection));
                if (!waits.complete(connection)) {
                    Peer.send(connection, "*2\r\n$1\r\nq\r\n$3\r\nown\r\n");
                }
            } else {
                Peer.send(connection, ":7\r\n");
            }
        }); RedisClient client = RedisClient.create(changes.withAddress(peer.address()).withBlockingConnections(1))) {
            CompletableFuture<?> call = pop(client, "q");
            waits.join();
            call.cancel(false);
            if (taken != null) {
                taken.await();
            }
            assertEquals("own", pop(client, "q").join().orElseThrow().element());
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
        assertTrue(asked.get() >= replies.size(), asked.toString());
        return came;
    }

    @Test
    void anElementThatWasPoppedForACancelledCallIsHandedOver() {
        CountDownLatch taken = new CountDownLatch(1);
        List<Object> unclaimed = new CopyOnWriteArrayList<>();
        RedisOptions options = RedisOptions.of("redis://").withUnclaimed((command, reply) -> {
            unclaimed.add(command.name() + " " + reply);
            taken.countDown();
        });
        List<Unblocked> popped = List.of(new Unblocked("*2\r\n$1\r\nq\r\n$1\r\nx\r\n", ":0\r\n"));
        assertEquals(List.of(0, 0), cancelling(options, popped, taken));
        assertEquals(List.of("BLPOP Optional[Popped[key=q, element=x]]"), unclaimed);
    }

    /** What is reported for a call that is cancelled, if the program takes nothing. */
    private static String reported(Unblocked reply) {
        CountDownLatch taken = new CountDownLatch(1);
        List<String> reported = new CopyOnWriteArrayList<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            reported.add(thrown.getMessage());
            taken.countDown();
        });
        try {
            cancelling(RedisOptions.of("redis://"), List.of(reply), taken);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertEquals(1, reported.size(), reported::toString);
        return reported.get(0);
    }

    @Test
    void anElementThatNobodyTakesIsReported() {
        String popped = reported(new Unblocked("*2\r\n$1\r\nq\r\n$1\r\nx\r\n", ":0\r\n"));
        assertTrue(popped.contains("BLPOP has taken a value or an element"), popped);
        String lost = reported(new Unblocked(null, ":0\r\n"));
        assertTrue(lost.contains("BLPOP may have taken a value or an element"), lost);
        String unreadable = reported(new Unblocked("*2\r\n$1\r\nq\r\n$1\r\n\u0080\r\n", ":0\r\n"));
        assertTrue(unreadable.contains("BLPOP may have taken a value or an element"), unreadable);
    }

    @Test
    void anElementIsInDoubtIfTheConnectionOfACancelledCallIsLost() {
        CountDownLatch taken = new CountDownLatch(1);
        List<String> inDoubt = new CopyOnWriteArrayList<>();
        RedisOptions options = RedisOptions.of("redis://").withInDoubt((command, why) -> {
            inDoubt.add(command.name() + " " + ((ConnectionException) why).mayHaveRun());
            taken.countDown();
        });
        cancelling(options, List.of(new Unblocked(null, ":0\r\n")), taken);
        assertEquals(List.of("BLPOP true"), inDoubt);
    }

    @Test
    void nothingIsInDoubtIfTheServerHasEndedTheWait() {
        List<Object> inDoubt = new CopyOnWriteArrayList<>();
        RedisOptions options = RedisOptions.of("redis://").withInDoubt((command, why) -> inDoubt.add(why));
        cancelling(options, List.of(new Unblocked(null, ":1\r\n")), null);
        cancelling(options, List.of(new Unblocked("-WRONGTYPE\r\n", ":0\r\n")), null);
        Threads.await("the calls have ended", () -> Threads.ofClients().stream()
            .noneMatch(name -> name.equals("samewire-redis-blocking")));
        assertEquals(List.of(), inDoubt);
    }

    @Test
    void aServerThatDoesNotWaitYetIsAskedAgain() {
        // The first question came before the command.
        assertEquals(List.of(0, 0), cancelling(RedisOptions.of("redis://"),
            List.of(new Unblocked("", ":0\r\n"), new Unblocked("_\r\n", ":1\r\n")), null));
    }

    @Test
    void theyAreBoundedAndHaveTheirTurns() {
        try (RedisClient client = client(2)) {
            CompletableFuture<?> first = pop(client, "a");
            await(1);
            CompletableFuture<?> second = pop(client, "b");
            await(2);
            CompletableFuture<?> cancelled = pop(client, "c");
            CompletableFuture<?> third = pop(client, "d");
            CompletableFuture<?> late = client.async().execute(Lists.blpop(Duration.ZERO, "e"),
                Duration.ofMillis(200));
            cancelled.cancel(false);
            assertEquals(Code.TIMEOUT, code(late));
            assertEquals(2, waiting(direct).size());
            direct.execute(Lists.rpush("a", "1"));
            first.join();
            direct.execute(Lists.rpush("d", "4"));
            third.join();
            direct.execute(Lists.rpush("b", "2"));
            second.join();
            assertEquals(0, waiting(direct).size());
        }
    }

    @Test
    void whatIsChainedHoldsUpNoOther() {
        try (RedisClient client = client(1)) {
            CountDownLatch go = new CountDownLatch(1);
            CompletableFuture<?> chained = pop(client, "a").thenAccept(one -> {
                try {
                    go.await();
                } catch (InterruptedException stopped) {
                    throw new IllegalStateException(stopped);
                }
            });
            direct.execute(Lists.rpush("a", "1"));
            direct.execute(Lists.rpush("b", "2"));
            pop(client, "b").join();
            assertFalse(chained.isDone());
            go.countDown();
            chained.join();
        }
    }

    @Test
    void oneThatIsOutOfTimeTakesNothing() {
        try (RedisClient client = client(8)) {
            CompletableFuture<?> late = client.async().execute(Lists.blpop(Duration.ZERO, "q"), Duration.ofMillis(500));
            CompletableFuture<?> timed = pop(client, "q").orTimeout(500, java.util.concurrent.TimeUnit.MILLISECONDS);
            assertEquals(Code.TIMEOUT, code(late));
            assertThrows(CompletionException.class, timed::join);
            await(0);
            direct.execute(Lists.rpush("q", "kept"));
            assertEquals(1, direct.execute(Lists.llen("q")));
        }
    }

    /** Their time ends while they are sent: what was sent before its caller knew may have run. */
    @Test
    void thoseThatWereSentMayHaveRun() {
        Set<String> came = ConcurrentHashMap.newKeySet();
        Pattern key = Pattern.compile("BLPOP\r\n\\$\\d+\r\n(\\d+)\r\n");
        try (Peer peer = Peer.greeting((connection, read) -> {
            Matcher found = key.matcher(read);
            if (found.find()) {
                came.add(found.group(1));
                Peer.send(connection, "_\r\n");
            } else {
                Peer.send(connection, read.contains("UNBLOCK") ? ":0\r\n" : ":1\r\n");
            }
        }); RedisClient client = RedisClient.create(RedisOptions.of(peer.address()).withBlockingConnections(8))) {
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                calls.add(client.async().execute(Lists.blpop(Duration.ZERO, String.valueOf(i)),
                    Duration.ofNanos(20_000 + i % 200 * 2_000)));
                if (i % 8 == 7) {
                    calls.subList(i - 7, i + 1).forEach(call -> call.exceptionally(late -> null).join());
                }
            }
            assertEquals(List.of(), IntStream.range(0, calls.size()).filter(i -> {
                CompletableFuture<?> call = calls.get(i);
                return call.isCompletedExceptionally() && came.contains(String.valueOf(i))
                    && !((ConnectionException) assertThrows(CompletionException.class, call::join).getCause())
                        .mayHaveRun();
            }).boxed().toList(), "are told wrongly");
        }
    }

    @Test
    void aConnectionThatCannotBeUnblockedIsClosed() {
        List<String> inDoubt = new CopyOnWriteArrayList<>();
        direct.execute(Acl.aclSetuser("worker", "on", ">secret", "+@all", "-client|unblock", "~*"));
        try (RedisClient client = RedisClient.create(RedisOptions.of(server.uri())
                .withCredentials("worker", "secret").withInDoubt((command, why) -> inDoubt.add(command.name())))) {
            CompletableFuture<?> call = pop(client, "q");
            await(1);
            call.cancel(false);
            await(0);
            direct.execute(Lists.rpush("q", "kept"));
            assertEquals(1, direct.execute(Lists.llen("q")));
            Threads.await("it is in doubt", () -> inDoubt.size() == 1);
            assertEquals(List.of("BLPOP"), inDoubt);
        } finally {
            direct.execute(Acl.aclDeluser("worker"));
        }
    }

    @Test
    void aClosedClientEndsThem() {
        CompletableFuture<?> runs;
        CompletableFuture<?> waits;
        try (RedisClient client = client(1)) {
            runs = pop(client, "q");
            await(1);
            waits = pop(client, "q");
        }
        assertEquals(Code.CLOSED, code(runs));
        assertEquals(Code.CLOSED, code(waits));
        await(0);
    }

    @Test
    void aClusterHasThemOnTheNodesOfTheirKeys() {
        try (ValkeyCluster servers = new ValkeyCluster();
                RedisCluster cluster = RedisCluster.connect(servers.uris())) {
            List<CompletableFuture<Optional<Popped<String, String>>>> calls = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                calls.add(pop(cluster, "q" + i));
            }
            for (int i = 0; i < 10; i++) {
                cluster.execute(Lists.rpush("q" + i, "1"));
                assertEquals("1", calls.get(i).join().orElseThrow().element());
            }
            int slot = io.samewire.redis.command.KeySlot.of("q1");
            int from = servers.primary(slot);
            CompletableFuture<Optional<Popped<String, String>>> moved = pop(cluster, "q1");
            Threads.await("it waits", () -> waiting(servers.client(from)).size() == 1);
            servers.beginMove(slot, from, servers.otherPrimary(from));
            servers.endMove(slot, from, servers.otherPrimary(from));
            cluster.execute(Lists.rpush("q1", "there"));
            assertEquals("there", moved.join().orElseThrow().element());
            CompletableFuture<?> cancelled = pop(cluster, "q0");
            int node = servers.primary(io.samewire.redis.command.KeySlot.of("q0"));
            Threads.await("it waits", () -> waiting(servers.client(node)).size() == 1);
            cancelled.cancel(false);
            Threads.await("it ends", () -> waiting(servers.client(node)).isEmpty());
            cluster.execute(Lists.rpush("q0", "kept"));
            assertEquals(1, cluster.execute(Lists.llen("q0")));
            assertThrows(SamewireException.class, () -> cluster.async().execute(Lists.blpop(Duration.ZERO, "a", "b")));
        }
    }
}
