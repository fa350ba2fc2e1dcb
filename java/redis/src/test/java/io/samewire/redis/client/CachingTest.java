package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Hashes;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.Strings;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Client-side caching on a real server. */
@Timeout(180)
class CachingTest {
    private static ValkeyServer server;
    private static RedisClient plain;
    private RedisClient client;

    @BeforeAll
    static void startServer() {
        server = ValkeyServer.start();
        plain = RedisClient.connect(server.uri());
    }

    @AfterAll
    static void stopServer() {
        plain.close();
        server.close();
    }

    @BeforeEach
    void start() {
        plain.execute(Server.flushall());
        client = RedisClient.connect(RedisOptions.of(server.uri()).withCache(100, 1 << 20));
    }

    @AfterEach
    void stop() {
        client.close();
    }

    private long hits() {
        return client.cacheStatistics().hits();
    }

    @Test
    void repliesAreKeptUntilTheirKeysChange() {
        plain.execute(Strings.set("key", "1"));
        assertEquals("1", client.execute(Strings.get("key")).orElseThrow());
        assertEquals("1", client.execute(Strings.get("key")).orElseThrow());
        assertEquals(1, hits());
        plain.execute(Strings.set("key", "2"));
        Threads.await("invalidated", () -> client.cacheStatistics().invalidated() == 1);
        assertEquals("2", client.execute(Strings.get("key")).orElseThrow());
        assertEquals(1, hits());
        assertEquals("2", client.execute(Strings.get("key")).orElseThrow());
        assertEquals(2, hits());
        assertNull(plain.cacheStatistics());
    }

    @Test
    void valuesAreTheCallersOwn() {
        plain.execute(Lists.rpush("list", "a"));
        List<String> first = client.execute(Lists.lrange("list", 0, -1));
        List<String> second = client.execute(Lists.lrange("list", 0, -1));
        assertEquals(first, second);
        assertTrue(first != second);
        assertEquals(1, hits());
        assertEquals(Optional.empty(), client.execute(Hashes.hget("none", "field")));
        assertEquals(Optional.empty(), client.execute(Hashes.hget("none", "field")));
        assertEquals(2, hits());
    }

    @Test
    void theClientReadsWhatItWrote() {
        for (int i = 0; i < 500; i++) {
            client.execute(Strings.set("own", String.valueOf(i)));
            assertEquals(String.valueOf(i), client.execute(Strings.get("own")).orElseThrow());
            Pipeline pipeline = client.pipeline();
            pipeline.add(Strings.set("own", i + "p"));
            pipeline.execute();
            assertEquals(i + "p", client.execute(Strings.get("own")).orElseThrow());
            client.async().execute(Strings.set("own", i + "a")).join();
            assertEquals(i + "a", client.execute(Strings.get("own")).orElseThrow());
            try (Transaction work = client.transaction()) {
                work.add(Strings.set("own", i + "t"));
                work.exec();
            }
            assertEquals(i + "t", client.execute(Strings.get("own")).orElseThrow());
        }
    }

    @Test
    void nothingOldStaysUnderTraffic() {
        AtomicLongArray written = new AtomicLongArray(4);
        long[] end = {System.nanoTime() + 1_000_000_000L};
        Threads.Work write = () -> {
            for (long i = 1; System.nanoTime() < end[0]; i++) {
                int key = (int) (i % 4);
                plain.execute(Strings.set("k" + key, String.valueOf(i)));
                written.set(key, i);
            }
        };
        Threads.Work read = () -> {
            long[] last = new long[4];
            Random random = new Random(7);
            while (System.nanoTime() < end[0]) {
                int key = random.nextInt(4);
                long found = Long.parseLong(client.execute(Strings.get("k" + key)).orElse("0"));
                assertTrue(found >= last[key], "went back from " + last[key] + " to " + found);
                last[key] = found;
            }
        };
        Threads.together(List.of(write, read, read));
        Threads.await("the last values", () -> {
            for (int key = 0; key < 4; key++) {
                if (Long.parseLong(client.execute(Strings.get("k" + key)).orElse("0")) != written.get(key)) {
                    return false;
                }
            }
            return true;
        });
        assertTrue(hits() > 0);
    }

    @Test
    void everythingIsDroppedWithTheConnection() {
        plain.execute(Strings.set("key", "1"));
        client.execute(Strings.get("key"));
        plain.execute(Commands.of("CLIENT KILL", "TYPE", "normal", "SKIPME", "yes"));
        Threads.await("flushed", () -> client.cacheStatistics().flushes() == 1);
        plain.execute(Strings.set("key", "2"));
        assertEquals("2", client.execute(Strings.get("key")).orElseThrow());
        plain.execute(Strings.set("key", "3"));
        Threads.await("tracked again", () -> client.execute(Strings.get("key")).orElseThrow().equals("3"));
        plain.execute(Server.flushall());
        Threads.await("flushed", () -> client.execute(Strings.get("key")).isEmpty());
    }

    @Test
    void theOldestGoFirst() {
        for (int i = 0; i < 200; i++) {
            client.execute(Strings.get("k" + i));
            client.execute(Strings.get("k0"));
        }
        CacheStatistics counts = client.cacheStatistics();
        assertEquals(100, counts.entries());
        assertEquals(100, counts.evicted());
        assertEquals(200, counts.hits());
        plain.execute(Strings.set("large", "x".repeat(2_000_000)));
        client.execute(Strings.get("large"));
        assertTrue(client.cacheStatistics().bytes() <= 1 << 20);
    }

    @Test
    void whatChangesByItselfIsNotKept() {
        plain.execute(Commands.of("SET", "key", "1", "EX", "100"));
        client.execute(Commands.of("TTL", "key"));
        client.execute(Commands.of("TTL", "key"));
        client.execute(Commands.of("RANDOMKEY"));
        assertEquals(0, client.cacheStatistics().misses());
        assertThrows(SamewireException.class, () -> client.execute(Commands.of("CLIENT TRACKING", "OFF")));
    }

    @Test
    void resp2CannotCache() {
        try (RedisClient two = RedisClient.connect(RedisOptions.of(server.uri()).withProtocol(2).withCache(10, 1000))) {
            SamewireException refused = assertThrows(SamewireException.class, () -> two.execute(Strings.get("key")));
            assertEquals(Code.UNSUPPORTED, refused.code());
        }
    }
}
