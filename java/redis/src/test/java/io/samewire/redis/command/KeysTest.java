package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.ValkeyServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on keys. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class KeysTest extends OnServer {
    KeysTest(int protocol) {
        super(protocol);
    }

    @Test
    void deletesCopiesAndRenames() {
        run(Strings.mset(Map.of("a", "1", "b", "2")));
        assertEquals(3, run(Keys.exists("a", "b", "a", "x")));
        assertEquals(1, run(Keys.touch("a", "x")));
        assertTrue(run(Keys.copy("a", "c")));
        assertFalse(run(Keys.copy("a", "c")));
        assertTrue(run(Keys.copy("a", "c").db(1).replace()));
        run(Keys.rename("c", "d"));
        assertEquals("ERR", refused(Keys.rename("x", "y")));
        assertFalse(run(Keys.renamenx("d", "a")));
        assertTrue(run(Keys.move("d", 2)));
        assertEquals(2, run(Keys.del(List.of("a", "b", "x"))));
        assertEquals(0, run(Keys.unlink("a")));
    }

    @Test
    void expires() {
        run(Strings.set("key", "a"));
        assertEquals(-1, run(Keys.ttl("key")));
        assertEquals(-2, run(Keys.pttl("x")));
        assertTrue(run(Keys.expire("key", 100)));
        assertFalse(run(Keys.expire("key", 50).condition(ExpiryCondition.GT)));
        assertTrue(run(Keys.pexpire("key", 90_000).condition(ExpiryCondition.LT)));
        assertTrue(run(Keys.expireat("key", 2_000_000_000)));
        assertEquals(2_000_000_000, run(Keys.expiretime("key")));
        assertTrue(run(Keys.pexpireat("key", 2_000_000_000_001L)));
        assertEquals(2_000_000_000_001L, run(Keys.pexpiretime("key")));
        assertTrue(run(Keys.persist("key")));
        assertFalse(run(Keys.persist("key")));
    }

    @Test
    void findsKeys() {
        assertEquals(Optional.empty(), run(Keys.randomkey()));
        run(Strings.set("key", "a"));
        assertEquals(Optional.of("key"), run(Keys.randomkey()));
        assertEquals(List.of("key"), run(Keys.keys("k*")));
        assertEquals(List.of("key"), run(Keys.scan("0").match("k*").count(10).type("string")).items());
        assertEquals("string", run(Keys.type("key")));
        assertEquals("none", run(Keys.type("x")));
        assertEquals(Optional.of("embstr"), run(Keys.objectEncoding("key")));
        assertEquals(Optional.empty(), run(Keys.objectEncoding("x")));
        assertEquals(OptionalLong.of(1), run(Keys.objectRefcount("key")));
        assertTrue(run(Keys.objectIdletime("key")).isPresent());
        assertEquals(OptionalLong.empty(), run(Keys.objectIdletime("x")));
    }

    @Test
    void dumpsAndRestores() {
        assertTrue(run(Keys.dump("key")).isEmpty());
        run(Strings.set("key", "a"));
        Bytes dump = Bytes.of(run(Keys.dump("key")).orElseThrow());
        run(Keys.restore("b", 0, dump));
        assertEquals("BUSYKEY", refused(Keys.restore("b", 0, dump)));
        run(Keys.restore("b", 1_000, dump).replace());
        assertEquals(Optional.of("a"), run(Strings.get("b")));
        run(Keys.restoreAsking("c", 0, dump));
    }

    @Test
    void migrates() {
        run(Strings.mset(Map.of("a", "1", "b", "2")));
        try (ValkeyServer other = ValkeyServer.start()) {
            Duration second = Duration.ofSeconds(1);
            assertEquals("OK", run(Keys.migrate("127.0.0.1", other.port(), "a", 0, second)));
            assertEquals("OK", run(Keys.migrateKeys("127.0.0.1", other.port(), 0, second, "b").copy().replace()));
            assertEquals("NOKEY", run(Keys.migrate("127.0.0.1", other.port(), "a", 0, second)));
        }
    }

    @Test
    void sorts() {
        run(Lists.rpush("key", "3", "1", "2"));
        run(Strings.mset(Map.of("w1", "30", "w2", "20")));
        assertEquals(List.of(Optional.of("1"), Optional.of("2"), Optional.of("3")), run(Keys.sort("key")));
        assertEquals(List.of(Optional.of("3")), run(Keys.sort("key").order(Order.DESC).limit(0, 1)));
        assertEquals(List.of(Optional.of("1"), Optional.of("30"), Optional.of("2"), Optional.of("20"),
            Optional.of("3"), Optional.empty()), run(Keys.sort("key").get("#").get("w*")));
        assertEquals(3, run(Keys.sort("key").alpha().store("to")));
        assertEquals(3, run(Keys.sortRo("key")).size());
    }

    @Test
    void waitsForReplicas() {
        assertEquals(0, run(Keys.waitReplicas(0, Duration.ofMillis(5))));
        assertEquals(List.of(0L, 0L), run(Keys.waitaof(0, 0, Duration.ofMillis(5))));
    }
}
