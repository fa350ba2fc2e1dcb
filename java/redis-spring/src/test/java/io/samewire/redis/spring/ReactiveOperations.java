package io.samewire.redis.spring;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import org.springframework.data.domain.Range;
import org.springframework.data.domain.Range.Bound;
import org.springframework.data.geo.Circle;
import org.springframework.data.geo.Distance;
import org.springframework.data.geo.Metrics;
import org.springframework.data.geo.Point;
import org.springframework.data.redis.connection.BitFieldSubCommands;
import org.springframework.data.redis.connection.BitFieldSubCommands.BitFieldIncrBy.Overflow;
import org.springframework.data.redis.connection.BitFieldSubCommands.BitFieldType;
import org.springframework.data.redis.connection.ExpirationOptions;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.connection.ReactiveHashCommands.HashExpireCommand;
import org.springframework.data.redis.connection.ReactiveKeyCommands.CopyCommand;
import org.springframework.data.redis.connection.ReactiveKeyCommands.ExpireCommand;
import org.springframework.data.redis.connection.ReactiveListCommands.Direction;
import org.springframework.data.redis.connection.ReactiveListCommands.LPosCommand;
import org.springframework.data.redis.connection.ReactiveListCommands.PushCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnection.CommandResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyCommand;
import org.springframework.data.redis.connection.ReactiveSubscription.ChannelMessage;
import org.springframework.data.redis.connection.ReactiveZSetCommands.ZAddCommand;
import org.springframework.data.redis.connection.RedisGeoCommands.DistanceUnit;
import org.springframework.data.redis.connection.RedisGeoCommands.GeoRadiusCommandArgs;
import org.springframework.data.redis.connection.RedisGeoCommands.GeoSearchCommandArgs;
import org.springframework.data.redis.connection.RedisGeoCommands.GeoSearchStoreCommandArgs;
import org.springframework.data.redis.connection.RedisListCommands.Position;
import org.springframework.data.redis.connection.RedisServerCommands.FlushOption;
import org.springframework.data.redis.connection.RedisStreamCommands.XAddOptions;
import org.springframework.data.redis.connection.RedisStreamCommands.XClaimOptions;
import org.springframework.data.redis.connection.RedisStringCommands.BitOperation;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.stream.ByteBufferRecord;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.connection.stream.StreamReadOptions;
import org.springframework.data.redis.connection.stream.StreamRecords;
import org.springframework.data.redis.connection.zset.Aggregate;
import org.springframework.data.redis.connection.zset.Tuple;
import org.springframework.data.redis.connection.zset.Weights;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.types.Expiration;
import org.springframework.data.redis.domain.geo.GeoReference;
import org.springframework.data.redis.domain.geo.GeoShape;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reactive calls of Spring's interface, one after the other, by their names, as {@link Operations} has others. */
final class ReactiveOperations {
    /** A call. */
    interface Operation {
        Publisher<?> on(ReactiveRedisConnection connection);
    }

    private final Map<String, Operation> all = new LinkedHashMap<>();

    private ReactiveOperations() {
        strings();
        keys();
        bits();
        lists();
        sets();
        hashes();
        sortedSets();
        scores();
        severalSets();
        streams();
        groups();
        places();
        scripts();
        server();
    }

    static Map<String, Operation> all() {
        return new ReactiveOperations().all;
    }

    static ByteBuffer b(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<ByteBuffer> bs(String... texts) {
        return java.util.stream.Stream.of(texts).map(ReactiveOperations::b).toList();
    }

    private void add(String name, Operation operation) {
        if (all.put(name, operation) != null) {
            throw new IllegalStateException(name + " is there twice");
        }
    }

    private void strings() {
        add("set", on -> on.stringCommands().set(b("k"), b("v")));
        add("set NX", on -> on.stringCommands().set(b("k"), b("w"), Expiration.persistent(), SetOption.ifAbsent()));
        add("set XX EX", on -> on.stringCommands().set(b("k"), b("w"), Expiration.seconds(1000),
            SetOption.ifPresent()));
        add("set KEEPTTL", on -> on.stringCommands().set(b("k"), b("x"), Expiration.keepTtl(), SetOption.upsert()));
        add("setGet", on -> on.stringCommands().setGet(b("k"), b("y"), Expiration.persistent(), SetOption.upsert()));
        add("setGet nothing", on -> on.stringCommands().setGet(b("k0"), b("y"), Expiration.persistent(),
            SetOption.upsert()));
        add("get", on -> on.stringCommands().get(b("k")));
        add("get nothing", on -> on.stringCommands().get(b("none")));
        add("get absent", on -> on.stringCommands().get(Flux.just(new KeyCommand(b("none")), new KeyCommand(b("k"))))
            .map(CommandResponse::isPresent));
        add("getEx", on -> on.stringCommands().getEx(b("k"), Expiration.seconds(1000)));
        add("getEx PERSIST", on -> on.stringCommands().getEx(b("k"), Expiration.persistent()));
        add("getSet", on -> on.stringCommands().getSet(b("k"), b("z")));
        add("getSet nothing", on -> on.stringCommands().getSet(b("k1"), b("z")));
        add("getDel", on -> on.stringCommands().getDel(b("k")));
        add("getDel nothing", on -> on.stringCommands().getDel(b("k")));
        add("setNX", on -> on.stringCommands().setNX(b("k"), b("v")));
        add("setEX", on -> on.stringCommands().setEX(b("e"), b("v"), Expiration.seconds(1000)));
        add("pSetEX", on -> on.stringCommands().pSetEX(b("e"), b("v"), Expiration.milliseconds(1_000_000)));
        add("mSet", on -> on.stringCommands().mSet(Map.of(b("m1"), b("1"))));
        add("mSetNX", on -> on.stringCommands().mSetNX(Map.of(b("m1"), b("2"))));
        add("mGet", on -> on.stringCommands().mGet(bs("m1", "none")));
        add("mGet nothing", on -> on.stringCommands().mGet(List.of()));
        add("incr", on -> on.numberCommands().incr(b("n")));
        add("incrBy", on -> on.numberCommands().incrBy(b("n"), 41));
        add("incrBy long", on -> on.numberCommands().incrBy(b("n"), 1L).map(found -> found.getClass()));
        add("incrBy double", on -> on.numberCommands().incrBy(b("n"), 0.5));
        add("incrBy float", on -> on.numberCommands().incrBy(b("n"), 0.5f).map(found -> found.getClass()));
        add("decr of a double", on -> on.numberCommands().decr(b("n1")).then(on.numberCommands().incrBy(b("n1"), 0.5))
            .then(on.numberCommands().decr(b("n1"))));
        add("decrBy", on -> on.numberCommands().decrBy(b("m1"), 2));
        add("decrBy double", on -> on.numberCommands().decrBy(b("m1"), 2.5));
        add("append", on -> on.stringCommands().append(b("k"), b("alue")));
        add("setRange", on -> on.stringCommands().setRange(b("k"), b("ALUE"), 1));
        add("getRange", on -> on.stringCommands().getRange(b("k"), 1, 2));
        add("getRange nothing", on -> on.stringCommands().getRange(b("none"), 1, 2));
        add("strLen", on -> on.stringCommands().strLen(b("k")));
        add("wrong type", on -> on.listCommands().lLen(b("k")));
        add("null", on -> on.stringCommands().set(b("k"), null));
        add("several and an error", on -> on.listCommands().lLen(Flux.just("none", "k", "none").map(name ->
            new KeyCommand(b(name)))).map(CommandResponse::getOutput).map(String::valueOf)
            .onErrorResume(failed -> Flux.just(failed.getClass().getSimpleName())));
    }

    private void keys() {
        add("exists one", on -> on.keyCommands().exists(b("k")));
        add("exists", on -> on.keyCommands().exists(bs("k", "none")));
        add("copy", on -> on.keyCommands().copy(b("k"), b("k2"), true));
        add("copy to database", on -> on.keyCommands().copy(Mono.just(CopyCommand.key(b("k")).to(b("k2")).replace(true)
            .database(1))).map(CommandResponse::getOutput));
        add("type", on -> on.keyCommands().type(b("k")));
        add("type of nothing", on -> on.keyCommands().type(b("none")));
        add("touch", on -> on.keyCommands().touch(bs("k", "k2")));
        add("expire", on -> on.keyCommands().expire(b("k2"), Duration.ofSeconds(1000)));
        add("expire XX", on -> on.keyCommands().applyExpiration(Mono.just(ExpireCommand.expire(b("k2"),
            Expiration.seconds(2000)).withOptions(ExpirationOptions.builder().xx().build())))
            .map(CommandResponse::getOutput));
        add("pExpire", on -> on.keyCommands().pExpire(b("k2"), Duration.ofMillis(2_000_000)));
        add("expireAt", on -> on.keyCommands().expireAt(b("k2"), Instant.ofEpochSecond(4_000_000_000L)));
        add("pExpireAt", on -> on.keyCommands().pExpireAt(b("k2"), Instant.ofEpochSecond(4_000_000_000L)));
        add("expiration at", on -> on.keyCommands().applyExpiration(Flux.just(
            ExpireCommand.expire(b("k2"), Expiration.unixTimestamp(4_000_000_000L, TimeUnit.SECONDS)),
            ExpireCommand.expire(b("k2"), Expiration.unixTimestamp(4_000_000_000_000L, TimeUnit.MILLISECONDS)),
            ExpireCommand.expire(b("k2"), Expiration.persistent()))).map(CommandResponse::getOutput));
        add("ttl", on -> on.keyCommands().ttl(b("k2")));
        add("pTtl of nothing", on -> on.keyCommands().pTtl(b("none")));
        add("persist", on -> on.keyCommands().persist(b("k2")));
        add("rename", on -> on.keyCommands().rename(b("k2"), b("k3")));
        add("rename nothing", on -> on.keyCommands().rename(b("none"), b("k3")));
        add("renameNX", on -> on.keyCommands().renameNX(b("k3"), b("k")));
        add("keys", on -> on.keyCommands().keys(b("k*")).map(java.util.HashSet::new));
        add("scan", on -> on.keyCommands().scan(ScanOptions.scanOptions().match("m*").count(2).build()));
        add("randomKey", on -> on.keyCommands().randomKey().map(ByteBuffer::hasRemaining));
        add("encoding", on -> on.keyCommands().encodingOf(b("k")));
        add("encoding of nothing", on -> on.keyCommands().encodingOf(b("none")));
        add("refcount", on -> on.keyCommands().refcount(b("k")));
        add("idletime", on -> on.keyCommands().idletime(b("k")).map(time -> time.toMinutes() < 5));
        add("idletime of nothing", on -> on.keyCommands().idletime(b("none")));
        add("move", on -> on.keyCommands().move(b("k3"), 1));
        add("unlink", on -> on.keyCommands().unlink(b("k3")));
        add("mUnlink", on -> on.keyCommands().mUnlink(bs("k", "none")));
        add("del", on -> on.keyCommands().del(b("e")));
        add("mDel", on -> on.keyCommands().mDel(bs("m1", "n", "none")));
    }

    private void bits() {
        add("setBit", on -> on.stringCommands().setBit(b("bits"), 7, true));
        add("setBit again", on -> on.stringCommands().setBit(b("bits"), 7, false));
        add("setBit 9", on -> on.stringCommands().setBit(b("bits"), 9, true));
        add("getBit", on -> on.stringCommands().getBit(b("bits"), 9));
        add("bitCount", on -> on.stringCommands().bitCount(b("bits")));
        add("bitCount in range", on -> on.stringCommands().bitCount(b("bits"), 0, 0));
        add("bitPos", on -> on.stringCommands().bitPos(b("bits"), true));
        add("bitPos in range", on -> on.stringCommands().bitPos(b("bits"), true, Range.closed(1L, 1L)));
        add("bitOp", on -> on.stringCommands().bitOp(bs("bits"), BitOperation.NOT, b("inverted")));
        add("bitOp NOT of two", on -> on.stringCommands().bitOp(bs("bits", "k"), BitOperation.NOT, b("inverted")));
        add("bitOp OR", on -> on.stringCommands().bitOp(bs("bits", "inverted"), BitOperation.OR, b("ones")));
        add("bitField", on -> on.stringCommands().bitField(b("field"), BitFieldSubCommands.create()
            .set(BitFieldType.INT_8).valueAt(0).to(100)
            .incr(BitFieldType.unsigned(2)).valueAt(10).overflow(Overflow.FAIL).by(5)
            .get(BitFieldType.INT_8).valueAt(0)));
        add("pfAdd", on -> on.hyperLogLogCommands().pfAdd(b("h1"), bs("a", "b")));
        add("pfMerge", on -> on.hyperLogLogCommands().pfMerge(b("h2"), bs("h1")));
        add("pfCount", on -> on.hyperLogLogCommands().pfCount(bs("h1", "h2")));
    }

    private void lists() {
        add("rPush", on -> on.listCommands().rPush(b("l"), bs("b", "c", "b", "d")));
        add("lPush", on -> on.listCommands().lPush(b("l"), bs("a")));
        add("rPushX", on -> on.listCommands().rPushX(b("none"), b("a")));
        add("lPushX", on -> on.listCommands().lPushX(b("l"), b("0")));
        add("pushX two", on -> on.listCommands().push(Mono.just(PushCommand.right().values(bs("a", "b")).to(b("l"))
            .ifExists())));
        add("lLen", on -> on.listCommands().lLen(b("l")));
        add("lRange", on -> on.listCommands().lRange(b("l"), 0, -1));
        add("lRange of nothing", on -> on.listCommands().lRange(b("none"), 0, -1));
        add("lPos", on -> on.listCommands().lPos(b("l"), b("b")));
        add("lPos of nothing", on -> on.listCommands().lPos(b("l"), b("none")));
        add("lPos all", on -> on.listCommands().lPos(LPosCommand.lPosOf(b("b")).from(b("l")).rank(-1).count(0)));
        add("lIndex", on -> on.listCommands().lIndex(b("l"), -1));
        add("lIndex outside", on -> on.listCommands().lIndex(b("l"), 100));
        add("lInsert", on -> on.listCommands().lInsert(b("l"), Position.BEFORE, b("c"), b("c-")));
        add("lSet", on -> on.listCommands().lSet(b("l"), 0, b("first")));
        add("lSet outside", on -> on.listCommands().lSet(b("l"), 100, b("first")));
        add("lRem", on -> on.listCommands().lRem(b("l"), 1L, b("b")));
        add("lTrim", on -> on.listCommands().lTrim(b("l"), 0, 4));
        add("lMove", on -> on.listCommands().lMove(b("l"), b("l2"), Direction.LEFT, Direction.RIGHT));
        add("lMove of nothing", on -> on.listCommands().lMove(b("none"), b("l2"), Direction.LEFT, Direction.RIGHT));
        add("bLMove", on -> on.listCommands().bLMove(b("l"), b("l2"), Direction.LEFT, Direction.RIGHT,
            Duration.ofSeconds(1)));
        add("rPopLPush", on -> on.listCommands().rPopLPush(b("l"), b("l2")));
        add("bRPopLPush", on -> on.listCommands().bRPopLPush(b("l2"), b("l"), Duration.ofSeconds(1)));
        add("lPop", on -> on.listCommands().lPop(b("l")));
        add("rPop", on -> on.listCommands().rPop(b("l")));
        add("lPop count", on -> on.listCommands().lPop(b("l2"), 1));
        add("rPop count of nothing", on -> on.listCommands().rPop(b("none"), 2));
        add("blPop", on -> on.listCommands().blPop(bs("none", "l2"), Duration.ofSeconds(1)).map(found ->
            List.of(found.getKey(), found.getValue())));
        add("brPop of nothing", on -> on.listCommands().brPop(bs("none"), Duration.ofSeconds(1)));
        add("rPop of nothing", on -> on.listCommands().rPop(b("none")));
    }

    private void sets() {
        add("sAdd", on -> on.setCommands().sAdd(b("s1"), bs("a", "b", "c")));
        add("sAdd other", on -> on.setCommands().sAdd(b("s2"), bs("b", "d")));
        add("sRem", on -> on.setCommands().sRem(b("s1"), bs("c", "none")));
        add("sCard", on -> on.setCommands().sCard(b("s1")));
        add("sIsMember", on -> on.setCommands().sIsMember(b("s1"), b("a")));
        add("sMIsMember", on -> on.setCommands().sMIsMember(b("s1"), bs("a", "none")));
        add("sDiff", on -> on.setCommands().sDiff(bs("s1", "s2")));
        add("sInter", on -> on.setCommands().sInter(bs("s1", "s2")));
        add("sUnion", on -> on.setCommands().sUnion(bs("s1", "s2")).sort());
        add("sDiffStore", on -> on.setCommands().sDiffStore(b("s3"), bs("s1", "s2")));
        add("sInterStore", on -> on.setCommands().sInterStore(b("s3"), bs("s1", "s2")));
        add("sUnionStore", on -> on.setCommands().sUnionStore(b("s3"), bs("s1", "s2")));
        add("sMembers", on -> on.setCommands().sMembers(b("s3")).sort());
        add("sMembers of nothing", on -> on.setCommands().sMembers(b("none")));
        add("sScan", on -> on.setCommands().sScan(b("s3")).sort());
        add("sMove", on -> on.setCommands().sMove(b("s1"), b("s2"), b("a")));
        add("sRandMember", on -> on.setCommands().sRandMember(b("s1")));
        add("sRandMember of nothing", on -> on.setCommands().sRandMember(b("none"), 2L));
        add("sPop", on -> on.setCommands().sPop(b("s1")));
        add("sPop of nothing", on -> on.setCommands().sPop(b("s1")));
        add("sPop count", on -> on.setCommands().sPop(b("s3"), 10).sort());
    }

    private void hashes() {
        add("hSet", on -> on.hashCommands().hSet(b("h"), b("a"), b("1")));
        add("hSet again", on -> on.hashCommands().hSet(b("h"), b("a"), b("2")));
        add("hSetNX", on -> on.hashCommands().hSetNX(b("h"), b("b"), b("3")));
        add("hMSet", on -> on.hashCommands().hMSet(b("h"), Map.of(b("c"), b("4"), b("d"), b("5"))));
        add("hGet", on -> on.hashCommands().hGet(b("h"), b("a")));
        add("hGet nothing", on -> on.hashCommands().hGet(b("h"), b("none")));
        add("hMGet", on -> on.hashCommands().hMGet(b("h"), bs("a", "none")));
        add("hIncrBy", on -> on.numberCommands().hIncrBy(b("h"), b("a"), 5));
        add("hIncrBy double", on -> on.numberCommands().hIncrBy(b("h"), b("b"), 0.25));
        add("hExists", on -> on.hashCommands().hExists(b("h"), b("none")));
        add("hLen", on -> on.hashCommands().hLen(b("h")));
        add("hKeys", on -> on.hashCommands().hKeys(b("h")).sort());
        add("hVals", on -> on.hashCommands().hVals(b("h")).sort());
        add("hGetAll", on -> on.hashCommands().hGetAll(b("h")).sort(Map.Entry.comparingByKey()));
        add("hGetAll of nothing", on -> on.hashCommands().hGetAll(b("none")));
        add("hScan", on -> on.hashCommands().hScan(b("h")).sort(Map.Entry.comparingByKey()));
        add("hStrLen", on -> on.hashCommands().hStrLen(b("h"), b("b")));
        add("hDel", on -> on.hashCommands().hDel(b("h"), bs("b", "c", "d", "none")));
        add("hDel one", on -> on.hashCommands().hDel(b("h"), b("none")));
        add("hRandField", on -> on.hashCommands().hRandField(b("h")));
        add("hRandField of nothing", on -> on.hashCommands().hRandField(b("none"), 2));
        add("hRandFieldWithValues", on -> on.hashCommands().hRandFieldWithValues(b("h")));
        add("hRandFieldWithValues count", on -> on.hashCommands().hRandFieldWithValues(b("h"), 2));
        add("hExpire", on -> on.hashCommands().hExpire(b("h"), Duration.ofSeconds(1000), bs("a", "none")));
        add("hpExpireAt", on -> on.hashCommands().hpExpireAt(b("h"), Instant.ofEpochSecond(4_000_000_000L), b("a")));
        add("hash expiration", on -> on.hashCommands().applyHashFieldExpiration(Flux.just(
            HashExpireCommand.expire(bs("a"), Expiration.milliseconds(1_000_000)).from(b("h")),
            HashExpireCommand.expire(bs("a"), Expiration.unixTimestamp(4_000_000_000L, TimeUnit.SECONDS)).from(b("h"))))
            .map(CommandResponse::getOutput));
        add("hTtl", on -> on.hashCommands().hTtl(b("h"), bs("a", "none")).map(time -> time > 0));
        add("hpTtl", on -> on.hashCommands().hpTtl(b("h"), bs("a")).map(time -> time > 0));
        add("hPersist", on -> on.hashCommands().hPersist(b("h"), bs("a")));
    }

    private void sortedSets() {
        add("zAdd", on -> on.zSetCommands().zAdd(b("z"), 1.5, b("a")));
        add("zAdd tuples", on -> on.zSetCommands().zAdd(b("z"), List.of(Tuple.of("b".getBytes(), 2.0),
            Tuple.of("c".getBytes(), 3.0))));
        add("zAdd GT CH", on -> on.zSetCommands().zAdd(Mono.just(ZAddCommand.tuple(Tuple.of("c".getBytes(), 7.0))
            .gt().ch().to(b("z")))).map(CommandResponse::getOutput));
        add("zAdd NX", on -> on.zSetCommands().zAdd(Mono.just(ZAddCommand.tuple(Tuple.of("c".getBytes(), 8.0))
            .nx().to(b("z")))).map(CommandResponse::getOutput));
        add("zAdd XX", on -> on.zSetCommands().zAdd(Mono.just(ZAddCommand.tuple(Tuple.of("c".getBytes(), 7.5))
            .xx().to(b("z")))).map(CommandResponse::getOutput));
        add("zAdd INCR", on -> on.zSetCommands().zAdd(Mono.just(ZAddCommand.tuple(Tuple.of("c".getBytes(), 1.0))
            .incr().to(b("z")))).map(CommandResponse::getOutput));
        add("zAdd infinite", on -> on.zSetCommands().zAdd(b("z"), Double.POSITIVE_INFINITY, b("d")));
        add("zAdd other", on -> on.zSetCommands().zAdd(b("z2"), 10.0, b("b")));
        add("zIncrBy", on -> on.zSetCommands().zIncrBy(b("z"), 0.5, b("a")));
        add("zCard", on -> on.zSetCommands().zCard(b("z")));
        add("zScore", on -> on.zSetCommands().zScore(b("z"), b("d")));
        add("zScore of nothing", on -> on.zSetCommands().zScore(b("z"), b("none")));
        add("zMScore", on -> on.zSetCommands().zMScore(b("z"), bs("a", "b")));
        add("zRank", on -> on.zSetCommands().zRank(b("z"), b("b")));
        add("zRank of nothing", on -> on.zSetCommands().zRank(b("z"), b("none")));
        add("zRevRank", on -> on.zSetCommands().zRevRank(b("z"), b("b")));
        add("zRange", on -> on.zSetCommands().zRange(b("z"), Range.unbounded()));
        add("zRangeWithScores", on -> on.zSetCommands().zRangeWithScores(b("z"), Range.closed(0L, -1L)));
        add("zRevRange", on -> on.zSetCommands().zRevRange(b("z"), Range.closed(0L, 1L)));
        add("zRevRangeWithScores", on -> on.zSetCommands().zRevRangeWithScores(b("z"), Range.closed(0L, 1L)));
        add("zScan", on -> on.zSetCommands().zScan(b("z")));
        add("zRandMember", on -> on.zSetCommands().zRandMember(b("z2")));
        add("zRandMemberWithScore", on -> on.zSetCommands().zRandMemberWithScore(b("z2")));
        add("zRandMemberWithScore count", on -> on.zSetCommands().zRandMemberWithScore(b("z2"), 3));
        add("zRandMember of nothing", on -> on.zSetCommands().zRandMember(b("none"), 3));
        add("zRem", on -> on.zSetCommands().zRem(b("z"), b("none")));
    }

    private void severalSets() {
        add("zAdd again", on -> on.zSetCommands().zAdd(b("z"), List.of(Tuple.of("a".getBytes(), 1.0),
            Tuple.of("b".getBytes(), 2.0))));
        add("zDiff", on -> on.zSetCommands().zDiff(bs("z", "z2")));
        add("zDiffWithScores", on -> on.zSetCommands().zDiffWithScores(bs("z", "z2")));
        add("zDiffStore", on -> on.zSetCommands().zDiffStore(b("z3"), bs("z", "z2")));
        add("zInter", on -> on.zSetCommands().zInter(bs("z", "z2")));
        add("zInterWithScores", on -> on.zSetCommands().zInterWithScores(bs("z", "z2")));
        add("zInterWithScores weighted", on -> on.zSetCommands().zInterWithScores(bs("z", "z2"), Weights.of(2, 0.5),
            Aggregate.MAX));
        add("zInterStore", on -> on.zSetCommands().zInterStore(b("z3"), bs("z", "z2")));
        add("zUnion", on -> on.zSetCommands().zUnion(bs("z", "z2")));
        add("zUnionWithScores", on -> on.zSetCommands().zUnionWithScores(bs("z", "z2"), Weights.of(1, 3)));
        add("zUnionStore", on -> on.zSetCommands().zUnionStore(b("z3"), bs("z", "z2"), List.of(1.0, 3.0),
            Aggregate.MIN));
        add("zPopMin", on -> on.zSetCommands().zPopMin(b("z")));
        add("zPopMax", on -> on.zSetCommands().zPopMax(b("z")));
        add("zPopMin count", on -> on.zSetCommands().zPopMin(b("z4"), 2));
        add("zPopMax count", on -> on.zSetCommands().zPopMax(b("z4"), 2));
        add("zPopMin of nothing", on -> on.zSetCommands().zPopMin(b("none")));
        add("bZPopMin", on -> on.zSetCommands().bZPopMin(b("z3"), Duration.ofSeconds(1)));
        add("bZPopMax", on -> on.zSetCommands().bZPopMax(b("z3"), Duration.ofSeconds(1)));
        add("bZPopMax of nothing", on -> on.zSetCommands().bZPopMax(b("none"), Duration.ofSeconds(1)));
    }

    private void scores() {
        Range<Double> open = Range.of(Bound.exclusive(1.5), Bound.unbounded());
        Range<String> letters = Range.of(Bound.inclusive("a"), Bound.exclusive("c"));
        Limit second = Limit.limit().offset(1).count(1);
        add("zRangeByScore", on -> on.zSetCommands().zRangeByScore(b("z"), open));
        add("zRangeByScore limit", on -> on.zSetCommands().zRangeByScore(b("z"), open, second));
        add("zRangeByScoreWithScores", on -> on.zSetCommands().zRangeByScoreWithScores(b("z"), open, second));
        add("zRevRangeByScore", on -> on.zSetCommands().zRevRangeByScore(b("z"), open, second));
        add("zRevRangeByScoreWithScores", on -> on.zSetCommands().zRevRangeByScoreWithScores(b("z"), open));
        add("zCount", on -> on.zSetCommands().zCount(b("z"), open));
        add("zAdd letters", on -> on.zSetCommands().zAdd(b("letters"), List.of("a", "b", "c", "d", "e").stream()
            .map(letter -> Tuple.of(letter.getBytes(), 0.0)).toList()));
        add("zRangeByLex", on -> on.zSetCommands().zRangeByLex(b("letters"), letters));
        add("zRangeByLex all", on -> on.zSetCommands().zRangeByLex(b("letters"), Range.unbounded()));
        add("zRevRangeByLex", on -> on.zSetCommands().zRevRangeByLex(b("letters"), letters, second));
        add("zLexCount", on -> on.zSetCommands().zLexCount(b("letters"), letters));
        add("zRangeStoreByLex", on -> on.zSetCommands().zRangeStoreByLex(b("letters"), b("z4"), letters, second));
        add("zRangeStoreRevByLex", on -> on.zSetCommands().zRangeStoreRevByLex(b("letters"), b("z4"), letters,
            Limit.unlimited()));
        add("zRangeStoreByScore", on -> on.zSetCommands().zRangeStoreByScore(b("z"), b("z4"), open, second));
        add("zRangeStoreRevByScore", on -> on.zSetCommands().zRangeStoreRevByScore(b("z"), b("z4"), open,
            Limit.unlimited()));
        add("zRemRangeByLex", on -> on.zSetCommands().zRemRangeByLex(b("letters"), letters));
        add("zRemRange", on -> on.zSetCommands().zRemRangeByRank(b("letters"), Range.closed(0L, 0L)));
        add("zRemRangeByScore", on -> on.zSetCommands().zRemRangeByScore(b("letters"), Range.closed(-1.0, 1.0)));
    }

    private static ByteBufferRecord entry(String key, String id, String value) {
        return StreamRecords.newRecord().in(b(key)).withId(id).ofBuffer(Map.of(b("f"), b(value)));
    }

    @SuppressWarnings("unchecked")
    private void streams() {
        for (int i = 1; i < 5; i++) {
            ByteBufferRecord added = entry("x", i + "-1", "v" + i);
            add("xAdd " + i, on -> on.streamCommands().xAdd(added));
        }
        add("xAdd too old", on -> on.streamCommands().xAdd(entry("x", "1-1", "v")));
        add("xAdd NOMKSTREAM", on -> on.streamCommands().xAdd(entry("none", "9-1", "v"), XAddOptions.makeNoStream()));
        add("xAdd MAXLEN", on -> on.streamCommands().xAdd(entry("x", "5-1", "v"), XAddOptions.maxlen(4)));
        add("xLen", on -> on.streamCommands().xLen(b("x")));
        add("xRange", on -> on.streamCommands().xRange(b("x"), Range.unbounded()));
        add("xRange limit", on -> on.streamCommands().xRange(b("x"), Range.of(Bound.exclusive("2-1"),
            Bound.unbounded()), Limit.limit().count(2)));
        add("xRevRange", on -> on.streamCommands().xRevRange(b("x"), Range.closed("2-1", "4-1")));
        add("xRead", on -> on.streamCommands().xRead(StreamReadOptions.empty().count(2),
            StreamOffset.create(b("x"), ReadOffset.from("3-1")), StreamOffset.fromStart(b("none"))));
        add("xRead nothing", on -> on.streamCommands().xRead(StreamOffset.create(b("x"), ReadOffset.from("9-1"))));
        add("xRead BLOCK", on -> on.streamCommands().xRead(StreamReadOptions.empty().block(Duration.ofMillis(20)),
            StreamOffset.create(b("x"), ReadOffset.from("9-1"))));
        add("xDel", on -> on.streamCommands().xDel(b("x"), "3-1", "99-1"));
        add("xTrim", on -> on.streamCommands().xTrim(b("x"), 2));
    }

    @SuppressWarnings("unchecked")
    private void groups() {
        Consumer alice = Consumer.from("g", "alice");
        add("xGroupCreate", on -> on.streamCommands().xGroupCreate(b("x"), "g", ReadOffset.from("0")));
        add("xGroupCreate again", on -> on.streamCommands().xGroupCreate(b("x"), "g", ReadOffset.from("0")));
        add("xGroupCreate MKSTREAM", on -> on.streamCommands().xGroupCreate(b("y"), "g", ReadOffset.latest(), true));
        add("xReadGroup", on -> on.streamCommands().xReadGroup(alice,
            StreamOffset.create(b("x"), ReadOffset.lastConsumed())));
        add("xReadGroup nothing", on -> on.streamCommands().xReadGroup(alice, StreamReadOptions.empty().noack(),
            StreamOffset.create(b("x"), ReadOffset.lastConsumed())));
        add("xPending", on -> on.streamCommands().xPending(b("x"), "g"));
        add("xPending range", on -> on.streamCommands().xPending(b("x"), alice, Range.unbounded(), 10L).map(found ->
            found.stream().map(one -> one.getIdAsString() + one.getConsumerName() + one.getTotalDeliveryCount())
                .toList()));
        add("xAck", on -> on.streamCommands().xAck(b("x"), "g", "4-1"));
        add("xClaim", on -> on.streamCommands().xClaim(b("x"), "g", "bob",
            XClaimOptions.minIdleMs(0).ids("5-1").retryCount(3)));
        add("xClaimJustId", on -> on.streamCommands().xClaimJustId(b("x"), "g", "alice",
            XClaimOptions.minIdleMs(0).ids("5-1").force()));
        add("xInfo", on -> on.streamCommands().xInfo(b("x")).map(info -> List.of(info.streamLength(),
            info.groupCount(), info.firstEntryId(), info.lastGeneratedId())));
        add("xInfoGroups", on -> on.streamCommands().xInfoGroups(b("x")).map(info -> List.of(info.groupName(),
            info.pendingCount(), info.lastDeliveredId())));
        add("xInfoConsumers", on -> on.streamCommands().xInfoConsumers(b("x"), "g").map(one ->
            one.groupName() + one.consumerName() + one.pendingCount()));
        add("xGroupDelConsumer", on -> on.streamCommands().xGroupDelConsumer(b("x"), alice));
        add("xGroupDestroy", on -> on.streamCommands().xGroupDestroy(b("x"), "g"));
        add("xGroupDestroy again", on -> on.streamCommands().xGroupDestroy(b("x"), "g"));
    }

    private void places() {
        add("geoAdd", on -> on.geoCommands().geoAdd(b("sicily"), new Point(13.361389, 38.115556), b("Palermo")));
        add("geoAdd more", on -> on.geoCommands().geoAdd(b("sicily"), new Point(15.087269, 37.502669), b("Catania")));
        add("geoDist", on -> on.geoCommands().geoDist(b("sicily"), b("Palermo"), b("Catania")));
        add("geoDist km", on -> on.geoCommands().geoDist(b("sicily"), b("Palermo"), b("Catania"), Metrics.KILOMETERS));
        add("geoDist of nothing", on -> on.geoCommands().geoDist(b("sicily"), b("Palermo"), b("none")));
        add("geoHash", on -> on.geoCommands().geoHash(b("sicily"), bs("Palermo", "none")));
        add("geoPos", on -> on.geoCommands().geoPos(b("sicily"), bs("Palermo", "none")));
        Circle circle = new Circle(new Point(15, 37), new Distance(200, Metrics.KILOMETERS));
        add("geoRadius", on -> on.geoCommands().geoRadius(b("sicily"), circle));
        add("geoRadius all", on -> on.geoCommands().geoRadius(b("sicily"), circle,
            GeoRadiusCommandArgs.newGeoRadiusArgs().includeCoordinates().includeDistance().sortAscending().limit(1)));
        add("geoRadiusByMember", on -> on.geoCommands().geoRadiusByMember(b("sicily"), b("Palermo"),
            new Distance(100, Metrics.MILES), GeoRadiusCommandArgs.newGeoRadiusArgs().includeDistance()));
        add("geoSearch", on -> on.geoCommands().geoSearch(b("sicily"), GeoReference.fromMember(b("Palermo")),
            GeoShape.byBox(400, 400, DistanceUnit.KILOMETERS),
            GeoSearchCommandArgs.newGeoSearchArgs().includeDistance().includeCoordinates().sortDescending()));
        add("geoSearchStore", on -> on.geoCommands().geoSearchStore(b("found"), b("sicily"),
            GeoReference.fromCoordinate(new Point(15, 37)), GeoShape.byRadius(new Distance(100, Metrics.KILOMETERS)),
            GeoSearchStoreCommandArgs.newGeoSearchStoreArgs().storeDistance()));
    }

    private void scripts() {
        add("eval value", on -> on.scriptingCommands().eval(b("return ARGV[1]"), ReturnType.VALUE, 1, b("k"), b("v")));
        add("eval integer", on -> on.scriptingCommands().eval(b("return 42"), ReturnType.INTEGER, 0));
        add("eval true", on -> on.scriptingCommands().eval(b("return true"), ReturnType.BOOLEAN, 0));
        add("eval false", on -> on.scriptingCommands().eval(b("return false"), ReturnType.BOOLEAN, 0));
        add("eval status", on -> on.scriptingCommands().eval(b("return redis.status_reply('FINE')"), ReturnType.STATUS,
            0));
        add("eval multi", on -> on.scriptingCommands().eval(b("return {1, 'a', {2, 'b'}}"), ReturnType.MULTI, 0));
        add("eval multi with a null", on -> on.scriptingCommands().eval(b("return {1, false}"), ReturnType.MULTI, 0));
        add("eval nothing", on -> on.scriptingCommands().eval(b("return nil"), ReturnType.VALUE, 0));
        add("eval error", on -> on.scriptingCommands().eval(b("return redis.error_reply('ERR mine')"),
            ReturnType.VALUE, 0));
        add("evalSha unknown", on -> on.scriptingCommands().evalSha("0".repeat(40), ReturnType.VALUE, 0));
        add("scriptLoad", on -> on.scriptingCommands().scriptLoad(b("return 1")));
        add("evalSha", on -> on.scriptingCommands().evalSha("e0e1f9fabfc9d4800c877a703b823ac0578ff8db",
            ReturnType.INTEGER, 0));
        add("scriptExists", on -> on.scriptingCommands().scriptExists(List.of(
            "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0".repeat(40))));
        add("scriptKill", on -> on.scriptingCommands().scriptKill());
        add("scriptFlush", on -> on.scriptingCommands().scriptFlush());
    }

    private void server() {
        add("ping", ReactiveRedisConnection::ping);
        add("dbSize", on -> on.serverCommands().dbSize());
        add("setConfig", on -> on.serverCommands().setConfig("hash-max-listpack-entries", "100"));
        add("setConfig wrong", on -> on.serverCommands().setConfig("no-such-setting", "100"));
        add("getConfig", on -> on.serverCommands().getConfig("hash-max-listpack-entries"));
        add("resetConfigStats", on -> on.serverCommands().resetConfigStats());
        add("info", on -> on.serverCommands().info("server").map(found -> found.containsKey("redis_version")));
        add("info all", on -> on.serverCommands().info().map(found -> found.containsKey("used_memory")));
        add("time", on -> on.serverCommands().time(TimeUnit.DAYS).map(days -> days > 20_000));
        add("lastSave", on -> on.serverCommands().lastSave().map(at -> at > 1_700_000_000_000L));
        add("getClientList", on -> on.serverCommands().getClientList().count().map(count -> count > 0));
        add("killClient", on -> on.serverCommands().killClient("127.0.0.1", 1));
        add("publish", on -> on.pubSubCommands().publish(Mono.just(new ChannelMessage<>(b("nobody"), b("message")))));
        add("flushDb", on -> on.serverCommands().flushDb());
        add("flushAll", on -> on.serverCommands().flushAll(FlushOption.ASYNC));
    }
}
