package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What error texts tell: the command, the server, the time, and what to do. */
class MessagesTest extends OnOneServer {
    private static void contains(Throwable error, String... parts) {
        for (String part : parts) {
            assertTrue(error.getMessage().contains(part), () -> "expected " + part + " in: " + error.getMessage());
        }
    }

    @Test
    void timeOutsNameTheCommandAndTheTime() {
        try (Peer silent = Peer.greeting((connection, read) -> { })) {
            RedisOptions options = FaultsTest.once(silent.address()).withCommandTimeout(Duration.ofSeconds(1));
            try (RedisClient own = RedisClient.create(options)) {
                contains(assertThrows(ConnectionException.class, () -> own.execute(Strings.get("k"))),
                    "GET: no reply of " + silent.address() + " after ", " ms");
                Pipeline pipeline = own.pipeline();
                pipeline.add(Strings.get("k"));
                pipeline.add(Strings.get("l"));
                contains(assertThrows(ConnectionException.class, pipeline::execute),
                    "a pipeline of 2 commands: no reply");
                ConnectionException late = (ConnectionException) assertThrows(CompletionException.class,
                    () -> own.async().execute(Strings.get("k")).join()).getCause();
                // On a busy machine the connection is closed first: nothing has come for too long.
                contains(late, silent.address().toString(), late.code() == Code.TIMEOUT
                    ? "GET: no reply of" : "closed here: no reply has come for too long");
                try (Transaction work = own.transaction()) {
                    work.add(Strings.get("k"));
                    contains(assertThrows(ConnectionException.class, work::exec), "MULTI: no reply");
                }
            }
        }
    }

    @Test
    void aConnectionThatWasClosedHereSaysWhy() throws InterruptedException {
        AtomicReference<ConnectionException> lost = new AtomicReference<>();
        CountDownLatch asked = new CountDownLatch(1);
        try (Peer silent = Peer.greeting((connection, read) -> asked.countDown())) {
            RedisClient own = RedisClient.create(FaultsTest.once(silent.address()));
            Thread caller = new Thread(() -> lost.set(assertThrows(ConnectionException.class,
                () -> own.execute(Lists.rpush("all", "1")))));
            caller.start();
            asked.await();
            own.close();
            caller.join();
        }
        contains(lost.get(), "RPUSH: the connection to ", "was closed here: the client was closed");
        assertTrue(lost.get().mayHaveRun());
    }

    @Test
    void sentinelsThatWereAskedAreNamed() {
        try (Peer silent = Peer.greeting((connection, read) -> Peer.send(connection, "*0\r\n"));
                RedisSentinel sentinels = RedisSentinel.connect("redis://127.0.0.1:" + silent.port(),
                    "redis://127.0.0.1:1");
                RedisClient own = sentinels.master("orders", RedisOptions.of("redis://").withRetry(Retry.NONE))) {
            ConnectionException none = assertThrows(ConnectionException.class, () -> own.execute(Strings.get("k")));
            contains(none, "\"orders\"", silent.address() + " watches no such service", "127.0.0.1:1 failed");
            assertFalse(none.getMessage().contains("localhost"), none.getMessage());
        }
    }

    @Test
    void aMissingPasswordIsAdvised() {
        try (ValkeyServer locked = ValkeyServer.start("--requirepass", "secret")) {
            for (int protocol = 2; protocol <= 3; protocol++) {
                RedisOptions options = RedisOptions.of(locked.uri()).withProtocol(protocol).withRetry(Retry.NONE);
                try (RedisClient own = RedisClient.create(options)) {
                    RedisException refused = assertThrows(RedisException.class, () -> own.execute(Strings.get("k")));
                    assertEquals("NOAUTH", refused.word());
                    contains(refused, "redis://:PASSWORD@HOST", "withCredentials");
                }
            }
        }
        contains(assertThrows(RedisException.class, () -> RedisClient.connect(RedisOptions.of(server.uri())
            .withCredentials(null, "secret").withProtocol(2))), "the server has no password: connect without one");
    }

    @Test
    void aPortThatSpeaksTlsIsNamed() {
        try (Peer tls = Peer.start(connection -> {
            connection.getInputStream().read(new byte[1000]);
            Peer.send(connection, "\u0015\u0003\u0003\u0000\u0002\u0002\u0046");
            connection.getInputStream().read();
        })) {
            contains(assertThrows(ConnectionException.class, () -> RedisClient.connect(FaultsTest.once(tls.address()))),
                tls.address() + " speaks TLS: use rediss://");
        }
        try (Peer closing = Peer.start(connection -> connection.getInputStream().read(new byte[1000]))) {
            contains(assertThrows(ConnectionException.class,
                () -> RedisClient.connect(FaultsTest.once(closing.address()))), "wants TLS, use rediss://");
        }
    }

    @Test
    void aNodeOfAClusterIsNoServerOfItsOwn() {
        try (Peer node = Peer.greeting((connection, read) -> Peer.send(connection, "-MOVED 1 127.0.0.1:7001\r\n"));
                RedisClient own = RedisClient.create(FaultsTest.once(node.address()))) {
            contains(assertThrows(RedisException.class, () -> own.execute(Strings.get("k"))), "RedisCluster");
        }
    }

    @Test
    void resultsShowTheirValues() {
        Pipeline pipeline = client.pipeline();
        Result<Long> pushed = pipeline.add(Lists.rpush("list", "1"));
        Result<?> wrong = pipeline.add(Strings.get("list"));
        Result<?> any = pipeline.add(Commands.of(in -> "x".repeat(in.readString().length()), "ECHO", "y".repeat(500)));
        assertEquals("RPUSH: no reply yet", pushed.toString());
        pipeline.execute();
        assertEquals("RPUSH: 1", pushed.toString());
        assertTrue(wrong.toString().startsWith("GET: WRONGTYPE"), wrong.toString());
        assertEquals("ECHO: " + "x".repeat(200) + "… (500 characters)", any.toString());
    }
}
