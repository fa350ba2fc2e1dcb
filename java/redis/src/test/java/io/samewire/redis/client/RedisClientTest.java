package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The blocking client on a real server. */
@Timeout(180)
class RedisClientTest extends OnOneServer {
    @Test
    void sendsCommandsAndReadsTypedReplies() {
        client.execute(Strings.set("key", "välue"));
        assertEquals(Optional.of("välue"), client.execute(Strings.get("key")));
        assertEquals(Optional.empty(), client.execute(Strings.get("none")));
        assertEquals(2, client.execute(Lists.rpush("list", "a", "b")));
        assertEquals(List.of("a", "b"), client.execute(Lists.lrange("list", 0, -1)));
        byte[] bytes = {0, 13, 10, (byte) 0xff};
        client.execute(Strings.set("bytes", Bytes.of(bytes)));
        assertArrayEquals(bytes, client.execute(Commands.of(ReplyReader::readBytes, "GET", "bytes")));
    }

    @Test
    void saysWhichCommandWasRefused() {
        client.execute(Strings.set("text", "a"));
        String message = "WRONGTYPE Operation against a key holding the wrong kind of value (LPUSH)";
        assertEquals(message, assertThrows(RedisException.class, () -> client.execute(Lists.lpush("text", "b")))
            .getMessage());
        Pipeline pipeline = client.pipeline();
        Result<Long> refused = pipeline.add(Lists.lpush("text", "b"));
        pipeline.execute();
        assertEquals(message, refused.failure().getMessage());
        assertEquals(message, assertThrows(java.util.concurrent.CompletionException.class,
            () -> client.async().execute(Lists.lpush("text", "b")).join()).getCause().getMessage());
        assertThrows(io.samewire.core.SamewireException.class, () -> Strings.set("text", null));
    }

    @Test
    void keepsTheConnectionAfterErrorsOfTheServerAndOfConversions() {
        client.execute(Strings.set("text", "not a number"));
        RedisException error = assertThrows(RedisException.class, () -> client.execute(Strings.incr("text")));
        assertEquals("ERR", error.word());
        assertEquals(Code.UNSUPPORTED, error.code());
        assertTrue(error.getStackTrace().length > 0);
        client.execute(Strings.set("bytes", Bytes.of(new byte[] {(byte) 0xff})));
        SamewireException odd = assertThrows(SamewireException.class, () -> client.execute(Strings.get("bytes")));
        assertEquals(Code.BAD_UTF8, odd.code());
        assertThrows(SamewireException.class, () -> client.execute(Strings.get("\ud800")));
        assertEquals("not a number", client.execute(Strings.get("text")).orElseThrow());
        assertEquals(1, client.poolStatistics().connections());
    }

    @Test
    void readsLargeRepliesAndWritesLargeCommands() {
        String large = "x".repeat(10_000_000);
        client.execute(Strings.set("large", large));
        assertEquals(large, client.execute(Strings.get("large")).orElseThrow());
        assertEquals("PONG", client.execute(Connection.ping()));
    }

    @Test
    void serversWithoutHelloAreSpokenToWithResp2() {
        try (ValkeyServer old = ValkeyServer.start("--rename-command", "HELLO", "");
                RedisClient two = RedisClient.connect(old.uri())) {
            io.samewire.redis.client.Connection connection = two.borrow(CallTime.within(5_000_000_000L));
            assertEquals(2, connection.protocol());
            two.release(connection);
            assertEquals("PONG", two.execute(Connection.ping()));
        }
        io.samewire.redis.client.Connection connection = client.borrow(CallTime.within(5_000_000_000L));
        assertEquals(3, connection.protocol());
        client.release(connection);
    }

    @Test
    void authenticatesWithPasswordAndWithUser() {
        try (ValkeyServer closed = ValkeyServer.start("--requirepass", "sesame", "--user", "alice", "on", ">w0nder",
                "~*", "+@all")) {
            RedisOptions options = RedisOptions.of(closed.uri());
            for (int protocol : new int[] {2, 3}) {
                RedisOptions one = options.withProtocol(protocol);
                try (RedisClient other = RedisClient.connect(one.withCredentials(null, "sesame"))) {
                    assertEquals("default", other.execute(Commands.of("ACL WHOAMI")).toString());
                }
                try (RedisClient other = RedisClient.connect(one.withCredentials("alice", "w0nder"))) {
                    assertEquals("alice", other.execute(Commands.of("ACL WHOAMI")).toString());
                }
                RedisException wrong = assertThrows(RedisException.class,
                    () -> RedisClient.connect(one.withCredentials("alice", "wrong")));
                assertEquals("WRONGPASS", wrong.word());
            }
            RedisException none = assertThrows(RedisException.class, () -> RedisClient.connect(options));
            assertEquals("NOAUTH", none.word());
        }
    }

    @Test
    void asksForCredentialsAtEachConnect() {
        try (ValkeyServer closed = ValkeyServer.start("--user", "token", "on", ">one", "~*", "+@all")) {
            AtomicReference<Credentials> current = new AtomicReference<>(new Credentials("token", "old"));
            RedisOptions options = RedisOptions.of(closed.uri()).withRetry(Retry.NONE).withConnections(1);
            for (int protocol : new int[] {2, 3}) {
                RedisOptions one = options.withProtocol(protocol).withCredentials(current::get);
                try (RedisClient other = RedisClient.create(one)) {
                    assertEquals("WRONGPASS", assertThrows(RedisException.class,
                        () -> other.execute(Connection.ping())).word());
                    current.set(new Credentials("token", "one"));
                    assertEquals("token", other.execute(Commands.of("ACL WHOAMI")).toString());
                    assertEquals("token", other.async().execute(Commands.of("ACL WHOAMI")).join().toString());
                    current.set(null);
                    assertEquals("PONG", other.execute(Connection.ping()));
                    assertEquals(1, other.poolStatistics().opened());
                }
                try (RedisClient other = RedisClient.create(one)) {
                    assertEquals(Code.MISUSE, assertThrows(SamewireException.class,
                        () -> other.execute(Connection.ping())).code());
                    assertEquals(0, other.poolStatistics().connections());
                }
                current.set(new Credentials("token", "old"));
            }
            assertFalse(current.get().toString().contains("old"));
        }
    }

    @Test
    void aCallMayHaveATimeOfItsOwn() {
        try (RedisClient one = RedisClient.connect(RedisOptions.of(server.uri()).withConnections(1)
                .withCommandTimeout(Duration.ofHours(1)))) {
            Command<?> endless = Lists.blpop(Duration.ZERO, "nothing");
            ConnectionException late = assertThrows(ConnectionException.class,
                () -> one.execute(endless, Duration.ofSeconds(1)));
            assertEquals(Code.TIMEOUT, late.code());
            assertTrue(late.mayHaveRun());
            assertEquals("PONG", one.execute(Connection.ping(), Duration.ofMinutes(1)));
            assertEquals(new PoolStatistics(1, 1, 0, 2, 1), one.poolStatistics());
            io.samewire.redis.client.Connection held = one.borrow(CallTime.within(5_000_000_000L));
            late = assertThrows(ConnectionException.class,
                () -> one.execute(Connection.ping(), Duration.ofMillis(50)));
            assertEquals(Code.TIMEOUT, late.code());
            assertFalse(late.mayHaveRun());
            one.release(held);
            assertThrows(SamewireException.class, () -> one.execute(Connection.ping(), Duration.ZERO));
            assertThrows(SamewireException.class,
                () -> one.execute(Commands.of("MULTI"), Duration.ofSeconds(1)));
        }
    }

    @Test
    void usesItsDatabaseAndName() {
        RedisOptions options = RedisOptions.of(server.uri() + "/5?client_name=tester");
        try (RedisClient five = RedisClient.connect(options)) {
            five.execute(Strings.set("here", "5"));
            assertEquals(Optional.empty(), client.execute(Strings.get("here")));
            assertEquals("tester", five.execute(Commands.of("CLIENT GETNAME")).toString());
        }
        RedisException missing = assertThrows(RedisException.class,
            () -> RedisClient.connect(RedisOptions.of(server.uri() + "/99")));
        assertEquals("ERR", missing.word());
    }

    @Test
    void connectsOverUnixSockets() {
        try (ValkeyServer unix = ValkeyServer.startUnix();
                RedisClient over = RedisClient.connect(unix.uri() + "?db=1")) {
            over.execute(Strings.set("key", "value"));
            assertEquals("value", over.execute(Strings.get("key")).orElseThrow());
        }
    }

    @Test
    void connectionsThatNobodyNeedsAnyMoreAreClosed() {
        try (RedisClient pooled = RedisClient.connect(RedisOptions.of(server.uri()).withIdleTimeout(
                Duration.ofMillis(20)))) {
            List<io.samewire.redis.client.Connection> lent = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                lent.add(pooled.borrow(CallTime.within(5_000_000_000L)));
            }
            lent.forEach(pooled::release);
            for (int turn = 0; turn < 4; turn++) {
                Pool.sleep(30_000_000);
                assertEquals("PONG", pooled.execute(Connection.ping()));
            }
            assertEquals(1, pooled.poolStatistics().connections());
            assertEquals(1, pooled.poolStatistics().idle());
        }
    }

    @Test
    void manyThreadsShareFewConnections() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(32);
        try (RedisClient few = RedisClient.connect(RedisOptions.of(server.uri()).withConnections(3))) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 32; t++) {
                int name = t;
                all.add(threads.submit(() -> {
                    for (int i = 0; i < 200; i++) {
                        assertEquals(name + "-" + i, few.execute(Connection.echo(name + "-" + i)));
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
            assertTrue(few.poolStatistics().connections() <= 3);
            assertEquals(few.poolStatistics().connections(), few.poolStatistics().idle());
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void waitsForAConnectionNoLongerThanTheTimeout() {
        RedisOptions options = RedisOptions.of(server.uri()).withConnections(1)
            .withCommandTimeout(Duration.ofMillis(200)).withRetry(Retry.NONE);
        try (RedisClient one = RedisClient.connect(options)) {
            io.samewire.redis.client.Connection held = one.borrow(CallTime.within(5_000_000_000L));
            ConnectionException late = assertThrows(ConnectionException.class, () -> one.execute(Strings.incr("n")));
            assertEquals(Code.TIMEOUT, late.code());
            assertFalse(late.mayHaveRun());
            one.release(held);
            assertEquals(1, one.execute(Strings.incr("n"), Duration.ofSeconds(60)));
        }
    }

    @Test
    void idleConnectionsAreKeptWhileTheServerKeepsThem() {
        try (RedisClient one = RedisClient.connect(RedisOptions.of(server.uri()).withConnections(1)
                .withRetry(Retry.NONE))) {
            long id = one.execute(Connection.clientId());
            Pool.sleep(30_000_000);
            assertEquals(id, one.execute(Connection.clientId()));
            client.execute(Commands.of("CLIENT KILL", "ID", String.valueOf(id)));
            Pool.sleep(30_000_000);
            // It may not be repeated, and need not be.
            assertEquals(1, one.execute(Strings.incr("n")));
            assertTrue(id < one.execute(Connection.clientId()));
        }
    }

    @Test
    void blockingCommandsMayWaitLongerThanOthers() {
        // What is left when the server has waited is a command's time: of one, not of half a second.
        RedisOptions options = RedisOptions.of(server.uri()).withCommandTimeout(Duration.ofSeconds(1));
        try (RedisClient quick = RedisClient.connect(options.withRetry(Retry.NONE))) {
            Threads.together(List.of(
                () -> assertEquals(ReplyType.NULL, quick.execute(Commands.of("BLPOP", "none", "1.5")).type()),
                () -> assertEquals("[some, item]", quick.execute(Commands.of("BLPOP", "some", "0")).toString()),
                () -> {
                    Pool.sleep(1_500_000_000);
                    client.execute(Lists.rpush("some", "item"));
                }));
        }
    }

    @Test
    void refusesWhatWouldChangeConnectionsOfOthers() {
        for (String name : List.of("SELECT", "MULTI", "SUBSCRIBE", "MONITOR", "CLIENT REPLY", "HELLO", "quit")) {
            SamewireException refused = assertThrows(SamewireException.class,
                () -> client.execute(Commands.of(name, "1")));
            assertEquals(Code.MISUSE, refused.code());
        }
        assertThrows(SamewireException.class, () -> client.execute(Commands.of("CLIENT", "REPLY", "OFF")));
        assertThrows(SamewireException.class, () -> client.pipeline().add(Commands.of("SELECT", "1")));
        assertThrows(SamewireException.class, () -> client.async().execute(Commands.of("SELECT", "1")));
    }

    @Test
    void scansAllKeys() {
        Set<String> keys = new TreeSet<>();
        for (int i = 0; i < 1_000; i++) {
            keys.add("user:" + i);
        }
        Pipeline pipeline = client.pipeline();
        keys.forEach(key -> pipeline.add(Strings.set(key, "1")));
        pipeline.add(Strings.set("other", "1"));
        pipeline.execute();
        assertEquals(keys, client.scan(cursor -> Keys.scan(cursor).match("user:*").count(50))
            .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void scriptsAreSentOnce() {
        Script<Long> add = Script.of("return redis.call('INCRBY', KEYS[1], ARGV[1])", ReplyReader::readLong);
        assertEquals(5, add.run(client, List.of("n"), "5"));
        assertEquals(7, add.run(client, List.of("n"), "2"));
        client.execute(Commands.of("SCRIPT FLUSH"));
        assertEquals(8, add.run(client.async(), List.of("n"), "1").join());
        assertEquals(10, client.execute(add.byDigest(List.of("n"), "2")));
        assertThrows(RedisException.class, () -> Script.of("return nonsense(").run(client, List.of()));
    }

    @Test
    void monitorSeesCommands() {
        Monitor monitor = client.monitor();
        try {
            client.execute(Strings.set("key\n\"x\\", Bytes.of(new byte[] {0, (byte) 0xff})));
            MonitoredCommand seen = monitor.next();
            assertEquals("SET", seen.words().get(0).text());
            assertEquals("key\n\"x\\", seen.words().get(1).text());
            assertArrayEquals(new byte[] {0, (byte) 0xff}, seen.words().get(2).toByteArray());
            assertTrue(seen.client().startsWith("127.0.0.1:"), seen.client());
            new Thread(() -> {
                Pool.sleep(100_000_000);
                monitor.close();
            }).start();
            ConnectionException closed = assertThrows(ConnectionException.class, monitor::next);
            assertEquals(Code.CLOSED, closed.code());
        } finally {
            monitor.close();
        }
    }

    @Test
    void closedClientsRefuse() {
        RedisClient brief = RedisClient.connect(server.uri());
        brief.async().execute(Strings.incr("n")).join();
        brief.close();
        brief.close();
        assertEquals(Code.CLOSED, assertThrows(ConnectionException.class,
            () -> brief.execute(Strings.get("n"))).code());
        CompletionException late = assertThrows(CompletionException.class,
            () -> brief.async().execute(Strings.get("n")).join());
        assertEquals(Code.CLOSED, ((ConnectionException) late.getCause()).code());
    }
}
