package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on sets. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class SetsTest extends OnServer {
    SetsTest(int protocol) {
        super(protocol);
    }

    @Test
    void addsAndRemoves() {
        assertEquals(2, run(Sets.sadd("key", "a", "b", "a")));
        assertEquals(2, run(Sets.scard("key")));
        assertEquals(Set.of("a", "b"), run(Sets.smembers("key")));
        assertEquals(Set.of(), run(Sets.smembers("none")));
        assertTrue(run(Sets.sismember("key", "a")));
        assertEquals(List.of(true, false), run(Sets.smismember("key", "a", "x")));
        assertTrue(run(Sets.smove("key", "to", "a")));
        assertFalse(run(Sets.smove("key", "to", "a")));
        assertEquals(1, run(Sets.srem("key", "b", "x")));
    }

    @Test
    void combines() {
        run(Sets.sadd("a", "1", "2", "3"));
        run(Sets.sadd("b", "2", "3", "4"));
        assertEquals(Set.of("1"), run(Sets.sdiff("a", "b")));
        assertEquals(Set.of("2", "3"), run(Sets.sinter("a", "b")));
        assertEquals(Set.of("1", "2", "3", "4"), run(Sets.sunion(List.of("a", "b"))));
        assertEquals(Set.of(1L), run(Sets.sdiff("a", "b").as(ReplyReader::readLong)));
        assertEquals(2, run(Sets.sintercard("a", "b")));
        assertEquals(1, run(Sets.sintercard("a", "b").limit(1)));
        assertEquals(1, run(Sets.sdiffstore("to", "a", "b")));
        assertEquals(2, run(Sets.sinterstore("to", "a", "b")));
        assertEquals(4, run(Sets.sunionstore("to", "a", "b")));
    }

    @Test
    void picksMembersAtRandom() {
        assertEquals(Optional.empty(), run(Sets.spop("key")));
        assertEquals(Set.of(), run(Sets.spop("key", 2)));
        assertEquals(Optional.empty(), run(Sets.srandmember("key")));
        run(Sets.sadd("key", "a"));
        assertEquals(Optional.of("a"), run(Sets.srandmember("key")));
        assertEquals(List.of("a", "a"), run(Sets.srandmember("key", -2)));
        assertEquals(List.of("a"), run(Sets.sscan("key", "0").count(5)).items());
        assertEquals(Set.of("a"), run(Sets.spop("key", 2)));
    }
}
