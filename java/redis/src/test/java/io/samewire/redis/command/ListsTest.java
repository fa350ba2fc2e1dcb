package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on lists. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class ListsTest extends OnServer {
    ListsTest(int protocol) {
        super(protocol);
    }

    @Test
    void pushesAndPops() {
        assertEquals(3, run(Lists.rpush("key", "a", "b", "c")));
        assertEquals(4, run(Lists.lpush("key", "z")));
        assertEquals(0, run(Lists.lpushx("none", "z")));
        assertEquals(0, run(Lists.rpushx("none", List.of("z"))));
        assertEquals(List.of("z", "a", "b", "c"), run(Lists.lrange("key", 0, -1)));
        assertEquals(Optional.of("z"), run(Lists.lpop("key")));
        assertEquals(Optional.of(List.of("c", "b")), run(Lists.rpop("key", 2)));
        assertEquals(Optional.of(List.of("a")), run(Lists.lpop("key", 5)));
        assertEquals(Optional.empty(), run(Lists.lpop("key", 5)));
        assertEquals(Optional.empty(), run(Lists.rpop("key")));
        assertEquals(List.of(), run(Lists.lrange("key", 0, -1)));
    }

    @Test
    void findsAndChangesElements() {
        run(Lists.rpush("key", "a", "b", "a"));
        assertEquals(3, run(Lists.llen("key")));
        assertEquals(Optional.of("b"), run(Lists.lindex("key", 1)));
        assertEquals(Optional.empty(), run(Lists.lindex("key", 9)));
        assertEquals(OptionalLong.of(2), run(Lists.lpos("key", "a").rank(-1)));
        assertEquals(OptionalLong.empty(), run(Lists.lpos("key", "x")));
        assertEquals(List.of(0L, 2L), run(Lists.lpos("key", "a").maxlen(10).count(0)));
        assertEquals(4, run(Lists.linsert("key", Placement.BEFORE, "b", "x")));
        run(Lists.lset("key", 0, "y"));
        assertEquals("ERR", refused(Lists.lset("key", 99, "y")));
        assertEquals(1, run(Lists.lrem("key", 0, "a")));
        run(Lists.ltrim("key", 0, 1));
        assertEquals(List.of("y", "x"), run(Lists.lrange("key", 0, -1)));
    }

    @Test
    void moves() {
        run(Lists.rpush("key", "a", "b", "c", "d"));
        assertEquals(Optional.of("a"), run(Lists.lmove("key", "to", Side.LEFT, Side.RIGHT)));
        assertEquals(Optional.of("d"), run(Lists.rpoplpush("key", "to")));
        assertEquals(Optional.of("c"), run(Lists.brpoplpush("key", "to", Duration.ofSeconds(1))));
        assertEquals(Optional.of("b"),
            run(Lists.blmove("key", "to", Side.RIGHT, Side.LEFT, Duration.ofMillis(1_500))));
        assertEquals(Optional.empty(), run(Lists.lmove("key", "to", Side.LEFT, Side.RIGHT)));
        assertEquals(Optional.empty(), run(Lists.blmove("key", "to", Side.LEFT, Side.LEFT, Duration.ofMillis(5))));
    }

    @Test
    void popsFromTheFirstListThatHasElements() {
        run(Lists.rpush("b", "1", "2", "3", "4"));
        Duration second = Duration.ofSeconds(1);
        assertEquals(Optional.of(new Popped<>("b", "1")), run(Lists.blpop(second, "a", "b")));
        assertEquals(Optional.of(new Popped<>("b", "4")), run(Lists.brpop(second, List.of("a", "b"))));
        assertEquals(Optional.empty(), run(Lists.blpop(Duration.ofMillis(5), "a")));
        assertEquals(Optional.of(new PoppedList<>("b", List.of("2", "3"))),
            run(Lists.lmpop(Side.LEFT, "a", "b").count(5)));
        assertEquals(Optional.empty(), run(Lists.lmpop(Side.LEFT, "a")));
        run(Lists.rpush("b", "1"));
        assertEquals(Optional.of(new PoppedList<>("b", List.of("1"))), run(Lists.blmpop(second, Side.RIGHT, "b")));
        assertEquals(Optional.empty(), run(Lists.blmpop(Duration.ofMillis(5), Side.RIGHT, "b")));
    }
}
