package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Limits;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Strings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that send what is not a reply, or replies that are too large. */
@Timeout(180)
class HostileTest {
    private static final com.sun.management.ThreadMXBean MEMORY =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();

    private static String unescaped(String text) {
        return text.replace("\\r", "\r").replace("\\n", "\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"$1073741824\\r\\n limit_size", "*2147483648\\r\\n limit_items",
        "%2147483648\\r\\n limit_items", "HTTP/1.1_400\\r\\n malformed", "$-7\\r\\n bad_number",
        ":12x\\r\\n bad_number", "+a\\rb\\r\\n malformed", "$3\\r\\nabcdef malformed"})
    void whatCannotBeReadIsRefusedAtOnceAndNotRepeated(String reply, String code) {
        AtomicInteger calls = new AtomicInteger();
        try (Peer peer = Peer.greeting((connection, read) -> {
            if (read.contains("PING")) {
                Peer.send(connection, "+PONG\r\n");
            } else {
                calls.incrementAndGet();
                Peer.send(connection, unescaped(reply) + "x".repeat(1_000));
            }
        }); RedisClient client = RedisClient.connect(FaultsTest.patient(peer.address()))) {
            long before = MEMORY.getCurrentThreadAllocatedBytes();
            ConnectionException refused = assertThrows(ConnectionException.class,
                () -> client.execute(Strings.incr("key")));
            assertEquals(code, refused.code().toString());
            assertTrue(refused.mayHaveRun());
            assertEquals(code.startsWith("limit"), refused.getMessage().contains("larger limits"));
            assertTrue(MEMORY.getCurrentThreadAllocatedBytes() - before < 10_000_000);
            assertEquals("PONG", client.execute(Connection.ping()));
            assertThrows(ConnectionException.class, () -> client.execute(Strings.get("key")));
            assertEquals(2, calls.get());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"$1073741824\\r\\n limit_size", "*2147483648\\r\\n limit_items",
        "HTTP/1.1_400\\r\\n malformed"})
    void aReplyThatCannotBeReadFailsOneCallOfASharedConnection(String reply, String code) {
        try (Peer peer = Peer.greeting((connection, read) -> {
            if (read.contains("large")) {
                Peer.send(connection, unescaped(reply) + "x".repeat(1_000));
            } else {
                Peer.send(connection, "$5\r\nvalue\r\n".repeat(read.split("GET", -1).length - 1));
            }
        }); RedisClient client = RedisClient.connect(FaultsTest.patient(peer.address()))) {
            AsyncClient async = client.async();
            CompletableFuture<?> large = async.execute(Strings.get("large"));
            List<CompletableFuture<?>> others = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                others.add(async.execute(Strings.get("small")));
            }
            ConnectionException refused = (ConnectionException) assertThrows(CompletionException.class, large::join)
                .getCause();
            assertEquals(code, refused.code().toString());
            others.forEach(other -> assertEquals("Optional[value]", other.join().toString()));
        }
    }

    @Test
    void garbageNeverHangsAndNeverBecomesAReply() {
        Random random = new Random(11);
        byte[] alphabet = "+-:$*~%>|#_,(=!;.?0123456789\r\n\r\n\r\nabc".getBytes(StandardCharsets.ISO_8859_1);
        try (Peer peer = Peer.greeting((connection, read) -> {
            StringBuilder text = new StringBuilder();
            synchronized (random) {
                for (int i = random.nextInt(60); i >= 0; i--) {
                    text.append((char) alphabet[random.nextInt(alphabet.length)]);
                }
            }
            Peer.send(connection, text.toString());
            connection.close();
        }); RedisClient client = RedisClient.create(FaultsTest.once(peer.address()))) {
            for (int i = 0; i < 500; i++) {
                try {
                    client.execute(Strings.incr("n"));
                } catch (io.samewire.core.SamewireException refused) {
                    assertTrue(refused.getMessage().length() > 5);
                }
            }
        }
    }

    @Test
    void aReplyThatComesLaterThanItsCommandsLastOneEndsTheConnection() throws InterruptedException {
        java.util.concurrent.CountDownLatch late = new java.util.concurrent.CountDownLatch(1);
        try (Peer peer = Peer.greeting((connection, read) -> {
            Peer.send(connection, ":1\r\n");
            Pool.sleep(5_000_000);
            Peer.send(connection, ":2\r\n");
            late.countDown();
        }); RedisClient client = RedisClient.connect(FaultsTest.once(peer.address()))) {
            assertEquals(1, client.execute(Strings.incr("n")));
            late.await();
            Pool.sleep(30_000_000);
            // It is looked at before it is lent.
            assertEquals(1, client.execute(Strings.incr("n")));
        }
    }

    @Test
    void pushesAndPartsOfThemKeepTheConnection() {
        AtomicInteger connections = new AtomicInteger();
        try (Peer peer = Peer.start(connection -> {
            connections.incrementAndGet();
            java.io.InputStream in = connection.getInputStream();
            byte[] bytes = new byte[65_536];
            in.read(bytes);
            Peer.send(connection, Peer.GREETING);
            while (in.read(bytes) > 0) {
                Peer.send(connection, ":1\r\n>2\r\n+invalidate\r\n_\r\n>2\r\n+inva");
                Pool.sleep(1_000_000);
                Peer.send(connection, "lidate\r\n_\r\n");
            }
        }); RedisClient client = RedisClient.connect(FaultsTest.once(peer.address()))) {
            for (int i = 0; i < 20; i++) {
                assertEquals(1, client.execute(Strings.incr("n")));
            }
            assertEquals(1, connections.get());
        }
    }

    @Test
    void anErrorInAConversionEndsItsOwnCallAlone() {
        try (Peer peer = Peer.greeting((connection, read) ->
                Peer.send(connection, ":1\r\n".repeat(read.split("INCR", -1).length - 1)));
                RedisClient client = RedisClient.connect(FaultsTest.once(peer.address()))) {
            io.samewire.redis.command.Command<Long> broken = Strings.incr("n").map(value -> {
                throw new AssertionError("mine");
            });
            assertThrows(AssertionError.class, () -> client.execute(broken));
            CompletableFuture<Long> call = client.async().execute(broken);
            CompletionException failed = assertThrows(CompletionException.class, call::join);
            assertEquals("mine", failed.getCause().getMessage());
            assertEquals(1, client.async().execute(Strings.incr("n")).join());
            Pipeline pipeline = client.pipeline();
            Result<Long> first = pipeline.add(broken);
            Result<Long> second = pipeline.add(Strings.incr("n"));
            pipeline.execute();
            assertEquals("mine", first.failure().getCause().getMessage());
            assertEquals(1, second.get());
            assertEquals(1, client.execute(Strings.incr("n")));
        }
    }

    @Test
    void aServerThatIsTooSlowIsNotAskedAgain() {
        AtomicInteger asked = new AtomicInteger();
        try (Peer peer = Peer.greeting((connection, read) -> asked.incrementAndGet());
                RedisClient client = RedisClient.connect(FaultsTest.patient(peer.address())
                    .withCommandTimeout(java.time.Duration.ofSeconds(1)))) {
            ConnectionException late = assertThrows(ConnectionException.class,
                () -> client.execute(Strings.get("key")));
            assertEquals("timeout", late.code().toString());
            assertTrue(late.mayHaveRun());
            Threads.await("the server was asked", () -> asked.get() > 0);
            assertEquals(1, asked.get());
        }
    }

    @Test
    void repliesThatNobodyAskedForEndTheConnection() {
        try (Peer peer = Peer.greeting((connection, read) -> Peer.send(connection, ":1\r\n:2\r\n"));
                RedisClient client = RedisClient.connect(FaultsTest.once(peer.address()))) {
            for (int i = 0; i < 3; i++) {
                // Never 2.
                assertEquals(1, client.execute(Strings.incr("n")));
            }
            Pipeline pipeline = client.pipeline();
            Result<Long> counted = pipeline.add(Strings.incr("n"));
            pipeline.execute();
            assertEquals(1, counted.get());
            assertEquals(1, client.execute(Strings.incr("n")));
            assertEquals(1, client.async().execute(Strings.incr("n")).join());
        }
    }

    @Test
    void pushesBetweenRepliesAreNobodysReply() {
        try (Peer peer = Peer.greeting((connection, read) -> Peer.send(connection,
                ">2\r\n+odd\r\n:1\r\n|1\r\n+a\r\n:1\r\n>1\r\n+attributed\r\n:7\r\n>1\r\n+late\r\n"));
                RedisClient client = RedisClient.connect(FaultsTest.once(peer.address()))) {
            for (int i = 0; i < 3; i++) {
                assertEquals(7, client.execute(Strings.incr("n")));
                Pool.sleep(15_000_000);
            }
            assertEquals(1, client.poolStatistics().connections());
            assertEquals(7, client.async().execute(Strings.incr("n")).join());
        }
    }

    @Test
    void limitsAreTheClients() {
        Limits small = RedisOptions.REPLY_LIMITS.withFrameBytes(1_000);
        try (ValkeyServer server = ValkeyServer.start(); RedisClient client = RedisClient.connect(server.uri());
                RedisClient narrow = RedisClient.connect(RedisOptions.of(server.uri()).withLimits(small))) {
            client.execute(Strings.setrange("large", 80_000_000, "x"));
            assertEquals(80_000_001, client.execute(Strings.get("large")).orElseThrow().length());
            ConnectionException refused = assertThrows(ConnectionException.class,
                () -> narrow.execute(Strings.get("large")));
            assertEquals("limit_size", refused.code().toString());
            assertFalse(narrow.execute(Connection.ping()).isEmpty());
        }
    }
}
