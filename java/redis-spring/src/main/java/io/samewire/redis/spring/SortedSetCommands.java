package io.samewire.redis.spring;

import static io.samewire.redis.spring.Arguments.when;

import io.samewire.redis.command.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisZSetCommands;
import org.springframework.data.redis.connection.zset.Aggregate;
import org.springframework.data.redis.connection.zset.Tuple;
import org.springframework.data.redis.connection.zset.Weights;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

/** Commands of sorted sets. */
final class SortedSetCommands implements RedisZSetCommands {
    private static final String WITHSCORES = "WITHSCORES";
    private static final Reading<Tuple> TUPLE = Readings.first(Readings.TUPLES);
    /** The key is the caller's. */
    private static final Reading<Tuple> TUPLE_AFTER_KEY = in -> Readings.isNull(in) ? null
        : Readings.array(in, 3, popped -> {
            popped.skip();
            return Tuple.of(popped.readBytes(), popped.readDouble());
        });

    private final Calls calls;

    SortedSetCommands(Calls calls) {
        this.calls = calls;
    }

    // --- members

    @Override
    public Boolean zAdd(byte[] key, double score, byte[] member, ZAddArgs options) {
        return calls.call(Readings.YES, "ZADD", key, words(options), score, member);
    }

    @Override
    public Long zAdd(byte[] key, Set<Tuple> tuples, ZAddArgs options) {
        List<Object> words = new ArrayList<>(tuples.size() * 2);
        for (Tuple one : tuples) {
            words.add(one.getScore());
            words.add(one.getValue());
        }
        return calls.call(Readings.LONG, "ZADD", key, words(options), words);
    }

    private static List<Object> words(ZAddArgs options) {
        List<Object> words = new ArrayList<>();
        for (ZAddArgs.Flag flag : ZAddArgs.Flag.values()) {
            words.add(when(options.contains(flag), flag));
        }
        return words;
    }

    @Override
    public Long zRem(byte[] key, byte[]... members) {
        return calls.call(Readings.LONG, "ZREM", key, members);
    }

    @Override
    public Double zIncrBy(byte[] key, double by, byte[] member) {
        return calls.call(Readings.DOUBLE, "ZINCRBY", key, by, member);
    }

    @Override
    public byte[] zRandMember(byte[] key) {
        return calls.call(Readings.BYTES, "ZRANDMEMBER", key);
    }

    @Override
    public List<byte[]> zRandMember(byte[] key, long count) {
        return calls.call(Readings.BYTES_LIST, "ZRANDMEMBER", key, count);
    }

    @Override
    public Tuple zRandMemberWithScore(byte[] key) {
        return calls.call(TUPLE, "ZRANDMEMBER", key, 1, WITHSCORES);
    }

    @Override
    public List<Tuple> zRandMemberWithScore(byte[] key, long count) {
        return calls.call(Readings.TUPLES, "ZRANDMEMBER", key, count, WITHSCORES);
    }

    @Override
    public Long zRank(byte[] key, byte[] member) {
        return calls.call(Readings.LONG, "ZRANK", key, member);
    }

    @Override
    public Long zRevRank(byte[] key, byte[] member) {
        return calls.call(Readings.LONG, "ZREVRANK", key, member);
    }

    @Override
    public Long zCard(byte[] key) {
        return calls.call(Readings.LONG, "ZCARD", key);
    }

    @Override
    public Double zScore(byte[] key, byte[] member) {
        return calls.call(Readings.DOUBLE, "ZSCORE", key, member);
    }

    @Override
    public List<Double> zMScore(byte[] key, byte[]... members) {
        return calls.call(Readings.DOUBLES, "ZMSCORE", key, members);
    }

    @Override
    public Cursor<Tuple> zScan(byte[] key, ScanOptions options) {
        return Scans.cursor(calls, options, Readings.TUPLES, "ZSCAN", key);
    }

    // --- ranges

    @Override
    public Set<byte[]> zRange(byte[] key, long start, long end) {
        return calls.call(Readings.BYTES_SET, "ZRANGE", key, start, end);
    }

    @Override
    public Set<Tuple> zRangeWithScores(byte[] key, long start, long end) {
        return calls.call(Readings.TUPLE_SET, "ZRANGE", key, start, end, WITHSCORES);
    }

    @Override
    public Set<byte[]> zRevRange(byte[] key, long start, long end) {
        return calls.call(Readings.BYTES_SET, "ZREVRANGE", key, start, end);
    }

    @Override
    public Set<Tuple> zRevRangeWithScores(byte[] key, long start, long end) {
        return calls.call(Readings.TUPLE_SET, "ZREVRANGE", key, start, end, WITHSCORES);
    }

    @Override
    public Set<byte[]> zRangeByScore(byte[] key, String min, String max, long offset, long count) {
        return calls.call(Readings.BYTES_SET, "ZRANGEBYSCORE", key, min, max, "LIMIT", offset, count);
    }

    @Override
    public Set<byte[]> zRangeByScore(byte[] key, org.springframework.data.domain.Range<? extends Number> range,
            org.springframework.data.redis.connection.Limit limit) {
        return calls.call(Readings.BYTES_SET, "ZRANGEBYSCORE", key, Bounds.scores(range), Bounds.limit(limit));
    }

    @Override
    public Set<Tuple> zRangeByScoreWithScores(byte[] key, org.springframework.data.domain.Range<? extends Number> range,
            org.springframework.data.redis.connection.Limit limit) {
        return calls.call(Readings.TUPLE_SET, "ZRANGEBYSCORE", key, Bounds.scores(range), WITHSCORES,
            Bounds.limit(limit));
    }

    @Override
    public Set<byte[]> zRevRangeByScore(byte[] key, org.springframework.data.domain.Range<? extends Number> range,
            org.springframework.data.redis.connection.Limit limit) {
        return calls.call(Readings.BYTES_SET, "ZREVRANGEBYSCORE", key, Bounds.scoresDescending(range),
            Bounds.limit(limit));
    }

    @Override
    public Set<Tuple> zRevRangeByScoreWithScores(byte[] key,
            org.springframework.data.domain.Range<? extends Number> range,
            org.springframework.data.redis.connection.Limit limit) {
        return calls.call(Readings.TUPLE_SET, "ZREVRANGEBYSCORE", key, Bounds.scoresDescending(range), WITHSCORES,
            Bounds.limit(limit));
    }

    @Override
    public Set<byte[]> zRangeByLex(byte[] key, org.springframework.data.domain.Range<byte[]> range,
            org.springframework.data.redis.connection.Limit limit) {
        return calls.call(Readings.BYTES_SET, "ZRANGEBYLEX", key, Bounds.members(range), Bounds.limit(limit));
    }

    @Override
    public Set<byte[]> zRevRangeByLex(byte[] key, org.springframework.data.domain.Range<byte[]> range,
            org.springframework.data.redis.connection.Limit limit) {
        return calls.call(Readings.BYTES_SET, "ZREVRANGEBYLEX", key, Bounds.membersDescending(range),
            Bounds.limit(limit));
    }

    @Override
    public Long zRangeStoreByLex(byte[] into, byte[] key, org.springframework.data.domain.Range<byte[]> range,
            org.springframework.data.redis.connection.Limit limit) {
        return store(into, key, Bounds.members(range), "BYLEX", limit);
    }

    @Override
    public Long zRangeStoreRevByLex(byte[] into, byte[] key, org.springframework.data.domain.Range<byte[]> range,
            org.springframework.data.redis.connection.Limit limit) {
        return store(into, key, Bounds.membersDescending(range), List.of("BYLEX", "REV"), limit);
    }

    @Override
    public Long zRangeStoreByScore(byte[] into, byte[] key,
            org.springframework.data.domain.Range<? extends Number> range,
            org.springframework.data.redis.connection.Limit limit) {
        return store(into, key, Bounds.scores(range), "BYSCORE", limit);
    }

    @Override
    public Long zRangeStoreRevByScore(byte[] into, byte[] key,
            org.springframework.data.domain.Range<? extends Number> range,
            org.springframework.data.redis.connection.Limit limit) {
        return store(into, key, Bounds.scoresDescending(range), List.of("BYSCORE", "REV"), limit);
    }

    private Long store(byte[] into, byte[] key, List<Object> bounds, Object by,
            org.springframework.data.redis.connection.Limit limit) {
        return calls.call(Readings.LONG, "ZRANGESTORE", into, key, bounds, by, Bounds.limit(limit));
    }

    @Override
    public Long zCount(byte[] key, org.springframework.data.domain.Range<? extends Number> range) {
        return calls.call(Readings.LONG, "ZCOUNT", key, Bounds.scores(range));
    }

    @Override
    public Long zLexCount(byte[] key, org.springframework.data.domain.Range<byte[]> range) {
        return calls.call(Readings.LONG, "ZLEXCOUNT", key, Bounds.members(range));
    }

    @Override
    public Long zRemRange(byte[] key, long start, long end) {
        return calls.call(Readings.LONG, "ZREMRANGEBYRANK", key, start, end);
    }

    @Override
    public Long zRemRangeByLex(byte[] key, org.springframework.data.domain.Range<byte[]> range) {
        return calls.call(Readings.LONG, "ZREMRANGEBYLEX", key, Bounds.members(range));
    }

    @Override
    public Long zRemRangeByScore(byte[] key, org.springframework.data.domain.Range<? extends Number> range) {
        return calls.call(Readings.LONG, "ZREMRANGEBYSCORE", key, Bounds.scores(range));
    }

    // --- lowest and highest

    @Override
    public Tuple zPopMin(byte[] key) {
        return calls.call(TUPLE, "ZPOPMIN", key);
    }

    @Override
    public Set<Tuple> zPopMin(byte[] key, long count) {
        return calls.call(Readings.TUPLE_SET, "ZPOPMIN", key, count);
    }

    @Override
    public Tuple bZPopMin(byte[] key, long time, TimeUnit unit) {
        return calls.call(TUPLE_AFTER_KEY, "BZPOPMIN", key, seconds(time, unit));
    }

    @Override
    public Tuple zPopMax(byte[] key) {
        return calls.call(TUPLE, "ZPOPMAX", key);
    }

    @Override
    public Set<Tuple> zPopMax(byte[] key, long count) {
        return calls.call(Readings.TUPLE_SET, "ZPOPMAX", key, count);
    }

    @Override
    public Tuple bZPopMax(byte[] key, long time, TimeUnit unit) {
        return calls.call(TUPLE_AFTER_KEY, "BZPOPMAX", key, seconds(time, unit));
    }

    /** A part of a second must not become 0, which is for ever. */
    private static Object seconds(long time, TimeUnit unit) {
        return unit.compareTo(TimeUnit.SECONDS) < 0 ? (Object) (unit.toNanos(time) / 1e9) : unit.toSeconds(time);
    }

    // --- of several sets

    @Override
    public Set<byte[]> zDiff(byte[]... keys) {
        return calls.call(Readings.BYTES_SET, "ZDIFF", keys.length, keys);
    }

    @Override
    public Set<Tuple> zDiffWithScores(byte[]... keys) {
        return calls.call(Readings.TUPLE_SET, "ZDIFF", keys.length, keys, WITHSCORES);
    }

    @Override
    public Long zDiffStore(byte[] into, byte[]... keys) {
        return calls.call(Readings.LONG, "ZDIFFSTORE", into, keys.length, keys);
    }

    @Override
    public Set<byte[]> zInter(byte[]... keys) {
        return calls.call(Readings.BYTES_SET, "ZINTER", keys.length, keys);
    }

    @Override
    public Set<Tuple> zInterWithScores(byte[]... keys) {
        return calls.call(Readings.TUPLE_SET, "ZINTER", keys.length, keys, WITHSCORES);
    }

    @Override
    public Set<Tuple> zInterWithScores(Aggregate aggregate, Weights weights, byte[]... keys) {
        return calls.call(Readings.TUPLE_SET, "ZINTER", weighted(aggregate, weights, keys), WITHSCORES);
    }

    @Override
    public Long zInterStore(byte[] into, byte[]... keys) {
        return calls.call(Readings.LONG, "ZINTERSTORE", into, keys.length, keys);
    }

    @Override
    public Long zInterStore(byte[] into, Aggregate aggregate, Weights weights, byte[]... keys) {
        return calls.call(Readings.LONG, "ZINTERSTORE", into, weighted(aggregate, weights, keys));
    }

    @Override
    public Set<byte[]> zUnion(byte[]... keys) {
        return calls.call(Readings.BYTES_SET, "ZUNION", keys.length, keys);
    }

    @Override
    public Set<Tuple> zUnionWithScores(byte[]... keys) {
        return calls.call(Readings.TUPLE_SET, "ZUNION", keys.length, keys, WITHSCORES);
    }

    @Override
    public Set<Tuple> zUnionWithScores(Aggregate aggregate, Weights weights, byte[]... keys) {
        return calls.call(Readings.TUPLE_SET, "ZUNION", weighted(aggregate, weights, keys), WITHSCORES);
    }

    @Override
    public Long zUnionStore(byte[] into, byte[]... keys) {
        return calls.call(Readings.LONG, "ZUNIONSTORE", into, keys.length, keys);
    }

    @Override
    public Long zUnionStore(byte[] into, Aggregate aggregate, Weights weights, byte[]... keys) {
        return calls.call(Readings.LONG, "ZUNIONSTORE", into, weighted(aggregate, weights, keys));
    }

    private static List<Object> weighted(Aggregate aggregate, Weights weights, byte[]... keys) {
        if (weights.size() != keys.length) {
            throw new IllegalArgumentException("expected a weight for each of " + keys.length + " sets, found "
                + weights.size());
        }
        return List.of(keys.length, List.of((Object[]) keys), "WEIGHTS", weights.toList(), "AGGREGATE", aggregate);
    }
}
