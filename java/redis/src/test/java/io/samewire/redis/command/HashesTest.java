package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on hashes. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class HashesTest extends OnServer {
    HashesTest(int protocol) {
        super(protocol);
    }

    @Test
    void setsAndGetsFields() {
        assertEquals(1, run(Hashes.hset("key", "b", "1")));
        assertEquals(1, run(Hashes.hset("key", Sent.map("a", "2", "b", "3"))));
        assertEquals(Map.of("b", "3", "a", "2"), run(Hashes.hgetall("key")));
        assertEquals(List.of("b", "a"), List.copyOf(run(Hashes.hgetall("key")).keySet()));
        assertEquals(Map.of(), run(Hashes.hgetall("none")));
        assertEquals(Optional.of("2"), run(Hashes.hget("key", "a")));
        assertEquals(Optional.empty(), run(Hashes.hget("key", "x")));
        assertEquals(List.of(Optional.of("2"), Optional.empty()), run(Hashes.hmget("key", "a", "x")));
        assertEquals(List.of("b", "a"), run(Hashes.hkeys("key")));
        assertEquals(List.of("3", "2"), run(Hashes.hvals("key")));
        assertTrue(run(Hashes.hexists("key", "a")));
        assertFalse(run(Hashes.hsetnx("key", "a", "9")));
        assertEquals(2, run(Hashes.hlen("key")));
        assertEquals(1, run(Hashes.hstrlen("key", "a")));
        assertEquals(1, run(Hashes.hdel("key", "a", "x")));
        assertEquals(1, run(Hashes.hdel("key", List.of("b"))));
        run(Hashes.hmset("key", Map.of("a", "1")));
    }

    @Test
    void readsValuesAndFieldsAsAsked() {
        run(Hashes.hset("key", Bytes.of(new byte[] {(byte) 0xff}), Bytes.of(new byte[] {(byte) 0xfe})));
        Map<Bytes, Bytes> found = run(Hashes.hgetall("key").as(Text.BINARY, Text.BINARY));
        assertEquals(Map.of(Bytes.of(new byte[] {(byte) 0xff}), Bytes.of(new byte[] {(byte) 0xfe})), found);
        run(Hashes.hset("numbers", "a", "5"));
        assertEquals(Map.of("a", 5L), run(Hashes.hgetall("numbers").as(ReplyReader::readLong)));
    }

    @Test
    void counts() {
        assertEquals(5, run(Hashes.hincrby("key", "a", 5)));
        assertEquals(6.5, run(Hashes.hincrbyfloat("key", "a", 1.5)));
    }

    @Test
    void picksFieldsAtRandom() {
        assertEquals(Optional.empty(), run(Hashes.hrandfield("none")));
        assertEquals(List.of(), run(Hashes.hrandfield("none", 3)));
        run(Hashes.hset("key", "a", "1"));
        assertEquals(Optional.of("a"), run(Hashes.hrandfield("key")));
        assertEquals(List.of("a", "a"), run(Hashes.hrandfield("key", -2)));
        assertEquals(List.of(new Field<>("a", "1")), run(Hashes.hrandfield("key", 2).withvalues()));
    }

    @Test
    void scans() {
        run(Hashes.hset("key", Sent.map("a", "1", "b", "2")));
        ScanPage<Field<String, String>> page = run(Hashes.hscan("key", ScanPage.START).match("a*").count(100));
        assertTrue(page.isLast());
        assertEquals(List.of(new Field<>("a", "1")), page.items());
        assertEquals(List.of("a", "b"), run(Hashes.hscan("key", ScanPage.START).novalues()).items());
    }

    @Test
    void expiresFields() {
        run(Hashes.hset("key", "a", "1"));
        assertEquals(List.of(1L, -2L), run(Hashes.hexpire("key", 100, "a", "x")));
        assertEquals(List.of(0L), run(Hashes.hexpire("key", 100, "a").condition(ExpiryCondition.NX)));
        assertTrue(run(Hashes.httl("key", "a")).get(0) > 90);
        assertEquals(List.of(1L), run(Hashes.hpersist("key", "a")));
        assertEquals(List.of(-1L), run(Hashes.hpttl("key", "a")));
        assertEquals(List.of(1L), run(Hashes.hpexpireat("key", 2_000_000_000_000L, "a")));
        assertEquals(List.of(2_000_000_000L), run(Hashes.hexpiretime("key", "a")));
        assertEquals(List.of(2_000_000_000_000L), run(Hashes.hpexpiretime("key", "a")));
        assertTrue(run(Hashes.hsetex("key", Map.of("b", "2")).expiration(Expiration.ex(100))));
        assertFalse(run(Hashes.hsetex("key", Map.of("b", "3")).fieldsCondition(FieldsCondition.FNX)));
        assertEquals(List.of(Optional.of("2"), Optional.empty()),
            run(Hashes.hgetex("key", "b", "x").expiration(ExpirationOrPersist.PERSIST)));
        assertEquals(List.of(Optional.of("2"), Optional.empty()), run(Hashes.hgetdel("key", "b", "x")));
        assertEquals(List.of(Optional.empty()), run(Hashes.hgetdel("none", "b")));
    }
}
