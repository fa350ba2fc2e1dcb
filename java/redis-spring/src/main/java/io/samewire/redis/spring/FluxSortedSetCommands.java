package io.samewire.redis.spring;

import static io.samewire.redis.spring.Arguments.when;
import static io.samewire.redis.spring.Buffers.arrays;
import static io.samewire.redis.spring.Buffers.bytes;
import static io.samewire.redis.spring.Buffers.key;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.reactivestreams.Publisher;
import org.springframework.data.domain.Range;
import org.springframework.data.domain.Sort.Direction;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.connection.ReactiveClusterZSetCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection.CommandResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyScanCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.MultiValueResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.NumericResponse;
import org.springframework.data.redis.connection.zset.Aggregate;
import org.springframework.data.redis.connection.zset.Tuple;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reactive commands of sorted sets. Without scores a tuple's score is NaN. */
final class FluxSortedSetCommands implements ReactiveClusterZSetCommands {
    private final ReactiveCalls calls;

    FluxSortedSetCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    private Flux<Tuple> tuples(boolean withScores, java.util.function.Function<Calls, Collection<Tuple>> scored,
            java.util.function.Function<Calls, Collection<byte[]>> plain) {
        return withScores ? calls.flux(scored) : calls.flux(plain).map(member -> Tuple.of(member, Double.NaN));
    }

    // --- members

    @Override
    public Flux<NumericResponse<ZAddCommand, Number>> zAdd(Publisher<ZAddCommand> commands) {
        return calls.<ZAddCommand, Number, NumericResponse<ZAddCommand, Number>>each(commands, (to, one) -> {
            List<Object> words = new ArrayList<>();
            for (Tuple tuple : one.getTuples()) {
                words.add(List.of(tuple.getScore(), tuple.getValue()));
            }
            List<Object> options = List.of(when(one.isIfNotExists(), "NX"), when(one.isIfExists(), "XX"),
                when(one.isGt(), "GT"), when(one.isLt(), "LT"), when(one.isReturnTotalChanged(), "CH"));
            if (!one.isIncr()) {
                return to.call(Readings.LONG, "ZADD", key(one), options, words);
            } else if (words.size() != 1) {
                throw new IllegalArgumentException("expected one tuple for ZADD INCR, found " + words.size());
            }
            return to.call(Readings.DOUBLE, "ZADD", key(one), options, "INCR", words);
        }, NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<ZRemCommand, Long>> zRem(Publisher<ZRemCommand> commands) {
        return calls.each(commands, (to, one) -> new SortedSetCommands(to).zRem(key(one), arrays(one.getValues())),
            NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<ZIncrByCommand, Double>> zIncrBy(Publisher<ZIncrByCommand> commands) {
        return calls.each(commands, (to, one) -> new SortedSetCommands(to).zIncrBy(key(one),
            one.getIncrement().doubleValue(), bytes(one.getValue())), NumericResponse::new);
    }

    @Override
    public Flux<CommandResponse<ZRandMemberCommand, Flux<ByteBuffer>>> zRandMember(
            Publisher<ZRandMemberCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> new SortedSetCommands(to).zRandMember(key(one),
            one.getCount()));
    }

    @Override
    public Flux<CommandResponse<ZRandMemberCommand, Flux<Tuple>>> zRandMemberWithScore(
            Publisher<ZRandMemberCommand> commands) {
        return ReactiveCalls.many(commands, one -> calls.flux(to ->
            new SortedSetCommands(to).zRandMemberWithScore(key(one), one.getCount())));
    }

    @Override
    public Flux<NumericResponse<ZRankCommand, Long>> zRank(Publisher<ZRankCommand> commands) {
        return calls.each(commands, (to, one) -> one.getDirection() == Direction.ASC
            ? new SortedSetCommands(to).zRank(key(one), bytes(one.getValue()))
            : new SortedSetCommands(to).zRevRank(key(one), bytes(one.getValue())), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> zCard(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new SortedSetCommands(to).zCard(key(one)), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<ZScoreCommand, Double>> zScore(Publisher<ZScoreCommand> commands) {
        return calls.each(commands, (to, one) -> new SortedSetCommands(to).zScore(key(one), bytes(one.getValue())),
            NumericResponse::new);
    }

    @Override
    public Flux<MultiValueResponse<ZMScoreCommand, Double>> zMScore(Publisher<ZMScoreCommand> commands) {
        return calls.each(commands, (to, one) -> new SortedSetCommands(to).zMScore(key(one), arrays(one.getValues())),
            MultiValueResponse::new);
    }

    @Override
    public Flux<CommandResponse<KeyCommand, Flux<Tuple>>> zScan(Publisher<KeyScanCommand> commands) {
        return Flux.from(commands).map(one -> new CommandResponse<>(one,
            calls.scan("ZSCAN", key(one), one.getOptions(), Readings.TUPLES)));
    }

    // --- ranges

    @Override
    public Flux<CommandResponse<ZRangeCommand, Flux<Tuple>>> zRange(Publisher<ZRangeCommand> commands) {
        return ReactiveCalls.many(commands, one -> {
            long first = Buffers.first(one.getRange());
            long last = Buffers.last(one.getRange());
            return one.getDirection() == Direction.ASC
                ? tuples(one.isWithScores(), to -> new SortedSetCommands(to).zRangeWithScores(key(one), first, last),
                    to -> new SortedSetCommands(to).zRange(key(one), first, last))
                : tuples(one.isWithScores(), to -> new SortedSetCommands(to).zRevRangeWithScores(key(one), first, last),
                    to -> new SortedSetCommands(to).zRevRange(key(one), first, last));
        });
    }

    @Override
    public Flux<CommandResponse<ZRangeByScoreCommand, Flux<Tuple>>> zRangeByScore(
            Publisher<ZRangeByScoreCommand> commands) {
        return ReactiveCalls.many(commands, one -> {
            Range<Double> range = one.getRange();
            Limit limit = one.getLimit().orElse(Limit.unlimited());
            return one.getDirection() == Direction.ASC
                ? tuples(one.isWithScores(),
                    to -> new SortedSetCommands(to).zRangeByScoreWithScores(key(one), range, limit),
                    to -> new SortedSetCommands(to).zRangeByScore(key(one), range, limit))
                : tuples(one.isWithScores(),
                    to -> new SortedSetCommands(to).zRevRangeByScoreWithScores(key(one), range, limit),
                    to -> new SortedSetCommands(to).zRevRangeByScore(key(one), range, limit));
        });
    }

    @Override
    public Flux<CommandResponse<ZRangeByLexCommand, Flux<ByteBuffer>>> zRangeByLex(
            Publisher<ZRangeByLexCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> {
            Range<byte[]> range = Buffers.members(one.getRange());
            return one.getDirection() == Direction.ASC
                ? new SortedSetCommands(to).zRangeByLex(key(one), range, one.getLimit())
                : new SortedSetCommands(to).zRevRangeByLex(key(one), range, one.getLimit());
        });
    }

    @Override
    public Flux<CommandResponse<ZRangeStoreCommand, Mono<Long>>> zRangeStore(Publisher<ZRangeStoreCommand> commands) {
        return Flux.from(commands).map(one -> new CommandResponse<>(one, calls.mono(to -> store(to, one))));
    }

    private static Long store(Calls to, ZRangeStoreCommand one) {
        boolean byScore = one.getRangeMode() == ZRangeStoreCommand.RangeMode.ByScore;
        boolean ascending = one.getDirection() == Direction.ASC;
        Range<byte[]> members = byScore ? null : Buffers.members(one.getRange());
        List<Object> bounds = byScore
            ? ascending ? Bounds.scores(numbers(one.getRange())) : Bounds.scoresDescending(numbers(one.getRange()))
            : ascending ? Bounds.members(members) : Bounds.membersDescending(members);
        return to.call(Readings.LONG, "ZRANGESTORE", bytes(one.getDestKey()), key(one), bounds,
            byScore ? "BYSCORE" : "BYLEX", when(!ascending, "REV"), Bounds.limit(one.getLimit()));
    }

    /** A range by score has numbers. */
    @SuppressWarnings("unchecked")
    private static Range<? extends Number> numbers(Range<?> range) {
        return (Range<? extends Number>) range;
    }

    @Override
    public Flux<NumericResponse<ZCountCommand, Long>> zCount(Publisher<ZCountCommand> commands) {
        return calls.each(commands, (to, one) -> new SortedSetCommands(to).zCount(key(one), one.getRange()),
            NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<ZLexCountCommand, Long>> zLexCount(Publisher<ZLexCountCommand> commands) {
        return calls.each(commands, (to, one) -> new SortedSetCommands(to).zLexCount(key(one),
            Buffers.members(one.getRange())), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<ZRemRangeByRankCommand, Long>> zRemRangeByRank(
            Publisher<ZRemRangeByRankCommand> commands) {
        return calls.each(commands, (to, one) -> new SortedSetCommands(to).zRemRange(key(one),
            Buffers.first(one.getRange()), Buffers.last(one.getRange())), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<ZRemRangeByScoreCommand, Long>> zRemRangeByScore(
            Publisher<ZRemRangeByScoreCommand> commands) {
        return calls.each(commands, (to, one) -> new SortedSetCommands(to).zRemRangeByScore(key(one), one.getRange()),
            NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<ZRemRangeByLexCommand, Long>> zRemRangeByLex(
            Publisher<ZRemRangeByLexCommand> commands) {
        return calls.each(commands, (to, one) -> new SortedSetCommands(to).zRemRangeByLex(key(one),
            Buffers.members(one.getRange())), NumericResponse::new);
    }

    // --- lowest and highest

    @Override
    public Flux<CommandResponse<ZPopCommand, Flux<Tuple>>> zPop(Publisher<ZPopCommand> commands) {
        return ReactiveCalls.many(commands, one -> {
            long count = Math.max(1, one.getCount());
            return calls.flux(to -> one.getDirection() == PopDirection.MIN
                ? new SortedSetCommands(to).zPopMin(key(one), count)
                : new SortedSetCommands(to).zPopMax(key(one), count));
        });
    }

    @Override
    public Flux<CommandResponse<BZPopCommand, Flux<Tuple>>> bZPop(Publisher<BZPopCommand> commands) {
        return ReactiveCalls.many(commands, one -> calls.mono(to -> one.getDirection() == PopDirection.MIN
            ? new SortedSetCommands(to).bZPopMin(key(one), one.getTimeout(), one.getTimeUnit())
            : new SortedSetCommands(to).bZPopMax(key(one), one.getTimeout(), one.getTimeUnit())).flux());
    }

    // --- of several sets

    @Override
    public Flux<CommandResponse<ZDiffCommand, Flux<ByteBuffer>>> zDiff(Publisher<? extends ZDiffCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> new SortedSetCommands(to).zDiff(arrays(one.getKeys())));
    }

    @Override
    public Flux<CommandResponse<ZDiffCommand, Flux<Tuple>>> zDiffWithScores(
            Publisher<? extends ZDiffCommand> commands) {
        return ReactiveCalls.<ZDiffCommand, Tuple>many(commands, one -> calls.flux(to ->
            new SortedSetCommands(to).zDiffWithScores(arrays(one.getKeys()))));
    }

    @Override
    public Flux<NumericResponse<ZDiffStoreCommand, Long>> zDiffStore(Publisher<ZDiffStoreCommand> commands) {
        return calls.each(commands, (to, one) -> new SortedSetCommands(to).zDiffStore(key(one),
            arrays(one.getSourceKeys())), NumericResponse::new);
    }

    private static List<Object> words(List<ByteBuffer> keys, List<Double> weights, Optional<Aggregate> aggregate) {
        byte[][] sets = arrays(keys);
        return List.of(sets.length, List.of((Object[]) sets),
            weights == null || weights.isEmpty() ? List.of() : List.of("WEIGHTS", weights),
            aggregate.<List<Object>>map(how -> List.of("AGGREGATE", how)).orElse(List.of()));
    }

    private static List<Object> words(ZAggregateCommand one) {
        return words(one.getSourceKeys(), one.getWeights(), one.getAggregateFunction());
    }

    private static List<Object> words(ZAggregateStoreCommand one) {
        return words(one.getSourceKeys(), one.getWeights(), one.getAggregateFunction());
    }

    @Override
    public Flux<CommandResponse<ZAggregateCommand, Flux<ByteBuffer>>> zInter(
            Publisher<? extends ZAggregateCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> to.call(Readings.BYTES_LIST, "ZINTER", words(one)));
    }

    @Override
    public Flux<CommandResponse<ZAggregateCommand, Flux<Tuple>>> zInterWithScores(
            Publisher<? extends ZAggregateCommand> commands) {
        return ReactiveCalls.<ZAggregateCommand, Tuple>many(commands, one -> calls.flux(to ->
            to.call(Readings.TUPLES, "ZINTER", words(one), "WITHSCORES")));
    }

    @Override
    public Flux<NumericResponse<ZAggregateStoreCommand, Long>> zInterStore(
            Publisher<? extends ZAggregateStoreCommand> commands) {
        return calls.<ZAggregateStoreCommand, Long, NumericResponse<ZAggregateStoreCommand, Long>>each(commands,
            (to, one) -> to.call(Readings.LONG, "ZINTERSTORE", key(one), words(one)), NumericResponse::new);
    }

    @Override
    public Flux<CommandResponse<ZAggregateCommand, Flux<ByteBuffer>>> zUnion(
            Publisher<? extends ZAggregateCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> to.call(Readings.BYTES_LIST, "ZUNION", words(one)));
    }

    @Override
    public Flux<CommandResponse<ZAggregateCommand, Flux<Tuple>>> zUnionWithScores(
            Publisher<? extends ZAggregateCommand> commands) {
        return ReactiveCalls.<ZAggregateCommand, Tuple>many(commands, one -> calls.flux(to ->
            to.call(Readings.TUPLES, "ZUNION", words(one), "WITHSCORES")));
    }

    @Override
    public Flux<NumericResponse<ZAggregateStoreCommand, Long>> zUnionStore(
            Publisher<? extends ZAggregateStoreCommand> commands) {
        return calls.<ZAggregateStoreCommand, Long, NumericResponse<ZAggregateStoreCommand, Long>>each(commands,
            (to, one) -> to.call(Readings.LONG, "ZUNIONSTORE", key(one), words(one)), NumericResponse::new);
    }
}
