package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Json;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Sets;
import io.samewire.redis.command.Streams;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that pop at once, whose futures are done before the reply comes. */
@Timeout(180)
class UnclaimedTest {
    /** The connections on which a command came that is not replied to, in their order. */
    private final LinkedBlockingQueue<Socket> waiting = new LinkedBlockingQueue<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Peer peer = Peer.greeting((connection, read) -> {
        if (read.contains("PING")) {
            Peer.send(connection, "+PONG\r\n");
        } else {
            waiting.add(connection);
        }
    });

    @AfterEach
    void stop() {
        peer.close();
    }

    private RedisOptions options() {
        return RedisOptions.of(peer.address()).withRetry(Retry.NONE)
            .withUnclaimed((command, reply) -> told.add(command.name() + " " + reply))
            .withInDoubt((command, why) -> told.add(command.name() + " in doubt"));
    }

    private void cancelled(RedisOptions options, Command<?> command, String reply) throws Exception {
        try (RedisClient client = RedisClient.create(options)) {
            CompletableFuture<?> call = client.async().execute(command);
            Socket connection = waiting.poll(60, TimeUnit.SECONDS);
            assertTrue(call.cancel(false));
            if (reply == null) {
                connection.close();
            } else {
                Peer.send(connection, reply);
                // Replies come in order: what the one before it was for is known then.
                client.async().execute(io.samewire.redis.command.Connection.ping()).join();
            }
        }
    }

    private void await(String... expected) {
        Threads.await("what is told: " + told, () -> told.size() >= expected.length);
        assertEquals(List.of(expected), told);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasPoppedForACancelledCallIsHandedOver(boolean executor) throws Exception {
        RedisOptions options = executor ? options().withExecutor(Runnable::run) : options();
        cancelled(options, Lists.lpop("list"), "$1\r\nx\r\n");
        await("LPOP Optional[x]");
        cancelled(options, Lists.lpop("list"), "_\r\n");
        cancelled(options, Strings.get("text"), "$1\r\nx\r\n");
        cancelled(options, Lists.lpop("list"), "-WRONGTYPE no list\r\n");
        cancelled(options, Sets.spop("set", 2), "~2\r\n$1\r\na\r\n$1\r\nb\r\n");
        await("LPOP Optional[x]", "SPOP [a, b]");
    }

    @Test
    void whatMayHaveBeenPoppedForACancelledCallIsInDoubt() throws Exception {
        cancelled(options(), Lists.lpop("list"), null);
        await("LPOP in doubt");
        cancelled(options(), Strings.get("text"), null);
        cancelled(options(), Strings.incr("number"), null);
        cancelled(options(), Lists.lpop("list"), "$1\r\n\u0080\r\n");
        await("LPOP in doubt", "LPOP in doubt");
    }

    @Test
    void valuesThatWereReplacedForACancelledCallAreHandedOver() throws Exception {
        cancelled(options(), Strings.set("key", "new").get(), "$3\r\nold\r\n");
        cancelled(options(), Strings.set("key", "new").get(), null);
        cancelled(options(), Strings.set("key", "new").get(), "_\r\n");
        cancelled(options(), Strings.set("key", "new"), "+OK\r\n");
        cancelled(options(), Commands.of("GETSET", "key", "new"), "$3\r\nold\r\n");
        cancelled(options(), Commands.of("set", "key", "new", "get", "nx"), "$3\r\nold\r\n");
        await("SET Optional[old]", "SET in doubt", "GETSET old");
    }

    @Test
    void entriesThatNoGroupKeepsAreHandedOver() throws Exception {
        String entries = "%1\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n1-1\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n";
        cancelled(options(), Streams.xreadgroup("g", "c", Map.of("s", ">")).noack(), null);
        cancelled(options(), Streams.xreadgroup("g", "c", Map.of("s", ">")), entries);
        cancelled(options(), Streams.xreadgroup("g", "c", Map.of("s", ">")), null);
        cancelled(options(), Commands.of("XREADGROUP", "GROUP", "g", "NOACK", "STREAMS", "NOACK", ">"), entries);
        cancelled(options(), Streams.xreadgroup("g", "c", Map.of("s", ">")).noack(), entries);
        Threads.await("what is told: " + told, () -> told.size() >= 2);
        assertEquals(List.of("XREADGROUP in doubt", "XREADGROUP"),
            told.stream().map(text -> text.endsWith("in doubt") ? text : text.substring(0, 10)).toList());
    }

    @Test
    void aCallThatIsCancelledWhileItsReplyIsReadIsInDoubt() throws Exception {
        AtomicReference<CompletableFuture<?>> call = new AtomicReference<>();
        RedisOptions options = options().withExecutor(work -> {
            if (call.get() != null) {
                call.get().cancel(false);
            }
            work.run();
        });
        try (RedisClient client = RedisClient.create(options)) {
            call.set(client.async().execute(Lists.lpop("list")));
            Peer.send(waiting.poll(60, TimeUnit.SECONDS), "$1\r\n\u0080\r\n");
            await("LPOP in doubt");
            call.set(client.async().execute(Lists.lpop("list")));
            Peer.send(waiting.poll(60, TimeUnit.SECONDS), "$1\r\nx\r\n");
            await("LPOP in doubt", "LPOP Optional[x]");
        }
    }

    @Test
    void nullsOfUntypedCommandsAreNoElements() throws Exception {
        cancelled(options(), Commands.of("LPOP", "list"), "_\r\n");
        cancelled(options(), Commands.of("LPOP", "list", "2"), "*0\r\n");
        cancelled(options(), Json.jsonArrpop("key", "$"), "*1\r\n_\r\n");
        cancelled(options(), Json.jsonArrpop("key", "$"), "*1\r\n$1\r\n5\r\n");
        await("JSON.ARRPOP [Optional[5]]");
    }

    @Test
    void aCallThatIsOutOfTimeHasToldOfItsDoubtAndGetsNoOther() throws Exception {
        try (RedisClient client = RedisClient.create(options())) {
            late(client, connection -> Peer.send(connection, "$1\r\nx\r\n"));
            await("LPOP Optional[x]");
            late(client, Socket::close);
        }
        assertEquals(List.of("LPOP Optional[x]"), told);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallThatIsCancelledBeforeItIsWrittenIsNotSent(boolean cluster) throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        AtomicBoolean known = new AtomicBoolean();
        List<String> came = new CopyOnWriteArrayList<>();
        try (Peer node = Peer.start(connection -> {
            InputStream in = connection.getInputStream();
            byte[] bytes = new byte[1 << 16];
            in.read(bytes);
            if (known.get()) {
                Threads.await("the call is cancelled", () -> cancelled.getCount() == 0);
            }
            Peer.send(connection, Peer.GREETING);
            for (int n = in.read(bytes); n > 0; n = in.read(bytes)) {
                String read = new String(bytes, 0, n, StandardCharsets.ISO_8859_1);
                came.add(read);
                Peer.send(connection, read.contains("CLUSTER") ? "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n"
                    + "$9\r\n127.0.0.1\r\n:" + connection.getLocalPort() + "\r\n" : "_\r\n");
            }
        })) {
            RedisOptions options = RedisOptions.of(node.address());
            try (CommandClient client = cluster ? RedisCluster.connect(options, List.of(node.address()),
                    ReadFrom.PRIMARY) : RedisClient.create(options)) {
                known.set(true);
                assertTrue(client.async().execute(Strings.get("first")).cancel(false));
                cancelled.countDown();
                client.async().execute(Strings.get("last")).join();
            }
        }
        assertTrue(came.get(came.size() - 1).contains("last"), came.toString());
        assertTrue(came.stream().noneMatch(read -> read.contains("first")), came.toString());
    }

    @Test
    void aLibraryHandsOverWhatItsOwnCallersLeft() throws Exception {
        try (RedisClient client = RedisClient.create(options())) {
            AsyncClient async = client.async();
            async.handOver(Lists.lpop("list"), Optional.of("x"));
            await("LPOP Optional[x]");
            async.handOver(Lists.lpop("list"), Optional.empty());
            async.handOver(Strings.get("a"), Optional.of("x"));
            async.inDoubt(Lists.lpop("list"), new RedisException("WRONGTYPE"));
            async.inDoubt(Lists.lpop("list"), ConnectionException.closed(false, "not sent", null));
            async.inDoubt(Strings.get("a"), ConnectionException.closed(true, "lost", null));
            async.inDoubt(Lists.lpop("list"), ConnectionException.closed(true, "lost", null));
            await("LPOP Optional[x]", "LPOP in doubt");
        }
    }

    /** What a peer does. */
    private interface Ending {
        void end(Socket connection) throws java.io.IOException;
    }

    private void late(RedisClient client, Ending ending) throws Exception {
        CompletableFuture<?> call = client.async().execute(Lists.lpop("list"), Duration.ofSeconds(1));
        Socket connection = waiting.poll(60, TimeUnit.SECONDS);
        ConnectionException why = (ConnectionException) assertThrows(CompletionException.class, call::join).getCause();
        assertEquals(Code.TIMEOUT, why.code());
        assertTrue(why.mayHaveRun());
        ending.end(connection);
    }
}
