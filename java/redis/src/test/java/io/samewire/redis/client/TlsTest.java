package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.Strings;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All ways of the client through TLS. */
@Timeout(180)
class TlsTest {
    private static ValkeyServer server;
    private static TlsProxy proxy;
    private static RedisOptions options;
    private static Path folder;

    @BeforeAll
    static void start(@TempDir Path keys) throws Exception {
        folder = keys;
        server = ValkeyServer.start();
        proxy = new TlsProxy(server.port(), folder);
        options = RedisOptions.of("rediss://localhost:" + proxy.port()).withTls(proxy.trusting());
    }

    @AfterAll
    static void stop() throws Exception {
        proxy.close();
        server.close();
    }

    @Test
    void carriesCommandsOfAnySize() {
        try (RedisClient client = RedisClient.connect(options)) {
            String large = "x".repeat(3_000_000);
            client.execute(Strings.set("large", large));
            assertEquals(large, client.execute(Strings.get("large")).orElseThrow());
            Pipeline pipeline = client.pipeline();
            List<Result<String>> echoes = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                echoes.add(pipeline.add(Connection.echo("echo " + i)));
            }
            pipeline.execute();
            assertEquals("echo 4999", echoes.get(4_999).get());
        }
    }

    @Test
    void carriesSharedConnectionsAndSubscribers() {
        List<Message> heard = new CopyOnWriteArrayList<>();
        try (RedisClient client = RedisClient.connect(options); Subscriber subscriber = client.subscriber(heard::add)) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                calls.add(client.async().execute(Connection.echo("call " + i)));
            }
            for (int i = 0; i < 1_000; i++) {
                assertEquals("call " + i, calls.get(i).join());
            }
            subscriber.subscribe("c");
            client.execute(PubSub.publish("c", "m"));
            Threads.await("heard", () -> heard.size() == 1);
        }
    }

    @Test
    void looksAtConnectionsThatWereIdle() throws Exception {
        try (TlsProxy own = new TlsProxy(server.port(), folder);
                RedisClient client = RedisClient.connect(options.withAddress(Address.tcp("localhost", own.port())));
                RedisClient plain = RedisClient.connect(server.uri())) {
            long id = client.execute(Connection.clientId());
            Pool.sleep(30_000_000);
            assertEquals(id, client.execute(Connection.clientId()));
            plain.execute(io.samewire.redis.command.Commands.of("CLIENT KILL", "TYPE", "normal", "SKIPME", "yes"));
            Threads.await("the proxy has passed it on", () -> own.carried() == 0);
            Pool.sleep(30_000_000);
            assertEquals(1, client.execute(Strings.incr("idle")));
        }
    }

    @Test
    @Tag("hard")
    void looksAtAConnectionWithoutWaiting() {
        Deadlines deadlines = new Deadlines();
        io.samewire.redis.client.Connection made = new Dialer(options, deadlines).dial(List.of());
        try {
            made.call(Connection.ping(), 0);
            long quickest = Long.MAX_VALUE;
            for (int i = 0; i < 20; i++) {
                long start = System.nanoTime();
                for (int k = 0; k < 20; k++) {
                    assertTrue(made.poll());
                }
                quickest = Math.min(quickest, System.nanoTime() - start);
            }
            // A read with the shortest time-out of a socket takes a millisecond each time.
            assertTrue(quickest < 10_000_000, "20 looks took " + quickest + " ns");
            assertEquals("PONG", made.call(Connection.ping(), 0));
        } finally {
            made.close();
            deadlines.close();
        }
    }

    @Test
    void seesThatAConnectionWasCutWithoutAFarewell() throws Exception {
        Deadlines deadlines = new Deadlines();
        AtomicReference<Socket> carried = new AtomicReference<>();
        try (Peer wire = Peer.start(client -> {
            try (Socket server = new Socket("127.0.0.1", proxy.port())) {
                carried.set(client);
                Thread back = new Thread(() -> carry(server, client), "wire");
                back.setDaemon(true);
                back.start();
                carry(client, server);
            }
        })) {
            io.samewire.redis.client.Connection made = new Dialer(options.withAddress(Address.tcp("localhost",
                wire.address().port())), deadlines).dial(List.of());
            made.call(Connection.ping(), 0);
            assertTrue(made.poll());
            carried.get().close();
            Threads.await("seen", () -> !made.poll());
            made.close();
        } finally {
            deadlines.close();
        }
    }

    private static void carry(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cut) {
            return;
        }
    }

    @Test
    void refusesCertificatesThatNobodyVouchesForAndOtherHosts() {
        ConnectionException unknown = assertThrows(ConnectionException.class,
            () -> RedisClient.connect(options.withTls(null).withRetry(Retry.NONE)));
        assertEquals(Code.CLOSED, unknown.code());
        assertTrue(unknown.getMessage().contains("PKIX"), unknown.getMessage());
        RedisOptions other = options.withAddress(Address.tcp("127.0.0.1", proxy.port())).withRetry(Retry.NONE);
        assertThrows(ConnectionException.class, () -> RedisClient.connect(other));
        try (RedisClient client = RedisClient.connect(other.withHostVerified(false))) {
            assertEquals("PONG", client.execute(Connection.ping()));
        }
    }

    @Test
    void aHandshakeThatNeverEndsIsATimeout() {
        try (Peer silent = Peer.start(connection -> {
            InputStream in = connection.getInputStream();
            while (in.read() >= 0) {
                continue;
            }
        })) {
            long start = System.nanoTime();
            ConnectionException late = assertThrows(ConnectionException.class, () -> RedisClient.connect(options
                .withAddress(silent.address()).withConnectTimeout(Duration.ofMillis(300)).withRetry(Retry.NONE)));
            assertEquals(Code.TIMEOUT, late.code());
            assertFalse(late.mayHaveRun());
            assertTrue(System.nanoTime() - start < 60_000_000_000L);
        }
    }

    @Test
    void aStalledServerIsATimeoutAndItsLateReplyIsNobodys() {
        try (RedisClient client = RedisClient.connect(options.withCommandTimeout(Duration.ofSeconds(1))
                .withRetry(Retry.NONE))) {
            client.execute(Strings.set("stalled", "0"), Duration.ofSeconds(60));
            server.stall();
            ConnectionException late;
            try {
                late = assertThrows(ConnectionException.class, () -> client.execute(Strings.incr("stalled")));
            } finally {
                server.goOn();
            }
            assertEquals(Code.TIMEOUT, late.code());
            assertTrue(late.mayHaveRun());
            assertEquals("1", client.execute(Strings.get("stalled"), Duration.ofSeconds(60)).orElseThrow());
        }
    }
}
