package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.Expiration;
import io.samewire.redis.command.ExpiryCondition;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.SetCondition;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import io.samewire.redis.resp.RedisException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The guides' strings, keys, times to live and scans. */
class StringsAndKeysTest extends OnOneServer {
    @Test
    void setsAndGets() {
        run(Strings.set("shelf:1", "novels"));
        assertEquals(Optional.of("novels"), run(Strings.get("shelf:1")));
        assertEquals(Optional.empty(), run(Strings.get("shelf:2")));
    }

    @Test
    void setsOnCondition() {
        run(Strings.set("shelf:1", "novels"));
        assertFalse(run(Strings.setnx("shelf:1", "poems")));
        assertEquals("novels", run(Strings.get("shelf:1")).orElseThrow());
        assertTrue(run(Strings.set("shelf:1", "poems").condition(SetCondition.XX)));
        assertFalse(run(Strings.set("shelf:9", "poems").condition(SetCondition.XX)));
        assertEquals(Optional.of("poems"), run(Strings.set("shelf:1", "plays").get()));
    }

    @Test
    void setsAndGetsManyAtOnce() {
        run(Strings.mset(Map.of("shelf:1", "novels", "shelf:2", "poems", "shelf:3", "plays")));
        assertEquals(List.of(Optional.of("novels"), Optional.of("plays"), Optional.empty()),
            run(Strings.mget("shelf:1", "shelf:3", "shelf:9")));
    }

    @Test
    void counts() {
        run(Strings.set("visits", "0"));
        assertEquals(1, run(Strings.incr("visits")));
        assertEquals(11, run(Strings.incrby("visits", 10)));
        assertEquals(9, run(Strings.decrby("visits", 2)));
        assertEquals(9.5, run(Strings.incrbyfloat("visits", 0.5)));
    }

    @Test
    void keepsBytes() {
        byte[] picture = {(byte) 0xff, 0, 1};
        run(Strings.set("cover", io.samewire.redis.command.Bytes.wrap(picture)));
        assertEquals(3, run(Strings.get("cover").as(Text.BYTES)).orElseThrow().length);
        assertEquals(3, run(Strings.strlen("cover")));
    }

    @Test
    void deletes() {
        run(Strings.mset(Map.of("one", "1", "two", "2")));
        assertEquals(2, run(Keys.del("one", "two", "three")));
        assertEquals(0, run(Keys.exists("one")));
    }

    @Test
    void expires() {
        run(Strings.set("session", "open").expiration(Expiration.ex(10)));
        assertTrue(run(Keys.ttl("session")) > 5);
        run(Strings.set("session", "open"));
        assertEquals(-1, run(Keys.ttl("session")));
        assertFalse(run(Keys.expire("session", 10).condition(ExpiryCondition.XX)));
        assertTrue(run(Keys.expire("session", 10).condition(ExpiryCondition.NX)));
        assertTrue(run(Keys.persist("session")));
        assertEquals(-2, run(Keys.ttl("nothing")));
        run(Strings.setex("session", 20, "open"));
        assertEquals(Optional.of("open"), run(Strings.getex("session")));
    }

    @Test
    void tellsTypesApart() {
        run(Strings.set("shelf", "novels"));
        assertEquals("string", run(Keys.type("shelf")));
        RedisException wrong = assertThrows(RedisException.class, () -> run(Lists.lpush("shelf", "Carrie")));
        assertEquals("WRONGTYPE", wrong.word());
    }

    @Test
    void listsAndScansKeys() {
        for (int number = 0; number < 100; number++) {
            run(Strings.set("book:" + number, "x"));
        }
        run(Strings.set("other", "x"));
        assertEquals(101, run(Server.dbsize()));
        assertEquals(10, run(Keys.keys("book:1?")).size());
        Set<String> found = client.scan(cursor -> Keys.scan(cursor).match("book:*").count(20))
            .collect(Collectors.toSet());
        assertEquals(100, found.size());
        run(Server.flushall());
        assertEquals(List.of(), run(Keys.keys("*")));
    }

    @Test
    void renamesAndSorts() {
        run(Lists.rpush("years", "1986", "1974", "1981"));
        assertEquals(List.of(Optional.of("1974"), Optional.of("1981"), Optional.of("1986")), run(Keys.sort("years")));
        run(Keys.rename("years", "dates"));
        assertEquals(1, run(Keys.exists("dates")));
        assertTrue(run(Keys.copy("dates", "copies")));
    }
}
