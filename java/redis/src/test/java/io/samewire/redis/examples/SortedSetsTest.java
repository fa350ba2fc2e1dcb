package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.LexBound;
import io.samewire.redis.command.ScoreBound;
import io.samewire.redis.command.ScoredMember;
import io.samewire.redis.command.SortedSets;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guides' sorted sets: a table of scores. */
class SortedSetsTest extends OnOneServer {
    @BeforeEach
    void add() {
        assertEquals(1, run(SortedSets.zadd("lent", 10, "Carrie")));
        assertEquals(1, run(SortedSets.zadd("lent", 12, "It")));
        assertEquals(3, run(SortedSets.zadd("lent", Map.of("Cujo", 8.0, "Misery", 10.0, "Joyland", 6.0, "It", 14.0))));
    }

    @Test
    void ranges() {
        assertEquals(List.of("Joyland", "Cujo", "Carrie", "Misery", "It"), run(SortedSets.zrange("lent", 0, -1)));
        assertEquals(List.of("It", "Misery"), run(SortedSets.zrevrange("lent", 0, 1)));
        assertEquals(List.of(new ScoredMember<>("Joyland", 6), new ScoredMember<>("Cujo", 8)),
            run(SortedSets.zrange("lent", 0, 1).withscores()));
    }

    @Test
    void rangesByScore() {
        assertEquals(List.of("Joyland", "Cujo", "Carrie", "Misery"),
            run(SortedSets.zrangebyscore("lent", ScoreBound.MIN, ScoreBound.of(10))));
        assertEquals(List.of("Carrie"),
            run(SortedSets.zrange("lent", ScoreBound.exclusive(8), ScoreBound.MAX).limit(0, 1)));
        assertEquals(2, run(SortedSets.zcount("lent", ScoreBound.of(6), ScoreBound.of(9))));
    }

    @Test
    void removes() {
        assertEquals(1, run(SortedSets.zrem("lent", "It")));
        assertEquals(2, run(SortedSets.zremrangebyscore("lent", ScoreBound.MIN, ScoreBound.of(9))));
        assertEquals(List.of("Carrie", "Misery"), run(SortedSets.zrange("lent", 0, -1)));
    }

    @Test
    void ranks() {
        assertEquals(OptionalLong.of(2), run(SortedSets.zrank("lent", "Carrie")));
        assertEquals(OptionalLong.of(0), run(SortedSets.zrevrank("lent", "It")));
        assertEquals(OptionalLong.empty(), run(SortedSets.zrank("lent", "none")));
        assertEquals(OptionalDouble.of(14), run(SortedSets.zscore("lent", "It")));
    }

    @Test
    void ordersEqualScoresByName() {
        run(SortedSets.zadd("names", Map.of("Carrie", 0.0, "Cujo", 0.0, "It", 0.0, "Misery", 0.0)));
        assertEquals(List.of("Carrie", "Cujo"),
            run(SortedSets.zrangebylex("names", LexBound.of("C"), LexBound.exclusive("D"))));
    }

    @Test
    void countsUp() {
        assertEquals(60, run(SortedSets.zincrby("lent", 50, "Carrie")));
        assertEquals(50, run(SortedSets.zincrby("lent", 50, "new")));
        assertEquals(List.of(new ScoredMember<>("Joyland", 6)), run(SortedSets.zpopmin("lent", 1)));
    }
}
