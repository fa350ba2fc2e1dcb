package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on strings. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class StringsTest extends OnServer {
    StringsTest(int protocol) {
        super(protocol);
    }

    @Test
    void setsAndGets() {
        assertEquals(Optional.empty(), run(Strings.get("key")));
        assertTrue(run(Strings.set("key", "Grüße")));
        assertEquals(Optional.of("Grüße"), run(Strings.get("key")));
        assertEquals(7, run(Strings.strlen("key")));
        assertEquals(Optional.of("Grüße"), run(Strings.getset("key", "a")));
        assertEquals(Optional.of("a"), run(Strings.getdel("key")));
        assertEquals(Optional.empty(), run(Strings.getdel("key")));
    }

    @Test
    void setsOnConditionsAndWithExpirations() {
        assertTrue(run(Strings.set("key", "a").condition(SetCondition.NX).expiration(Expiration.ex(100))));
        assertFalse(run(Strings.set("key", "b").condition(SetCondition.NX)));
        assertTrue(run(Keys.ttl("key")) > 90);
        assertTrue(run(Strings.set("key", "b").condition(SetCondition.ifeq("a")).expiration(Expiration.KEEPTTL)));
        assertTrue(run(Keys.ttl("key")) > 90);
        assertEquals(Optional.of("b"), run(Strings.set("key", "c").get()));
        assertEquals(Optional.empty(), run(Strings.set("new", "c").expiration(Expiration.px(50_000)).get()));
        assertEquals(Optional.of("c"), run(Strings.getex("new").expiration(ExpirationOrPersist.PERSIST)));
        assertEquals(-1, run(Keys.pttl("new")));
        run(Strings.setex("key", 100, "d"));
        run(Strings.psetex("key", 100_000, "d"));
        assertFalse(run(Strings.setnx("key", "e")));
        assertFalse(run(Strings.delifeq("key", "e")));
        assertTrue(run(Strings.delifeq("key", "d")));
    }

    @Test
    void readsTextsAsStringsBytesOrAnythingElse() {
        byte[] bytes = {(byte) 0xff, 0, 13, 10};
        run(Strings.set("key", Bytes.of(bytes)));
        assertArrayEquals(bytes, run(Strings.get("key").as(Text.BYTES)).orElseThrow());
        assertEquals(Optional.of(Bytes.of(bytes)), run(Strings.get("key").as(Text.BINARY)));
        assertEquals(Optional.of("\ufffd\0\r\n"), run(Strings.get("key").as(Text.LENIENT)));
        assertEquals(Optional.of(4), run(Strings.get("key").as(in -> in.readBytes().length)));
        SamewireException error = assertThrows(SamewireException.class, () -> run(Strings.get("key")));
        assertEquals(Code.BAD_UTF8, error.code());
    }

    @Test
    void counts() {
        assertEquals(1, run(Strings.incr("n")));
        assertEquals(11, run(Strings.incrby("n", 10)));
        assertEquals(9, run(Strings.decrby("n", 2)));
        assertEquals(8, run(Strings.decr("n")));
        assertEquals(9.5, run(Strings.incrbyfloat("n", 1.5)));
        assertEquals("ERR", refused(Strings.incr("n")));
    }

    @Test
    void setsAndGetsSeveral() {
        run(Strings.mset(Map.of("a", "1", "b", "2")));
        assertEquals(List.of(Optional.of("1"), Optional.empty(), Optional.of("2")), run(Strings.mget("a", "x", "b")));
        assertEquals(List.of(Optional.of("2")), run(Strings.mget(List.of("b"))));
        assertFalse(run(Strings.msetnx(Map.of("b", "1", "c", "2"))));
        assertTrue(run(Strings.msetex(Map.of("d", "1")).condition(Condition.NX).expiration(Expiration.ex(100))));
        SamewireException error = assertThrows(SamewireException.class, () -> Strings.mget(List.of()));
        assertEquals(Code.MISUSE, error.code());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> Strings.mset(Map.of())).code());
    }

    @Test
    void changesParts() {
        assertEquals(5, run(Strings.append("key", "Hello")));
        assertEquals(11, run(Strings.append("key", " World")));
        assertEquals("World", run(Strings.getrange("key", 6, -1)));
        assertEquals("Hello", run(Strings.substr("key", 0, 4)));
        assertEquals("", run(Strings.getrange("none", 0, -1)));
        assertEquals(11, run(Strings.setrange("key", 6, "Redis")));
        assertEquals("WRONGTYPE", refused(Lists.llen("key")));
    }

    @Test
    void findsTheLongestCommonSubsequence() {
        run(Strings.mset(Map.of("key1", "ohmytext", "key2", "mynewtext")));
        assertEquals("mytext", run(Strings.lcs("key1", "key2")));
        assertEquals(6, run(Strings.lcsLen("key1", "key2")));
        LcsMatches all = run(Strings.lcsIdx("key1", "key2"));
        assertEquals(6, all.length());
        assertEquals(new LcsMatches.Match(new IndexRange(4, 7), new IndexRange(5, 8), OptionalLong.empty()),
            all.matches().get(0));
        LcsMatches long4 = run(Strings.lcsIdx("key1", "key2").minmatchlen(4).withmatchlen());
        assertEquals(List.of(OptionalLong.of(4)), long4.matches().stream().map(LcsMatches.Match::length).toList());
    }
}
