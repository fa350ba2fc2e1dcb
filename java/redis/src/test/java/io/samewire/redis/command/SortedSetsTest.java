package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on sorted sets. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class SortedSetsTest extends OnServer {
    SortedSetsTest(int protocol) {
        super(protocol);
    }

    private void members() {
        assertEquals(3, run(SortedSets.zadd("key", Sent.map("a", 1.0, "b", 2.5, "c", Double.POSITIVE_INFINITY))));
    }

    @Test
    void adds() {
        members();
        assertEquals(0, run(SortedSets.zadd("key", 9, "a").condition(ScoreCondition.NX)));
        assertEquals(1, run(SortedSets.zadd("key", 0.5, "a").condition(ScoreCondition.XX_LT).ch()));
        assertEquals(OptionalDouble.of(3.5), run(SortedSets.zaddIncr("key", 3, "a")));
        assertEquals(OptionalDouble.empty(), run(SortedSets.zaddIncr("key", 3, "x").condition(ScoreCondition.XX)));
        assertEquals(4.5, run(SortedSets.zincrby("key", 1, "a")));
        assertEquals(OptionalDouble.of(Double.POSITIVE_INFINITY), run(SortedSets.zscore("key", "c")));
        assertEquals(OptionalDouble.empty(), run(SortedSets.zscore("key", "x")));
        assertEquals(List.of(OptionalDouble.of(2.5), OptionalDouble.empty()), run(SortedSets.zmscore("key", "b", "x")));
        assertEquals(2, run(SortedSets.zrem("key", "a", "b", "x")));
        assertEquals(1, run(SortedSets.zcard("key")));
    }

    @Test
    void returnsRanges() {
        members();
        assertEquals(List.of("a", "b", "c"), run(SortedSets.zrange("key", 0, -1)));
        assertEquals(List.of("c", "b"), run(SortedSets.zrange("key", 0, 1).rev()));
        List<ScoredMember<String>> scored = List.of(new ScoredMember<>("a", 1), new ScoredMember<>("b", 2.5));
        assertEquals(scored, run(SortedSets.zrange("key", 0, 1).withscores()));
        ScoreBound two = ScoreBound.of(2.5);
        assertEquals(List.of("b", "c"), run(SortedSets.zrange("key", two, ScoreBound.MAX)));
        assertEquals(List.of("a"), run(SortedSets.zrange("key", ScoreBound.MIN, ScoreBound.exclusive(2.5))));
        assertEquals(List.of(new ScoredMember<>("b", 2.5)),
            run(SortedSets.zrange("key", ScoreBound.MAX, ScoreBound.MIN).rev().limit(1, 1).withscores()));
        assertEquals(2, run(SortedSets.zcount("key", two, ScoreBound.MAX)));
        assertEquals(List.of("c"), run(SortedSets.zrevrange("key", 0, 0)));
        assertEquals(scored, run(SortedSets.zrangebyscore("key", ScoreBound.MIN, two).withscores()));
        assertEquals(List.of("b"), run(SortedSets.zrevrangebyscore("key", two, ScoreBound.of(1)).limit(0, 1)));
        assertEquals(2, run(SortedSets.zrangestore("to", "key", 0, 1)));
        assertEquals(1, run(SortedSets.zrangestore("to", "key", two, two)));
        assertEquals(2, run(SortedSets.zremrangebyscore("key", ScoreBound.MIN, two)));
        assertEquals(1, run(SortedSets.zremrangebyrank("key", 0, -1)));
    }

    @Test
    void returnsRangesByName() {
        run(SortedSets.zadd("key", Sent.map("a", 0.0, "b", 0.0, "c", 0.0)));
        assertEquals(List.of("b", "c"), run(SortedSets.zrange("key", LexBound.exclusive("a"), LexBound.MAX)));
        assertEquals(List.of("b"), run(SortedSets.zrange("key", LexBound.MAX, LexBound.MIN).rev().limit(1, 1)));
        assertEquals(List.of("a"), run(SortedSets.zrangebylex("key", LexBound.MIN, LexBound.of("a"))));
        assertEquals(List.of("c"), run(SortedSets.zrevrangebylex("key", LexBound.MAX, LexBound.MIN).limit(0, 1)));
        assertEquals(3, run(SortedSets.zlexcount("key", LexBound.MIN, LexBound.MAX)));
        assertEquals(1, run(SortedSets.zrangestore("to", "key", LexBound.MIN, LexBound.of("a"))));
        assertEquals(2, run(SortedSets.zremrangebylex("key", LexBound.of("b"), LexBound.MAX)));
    }

    @Test
    void ranks() {
        members();
        assertEquals(OptionalLong.of(1), run(SortedSets.zrank("key", "b")));
        assertEquals(OptionalLong.empty(), run(SortedSets.zrank("key", "x")));
        assertEquals(Optional.of(new RankedScore(1, 2.5)), run(SortedSets.zrank("key", "b").withscore()));
        assertEquals(Optional.empty(), run(SortedSets.zrevrank("key", "x").withscore()));
        assertEquals(OptionalLong.of(2), run(SortedSets.zrevrank("key", "a")));
    }

    @Test
    void pops() {
        members();
        assertEquals(Optional.of(new ScoredMember<>("a", 1)), run(SortedSets.zpopmin("key")));
        assertEquals(List.of(new ScoredMember<>("c", Double.POSITIVE_INFINITY), new ScoredMember<>("b", 2.5)),
            run(SortedSets.zpopmax("key", 5)));
        assertEquals(Optional.empty(), run(SortedSets.zpopmin("key")));
        assertEquals(List.of(), run(SortedSets.zpopmin("key", 2)));
        members();
        Duration second = Duration.ofSeconds(1);
        assertEquals(Optional.of(new PoppedMember<>("key", "a", 1)), run(SortedSets.bzpopmin(second, "x", "key")));
        assertEquals(Optional.empty(), run(SortedSets.bzpopmax(Duration.ofMillis(5), "x")));
        assertEquals(Optional.of(new PoppedMembers<>("key", List.of(new ScoredMember<>("b", 2.5)))),
            run(SortedSets.zmpop(Extreme.MIN, "x", "key")));
        assertEquals(Optional.of(new PoppedMembers<>("key",
            List.of(new ScoredMember<>("c", Double.POSITIVE_INFINITY)))), run(SortedSets.bzmpop(second, Extreme.MAX,
                "key").count(2)));
        assertEquals(Optional.empty(), run(SortedSets.zmpop(Extreme.MIN, "key")));
    }

    @Test
    void combines() {
        run(SortedSets.zadd("a", Sent.map("x", 1.0, "y", 2.0)));
        run(SortedSets.zadd("b", Sent.map("y", 10.0, "z", 20.0)));
        assertEquals(List.of("x", "y", "z"), run(SortedSets.zunion("a", "b")));
        assertEquals(List.of(new ScoredMember<>("y", 32)),
            run(SortedSets.zinter(Sent.map("a", 1.0, "b", 3.0)).withscores()));
        assertEquals(List.of(new ScoredMember<>("y", 10)),
            run(SortedSets.zinter("a", "b").aggregate(Aggregate.MAX).withscores()));
        assertEquals(List.of("x"), run(SortedSets.zdiff("a", "b")));
        assertEquals(List.of(new ScoredMember<>("x", 1)), run(SortedSets.zdiff("a", "b").withscores()));
        assertEquals(1, run(SortedSets.zintercard("a", "b")));
        assertEquals(1, run(SortedSets.zdiffstore("to", "a", "b")));
        assertEquals(1, run(SortedSets.zinterstore("to", "a", "b")));
        assertEquals(3, run(SortedSets.zunionstore("to", Sent.map("a", 2.0, "b", 1.0)).aggregate(Aggregate.MIN)));
    }

    @Test
    void picksAndScans() {
        assertEquals(Optional.empty(), run(SortedSets.zrandmember("key")));
        run(SortedSets.zadd("key", 1.5, "a"));
        assertEquals(Optional.of("a"), run(SortedSets.zrandmember("key")));
        assertEquals(List.of("a", "a"), run(SortedSets.zrandmember("key", -2)));
        assertEquals(List.of(new ScoredMember<>("a", 1.5)), run(SortedSets.zrandmember("key", 2).withscores()));
        assertEquals(List.of(new ScoredMember<>("a", 1.5)), run(SortedSets.zscan("key", "0")).items());
        assertEquals(List.of("a"), run(SortedSets.zscan("key", "0").match("a*").noscores()).items());
    }
}
