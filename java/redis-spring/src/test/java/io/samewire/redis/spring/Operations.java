package io.samewire.redis.spring;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.data.domain.Range;
import org.springframework.data.domain.Range.Bound;
import org.springframework.data.geo.Circle;
import org.springframework.data.geo.Distance;
import org.springframework.data.geo.Metrics;
import org.springframework.data.geo.Point;
import org.springframework.data.redis.connection.BitFieldSubCommands;
import org.springframework.data.redis.connection.BitFieldSubCommands.BitFieldIncrBy.Overflow;
import org.springframework.data.redis.connection.BitFieldSubCommands.BitFieldType;
import org.springframework.data.redis.connection.DefaultSortParameters;
import org.springframework.data.redis.connection.ExpirationOptions;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisGeoCommands.DistanceUnit;
import org.springframework.data.redis.connection.RedisGeoCommands.GeoRadiusCommandArgs;
import org.springframework.data.redis.connection.RedisGeoCommands.GeoSearchCommandArgs;
import org.springframework.data.redis.connection.RedisGeoCommands.GeoSearchStoreCommandArgs;
import org.springframework.data.redis.connection.RedisListCommands.Direction;
import org.springframework.data.redis.connection.RedisListCommands.Position;
import org.springframework.data.redis.connection.RedisStreamCommands.XAddOptions;
import org.springframework.data.redis.connection.RedisStreamCommands.XClaimOptions;
import org.springframework.data.redis.connection.RedisStreamCommands.XPendingOptions;
import org.springframework.data.redis.connection.RedisStringCommands.BitOperation;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.connection.RedisZSetCommands.ZAddArgs;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.SortParameters;
import org.springframework.data.redis.connection.SortParameters.Order;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.RecordId;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.connection.stream.StreamReadOptions;
import org.springframework.data.redis.connection.stream.StreamRecords;
import org.springframework.data.redis.connection.zset.Aggregate;
import org.springframework.data.redis.connection.zset.Tuple;
import org.springframework.data.redis.connection.zset.Weights;
import org.springframework.data.redis.core.types.Expiration;
import org.springframework.data.redis.domain.geo.GeoReference;
import org.springframework.data.redis.domain.geo.GeoShape;

/**
 * Calls of Spring's interface, one after the other, by their names: what one leaves behind is what the next ones find.
 * Their results do not depend on time or chance.
 */
final class Operations {
    /** A call, which may return null. */
    interface Operation {
        Object on(RedisConnection connection);
    }

    /** A call that returns nothing. */
    interface Run {
        void on(RedisConnection connection);
    }

    private final Map<String, Operation> all = new LinkedHashMap<>();

    private Operations() {
        keysAndStrings();
        bits();
        lists();
        sets();
        hashes();
        sortedSets();
        scores();
        streams();
        groups();
        places();
        scripts();
        server();
    }

    static Map<String, Operation> all() {
        return new Operations().all;
    }

    static byte[] b(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void add(String name, Operation operation) {
        if (all.put(name, operation) != null) {
            throw new IllegalStateException(name + " is there twice");
        }
    }

    private void run(String name, Run run) {
        add(name, on -> {
            run.on(on);
            return null;
        });
    }

    private void keysAndStrings() {
        add("set", on -> on.stringCommands().set(b("k"), b("v")));
        add("set NX", on -> on.stringCommands().set(b("k"), b("w"), Expiration.persistent(), SetOption.ifAbsent()));
        add("set XX EX", on -> on.stringCommands().set(b("k"), b("w"), Expiration.seconds(1000),
            SetOption.ifPresent()));
        add("set KEEPTTL", on -> on.stringCommands().set(b("k"), b("x"), Expiration.keepTtl(), SetOption.upsert()));
        add("setGet", on -> on.stringCommands().setGet(b("k"), b("y"), Expiration.milliseconds(900_000),
            SetOption.upsert()));
        add("ttl in hours", on -> on.keyCommands().ttl(b("k"), TimeUnit.HOURS));
        add("pTtl in days", on -> on.keyCommands().pTtl(b("k"), TimeUnit.DAYS));
        add("persist", on -> on.keyCommands().persist(b("k")));
        add("ttl", on -> on.keyCommands().ttl(b("k")));
        add("ttl of nothing", on -> on.keyCommands().pTtl(b("none"), TimeUnit.SECONDS));
        add("get", on -> on.stringCommands().get(b("k")));
        add("get nothing", on -> on.stringCommands().get(b("none")));
        add("getEx", on -> on.stringCommands().getEx(b("k"), Expiration.unixTimestamp(4_000_000_000L,
            TimeUnit.SECONDS)));
        add("getEx PERSIST", on -> on.stringCommands().getEx(b("k"), Expiration.persistent()));
        add("getSet", on -> on.stringCommands().getSet(b("k"), b("z")));
        add("getDel", on -> on.stringCommands().getDel(b("k")));
        add("setNX", on -> on.stringCommands().setNX(b("k"), b("v")));
        add("setEx", on -> on.stringCommands().setEx(b("e"), 1000, b("v")));
        add("pSetEx", on -> on.stringCommands().pSetEx(b("e"), 1_000_000, b("v")));
        add("mSet", on -> on.stringCommands().mSet(Map.of(b("m1"), b("1"))));
        add("mSetNX", on -> on.stringCommands().mSetNX(Map.of(b("m1"), b("2"))));
        add("mGet", on -> on.stringCommands().mGet(b("m1"), b("none")));
        add("incr", on -> on.stringCommands().incr(b("n")));
        add("incrBy", on -> on.stringCommands().incrBy(b("n"), 41));
        add("incrBy double", on -> on.stringCommands().incrBy(b("n"), 0.5));
        add("decr of a double", on -> on.stringCommands().decr(b("n")));
        add("decrBy", on -> on.stringCommands().decrBy(b("m1"), 2));
        add("append", on -> on.stringCommands().append(b("k"), b("alue")));
        run("setRange", on -> on.stringCommands().setRange(b("k"), b("ALUE"), 1));
        add("getRange", on -> on.stringCommands().getRange(b("k"), 1, 2));
        add("strLen", on -> on.stringCommands().strLen(b("k")));
        add("wrong type", on -> on.listCommands().lLen(b("k")));
        add("exists one", on -> on.keyCommands().exists(b("k")));
        add("exists", on -> on.keyCommands().exists(b("k"), b("none")));
        add("copy", on -> on.keyCommands().copy(b("k"), b("k2"), true));
        add("type", on -> on.keyCommands().type(b("k")));
        add("type of nothing", on -> on.keyCommands().type(b("none")));
        add("touch", on -> on.keyCommands().touch(b("k"), b("k2")));
        add("expire", on -> on.keyCommands().expire(b("k2"), 1000));
        add("expire XX", on -> on.keyCommands().expire(b("k2"), 2000, ExpirationOptions.Condition.XX));
        add("pExpire NX", on -> on.keyCommands().pExpire(b("k2"), 2000, ExpirationOptions.Condition.NX));
        add("expireAt", on -> on.keyCommands().expireAt(b("k2"), 4_000_000_000L));
        add("pExpireAt", on -> on.keyCommands().pExpireAt(b("k2"), 4_000_000_000_000L));
        run("rename", on -> on.keyCommands().rename(b("k2"), b("k3")));
        run("rename nothing", on -> on.keyCommands().rename(b("none"), b("k3")));
        add("renameNX", on -> on.keyCommands().renameNX(b("k3"), b("k")));
        add("keys", on -> on.keyCommands().keys(b("k*")));
        add("dump", on -> on.keyCommands().dump(b("none")));
        add("encoding", on -> on.keyCommands().encodingOf(b("k")));
        add("refcount", on -> on.keyCommands().refcount(b("k")));
        add("idletime", on -> on.keyCommands().idletime(b("k")).compareTo(Duration.ofMinutes(5)) < 0);
        add("move", on -> on.keyCommands().move(b("k3"), 1));
        add("unlink", on -> on.keyCommands().unlink(b("k"), b("none")));
        add("del", on -> on.keyCommands().del(b("e"), b("m1"), b("n")));
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
        add("bitOp", on -> on.stringCommands().bitOp(BitOperation.NOT, b("inverted"), b("bits")));
        add("bitField", on -> on.stringCommands().bitField(b("field"), BitFieldSubCommands.create()
            .set(BitFieldType.INT_8).valueAt(0).to(100)
            .incr(BitFieldType.unsigned(2)).valueAt(10).overflow(Overflow.FAIL).by(5)
            .incr(BitFieldType.INT_8).valueAt(0).overflow(Overflow.SAT).by(100)
            .get(BitFieldType.INT_8).valueAt(0)));
        add("pfAdd", on -> on.hyperLogLogCommands().pfAdd(b("h1"), b("a"), b("b")));
        run("pfMerge", on -> on.hyperLogLogCommands().pfMerge(b("h2"), b("h1")));
        add("pfCount", on -> on.hyperLogLogCommands().pfCount(b("h1"), b("h2")));
    }

    private void lists() {
        add("rPush", on -> on.listCommands().rPush(b("l"), b("b"), b("c"), b("b"), b("d")));
        add("lPush", on -> on.listCommands().lPush(b("l"), b("a")));
        add("rPushX", on -> on.listCommands().rPushX(b("none"), b("a")));
        add("lPushX", on -> on.listCommands().lPushX(b("l"), b("0")));
        add("lLen", on -> on.listCommands().lLen(b("l")));
        add("lRange", on -> on.listCommands().lRange(b("l"), 0, -1));
        add("lPos", on -> on.listCommands().lPos(b("l"), b("b")));
        add("lPos of nothing", on -> on.listCommands().lPos(b("l"), b("none"), null, null));
        add("lPos all", on -> on.listCommands().lPos(b("l"), b("b"), -1, 0));
        add("lIndex", on -> on.listCommands().lIndex(b("l"), -1));
        add("lIndex outside", on -> on.listCommands().lIndex(b("l"), 100));
        add("lInsert", on -> on.listCommands().lInsert(b("l"), Position.BEFORE, b("c"), b("c-")));
        run("lSet", on -> on.listCommands().lSet(b("l"), 0, b("first")));
        run("lSet outside", on -> on.listCommands().lSet(b("l"), 100, b("first")));
        add("lRem", on -> on.listCommands().lRem(b("l"), 1, b("b")));
        run("lTrim", on -> on.listCommands().lTrim(b("l"), 0, 4));
        add("lMove", on -> on.listCommands().lMove(b("l"), b("l2"), Direction.first(), Direction.last()));
        add("rPopLPush", on -> on.listCommands().rPopLPush(b("l"), b("l2")));
        add("lPop", on -> on.listCommands().lPop(b("l")));
        add("rPop", on -> on.listCommands().rPop(b("l")));
        add("lPop count", on -> on.listCommands().lPop(b("l2"), 2));
        add("rPop count of nothing", on -> on.listCommands().rPop(b("none"), 2));
        add("bLPop", on -> on.listCommands().bLPop(1, b("none"), b("l")));
        add("lPop of nothing", on -> on.listCommands().lPop(b("l")));
        add("sort source", on -> on.listCommands().rPush(b("numbers"), b("3"), b("10"), b("1")));
        add("sort", on -> on.keyCommands().sort(b("numbers"), new DefaultSortParameters(null, Order.DESC, null)));
        add("sort alpha", on -> on.keyCommands().sort(b("numbers"), new DefaultSortParameters(
            new SortParameters.Range(0, 2), null, true)));
        add("sort into", on -> on.keyCommands().sort(b("numbers"), new DefaultSortParameters(), b("sorted")));
    }

    private void sets() {
        add("sAdd", on -> on.setCommands().sAdd(b("s1"), b("a"), b("b"), b("c")));
        add("sAdd other", on -> on.setCommands().sAdd(b("s2"), b("b"), b("d")));
        add("sRem", on -> on.setCommands().sRem(b("s1"), b("c"), b("none")));
        add("sCard", on -> on.setCommands().sCard(b("s1")));
        add("sIsMember", on -> on.setCommands().sIsMember(b("s1"), b("a")));
        add("sMIsMember", on -> on.setCommands().sMIsMember(b("s1"), b("a"), b("none")));
        add("sDiff", on -> on.setCommands().sDiff(b("s1"), b("s2")));
        add("sInter", on -> on.setCommands().sInter(b("s1"), b("s2")));
        add("sUnion", on -> on.setCommands().sUnion(b("s1"), b("s2")));
        add("sDiffStore", on -> on.setCommands().sDiffStore(b("s3"), b("s1"), b("s2")));
        add("sInterStore", on -> on.setCommands().sInterStore(b("s3"), b("s1"), b("s2")));
        add("sUnionStore", on -> on.setCommands().sUnionStore(b("s3"), b("s1"), b("s2")));
        add("sMembers", on -> on.setCommands().sMembers(b("s3")));
        add("sMembers of nothing", on -> on.setCommands().sMembers(b("none")));
        add("sMove", on -> on.setCommands().sMove(b("s1"), b("s2"), b("a")));
        add("sRandMember", on -> on.setCommands().sRandMember(b("s1")));
        add("sRandMember of nothing", on -> on.setCommands().sRandMember(b("none"), 2));
        add("sPop", on -> on.setCommands().sPop(b("s1")));
        add("sPop count", on -> on.setCommands().sPop(b("s1"), 2));
    }

    private void hashes() {
        add("hSet", on -> on.hashCommands().hSet(b("h"), b("a"), b("1")));
        add("hSet again", on -> on.hashCommands().hSet(b("h"), b("a"), b("2")));
        add("hSetNX", on -> on.hashCommands().hSetNX(b("h"), b("b"), b("3")));
        run("hMSet", on -> on.hashCommands().hMSet(b("h"), Map.of(b("c"), b("4"))));
        add("hGet", on -> on.hashCommands().hGet(b("h"), b("a")));
        add("hMGet", on -> on.hashCommands().hMGet(b("h"), b("a"), b("none")));
        add("hIncrBy", on -> on.hashCommands().hIncrBy(b("h"), b("a"), 5));
        add("hIncrBy double", on -> on.hashCommands().hIncrBy(b("h"), b("b"), 0.25));
        add("hExists", on -> on.hashCommands().hExists(b("h"), b("none")));
        add("hLen", on -> on.hashCommands().hLen(b("h")));
        add("hKeys", on -> on.hashCommands().hKeys(b("h")));
        add("hVals", on -> on.hashCommands().hVals(b("h")));
        add("hGetAll", on -> on.hashCommands().hGetAll(b("h")));
        add("hGetAll of nothing", on -> on.hashCommands().hGetAll(b("none")));
        add("hStrLen", on -> on.hashCommands().hStrLen(b("h"), b("b")));
        add("hDel", on -> on.hashCommands().hDel(b("h"), b("b"), b("c"), b("none")));
        add("hRandField", on -> on.hashCommands().hRandField(b("h")));
        add("hRandField of nothing", on -> on.hashCommands().hRandField(b("none"), 2));
        add("hRandFieldWithValues", on -> on.hashCommands().hRandFieldWithValues(b("h")));
        add("hRandFieldWithValues count", on -> on.hashCommands().hRandFieldWithValues(b("h"), 2));
    }

    private void sortedSets() {
        add("zAdd", on -> on.zSetCommands().zAdd(b("z"), 1.5, b("a")));
        add("zAdd tuples", on -> on.zSetCommands().zAdd(b("z"), Set.of(Tuple.of(b("b"), 2.0), Tuple.of(b("c"), 3.0))));
        add("zAdd GT CH", on -> on.zSetCommands().zAdd(b("z"), 7, b("c"), ZAddArgs.empty().gt().ch()));
        add("zAdd NX", on -> on.zSetCommands().zAdd(b("z"), 7, b("c"), ZAddArgs.ifNotExists()));
        add("zAdd infinite", on -> on.zSetCommands().zAdd(b("z"), Double.POSITIVE_INFINITY, b("d")));
        add("zAdd other", on -> on.zSetCommands().zAdd(b("z2"), 10, b("b")));
        add("zIncrBy", on -> on.zSetCommands().zIncrBy(b("z"), 0.5, b("a")));
        add("zCard", on -> on.zSetCommands().zCard(b("z")));
        add("zScore", on -> on.zSetCommands().zScore(b("z"), b("d")));
        add("zScore of nothing", on -> on.zSetCommands().zScore(b("z"), b("none")));
        add("zMScore", on -> on.zSetCommands().zMScore(b("z"), b("a"), b("none")));
        add("zRank", on -> on.zSetCommands().zRank(b("z"), b("b")));
        add("zRank of nothing", on -> on.zSetCommands().zRank(b("z"), b("none")));
        add("zRevRank", on -> on.zSetCommands().zRevRank(b("z"), b("b")));
        add("zRange", on -> on.zSetCommands().zRange(b("z"), 0, -1));
        add("zRangeWithScores", on -> on.zSetCommands().zRangeWithScores(b("z"), 0, -1));
        add("zRevRange", on -> on.zSetCommands().zRevRange(b("z"), 0, 1));
        add("zRevRangeWithScores", on -> on.zSetCommands().zRevRangeWithScores(b("z"), 0, 1));
        add("zDiff", on -> on.zSetCommands().zDiff(b("z"), b("z2")));
        add("zDiffWithScores", on -> on.zSetCommands().zDiffWithScores(b("z"), b("z2")));
        add("zDiffStore", on -> on.zSetCommands().zDiffStore(b("z3"), b("z"), b("z2")));
        add("zInter", on -> on.zSetCommands().zInter(b("z"), b("z2")));
        add("zInterWithScores", on -> on.zSetCommands().zInterWithScores(b("z"), b("z2")));
        add("zInterWithScores weighted", on -> on.zSetCommands().zInterWithScores(Aggregate.MAX, Weights.of(2, 0.5),
            b("z"), b("z2")));
        add("zInterStore", on -> on.zSetCommands().zInterStore(b("z3"), b("z"), b("z2")));
        add("zUnion", on -> on.zSetCommands().zUnion(b("z"), b("z2")));
        add("zUnionWithScores", on -> on.zSetCommands().zUnionWithScores(Aggregate.SUM, Weights.of(1, 3), b("z"),
            b("z2")));
        add("zUnionStore", on -> on.zSetCommands().zUnionStore(b("z3"), Aggregate.MIN, Weights.of(1, 3), b("z"),
            b("z2")));
        add("zRandMember", on -> on.zSetCommands().zRandMember(b("z2")));
        add("zRandMemberWithScore", on -> on.zSetCommands().zRandMemberWithScore(b("z2")));
        add("zRandMemberWithScore count", on -> on.zSetCommands().zRandMemberWithScore(b("z2"), 3));
        add("zRandMember of nothing", on -> on.zSetCommands().zRandMember(b("none"), 3));
        add("zRem", on -> on.zSetCommands().zRem(b("z"), b("none")));
    }

    private void scores() {
        Range<Double> open = Range.of(Bound.exclusive(1.5), Bound.unbounded());
        Range<byte[]> letters = Range.of(Bound.inclusive(b("a")), Bound.exclusive(b("c")));
        Limit second = Limit.limit().offset(1).count(1);
        add("zRangeByScore", on -> on.zSetCommands().zRangeByScore(b("z"), open));
        add("zRangeByScore texts", on -> on.zSetCommands().zRangeByScore(b("z"), "(1", "+inf", 1, 2));
        add("zRangeByScore limit", on -> on.zSetCommands().zRangeByScore(b("z"), open, second));
        add("zRangeByScoreWithScores", on -> on.zSetCommands().zRangeByScoreWithScores(b("z"), open, second));
        add("zRevRangeByScore", on -> on.zSetCommands().zRevRangeByScore(b("z"), open, second));
        add("zRevRangeByScoreWithScores", on -> on.zSetCommands().zRevRangeByScoreWithScores(b("z"), open));
        add("zCount", on -> on.zSetCommands().zCount(b("z"), open));
        run("zAdd letters", on -> {
            for (String letter : List.of("a", "b", "c", "d", "e")) {
                on.zSetCommands().zAdd(b("letters"), 0, b(letter));
            }
        });
        add("zRangeByLex", on -> on.zSetCommands().zRangeByLex(b("letters"), letters));
        add("zRangeByLex all", on -> on.zSetCommands().zRangeByLex(b("letters")));
        add("zRevRangeByLex", on -> on.zSetCommands().zRevRangeByLex(b("letters"), letters, second));
        add("zLexCount", on -> on.zSetCommands().zLexCount(b("letters"), letters));
        add("zRangeStoreByLex", on -> on.zSetCommands().zRangeStoreByLex(b("z4"), b("letters"), letters));
        add("zRangeStoreRevByLex", on -> on.zSetCommands().zRangeStoreRevByLex(b("z4"), b("letters"), letters, second));
        add("zRangeStoreByScore", on -> on.zSetCommands().zRangeStoreByScore(b("z4"), b("z"), open, second));
        add("zRangeStoreRevByScore", on -> on.zSetCommands().zRangeStoreRevByScore(b("z4"), b("z"), open));
        add("zRemRangeByLex", on -> on.zSetCommands().zRemRangeByLex(b("letters"), letters));
        add("zRemRange", on -> on.zSetCommands().zRemRange(b("letters"), 0, 0));
        add("zRemRangeByScore", on -> on.zSetCommands().zRemRangeByScore(b("letters"), Range.closed(-1, 1)));
        add("zPopMin", on -> on.zSetCommands().zPopMin(b("z")));
        add("zPopMax", on -> on.zSetCommands().zPopMax(b("z")));
        add("zPopMin count", on -> on.zSetCommands().zPopMin(b("z4"), 1));
        add("zPopMax count", on -> on.zSetCommands().zPopMax(b("z4"), 2));
        add("zPopMin of nothing", on -> on.zSetCommands().zPopMin(b("none")));
        add("bZPopMin", on -> on.zSetCommands().bZPopMin(b("z"), 1, TimeUnit.SECONDS));
        add("bZPopMax", on -> on.zSetCommands().bZPopMax(b("z3"), 1, TimeUnit.SECONDS));
    }

    @SuppressWarnings("unchecked")
    private void streams() {
        for (int i = 1; i < 5; i++) {
            RecordId id = RecordId.of(i, 1);
            byte[] value = b("v" + i);
            add("xAdd " + i, on -> on.streamCommands().xAdd(StreamRecords.newRecord().in(b("x")).withId(id)
                .ofMap(Map.of(b("f"), value))));
        }
        add("xAdd too old", on -> on.streamCommands().xAdd(StreamRecords.newRecord().in(b("x")).withId("1-1")
            .ofMap(Map.of(b("f"), b("v")))));
        add("xAdd NOMKSTREAM", on -> on.streamCommands().xAdd(StreamRecords.newRecord().in(b("none")).withId("9-1")
            .ofMap(Map.of(b("f"), b("v"))), XAddOptions.makeNoStream()));
        add("xAdd MAXLEN", on -> on.streamCommands().xAdd(StreamRecords.newRecord().in(b("x")).withId("5-1")
            .ofMap(Map.of(b("f"), b("v"))), XAddOptions.maxlen(4)));
        add("xLen", on -> on.streamCommands().xLen(b("x")));
        add("xRange", on -> on.streamCommands().xRange(b("x"), Range.unbounded()));
        add("xRange limit", on -> on.streamCommands().xRange(b("x"), Range.of(Bound.exclusive("2-1"),
            Bound.unbounded()), Limit.limit().count(2)));
        add("xRevRange", on -> on.streamCommands().xRevRange(b("x"), Range.closed("2-1", "4-1")));
        add("xRead", on -> on.streamCommands().xRead(StreamReadOptions.empty().count(2),
            StreamOffset.create(b("x"), ReadOffset.from("3-1")), StreamOffset.fromStart(b("none"))));
        add("xRead nothing", on -> on.streamCommands().xRead(StreamOffset.create(b("x"), ReadOffset.from("9-1"))));
        add("xDel", on -> on.streamCommands().xDel(b("x"), RecordId.of("3-1"), RecordId.of("99-1")));
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
        add("xPending none", on -> on.streamCommands().xPending(b("y"), "g"));
        add("xPending range", on -> ids(on.streamCommands().xPending(b("x"), "g",
            XPendingOptions.range(Range.unbounded(), 10L).consumer("alice"))));
        add("xAck", on -> on.streamCommands().xAck(b("x"), "g", RecordId.of("4-1")));
        add("xClaim", on -> on.streamCommands().xClaim(b("x"), "g", "bob",
            XClaimOptions.minIdleMs(0).ids("5-1").retryCount(3)));
        add("xClaimJustId", on -> on.streamCommands().xClaimJustId(b("x"), "g", "alice",
            XClaimOptions.minIdleMs(0).ids("5-1").force()));
        add("xInfo", on -> {
            var info = on.streamCommands().xInfo(b("x"));
            return info == null ? null : List.of(info.streamLength(), info.groupCount(), info.firstEntryId(),
                info.lastGeneratedId());
        });
        add("xInfoGroups", on -> {
            var info = on.streamCommands().xInfoGroups(b("x"));
            return info == null ? null : List.of(info.get(0).groupName(), info.get(0).pendingCount(),
                info.get(0).lastDeliveredId());
        });
        add("xInfoConsumers", on -> {
            var info = on.streamCommands().xInfoConsumers(b("x"), "g");
            return info == null ? null : info.stream().map(one -> one.consumerName() + one.pendingCount()).toList();
        });
        add("xGroupDelConsumer", on -> on.streamCommands().xGroupDelConsumer(b("x"), alice));
        add("xGroupDestroy", on -> on.streamCommands().xGroupDestroy(b("x"), "g"));
    }

    private static Object ids(org.springframework.data.redis.connection.stream.PendingMessages found) {
        return found == null ? null : found.stream().map(one -> one.getIdAsString() + one.getConsumerName()
            + one.getTotalDeliveryCount()).toList();
    }

    private void places() {
        add("geoAdd", on -> on.geoCommands().geoAdd(b("sicily"), new Point(13.361389, 38.115556), b("Palermo")));
        add("geoAdd more", on -> on.geoCommands().geoAdd(b("sicily"), Map.of(b("Catania"),
            new Point(15.087269, 37.502669))));
        add("geoDist", on -> on.geoCommands().geoDist(b("sicily"), b("Palermo"), b("Catania")));
        add("geoDist km", on -> on.geoCommands().geoDist(b("sicily"), b("Palermo"), b("Catania"), Metrics.KILOMETERS));
        add("geoDist of nothing", on -> on.geoCommands().geoDist(b("sicily"), b("Palermo"), b("none")));
        add("geoHash", on -> on.geoCommands().geoHash(b("sicily"), b("Palermo"), b("none")));
        add("geoPos", on -> on.geoCommands().geoPos(b("sicily"), b("Palermo"), b("none")));
        Circle circle = new Circle(new Point(15, 37), new Distance(200, Metrics.KILOMETERS));
        add("geoRadius", on -> on.geoCommands().geoRadius(b("sicily"), circle));
        add("geoRadius all", on -> on.geoCommands().geoRadius(b("sicily"), circle,
            GeoRadiusCommandArgs.newGeoRadiusArgs().includeCoordinates().includeDistance().sortAscending().limit(1)));
        add("geoRadius sorted", on -> on.geoCommands().geoRadius(b("sicily"), circle,
            GeoRadiusCommandArgs.newGeoRadiusArgs().sortAscending()));
        add("geoRadiusByMember", on -> on.geoCommands().geoRadiusByMember(b("sicily"), b("Palermo"),
            new Distance(100, Metrics.MILES), GeoRadiusCommandArgs.newGeoRadiusArgs().includeDistance()));
        add("geoSearch", on -> on.geoCommands().geoSearch(b("sicily"), GeoReference.fromMember(b("Palermo")),
            GeoShape.byBox(400, 400, DistanceUnit.KILOMETERS),
            GeoSearchCommandArgs.newGeoSearchArgs().includeDistance().includeCoordinates().sortDescending()));
        add("geoSearchStore", on -> on.geoCommands().geoSearchStore(b("found"), b("sicily"),
            GeoReference.fromCoordinate(new Point(15, 37)), GeoShape.byRadius(new Distance(100, Metrics.KILOMETERS)),
            GeoSearchStoreCommandArgs.newGeoSearchStoreArgs().storeDistance()));
        add("geoRemove", on -> on.geoCommands().geoRemove(b("sicily"), b("Palermo")));
    }

    private void scripts() {
        add("eval value", on -> on.scriptingCommands().eval(b("return ARGV[1]"), ReturnType.VALUE, 1, b("k"), b("v")));
        add("eval integer", on -> on.scriptingCommands().eval(b("return 42"), ReturnType.INTEGER, 0));
        add("eval true", on -> on.scriptingCommands().eval(b("return true"), ReturnType.BOOLEAN, 0));
        add("eval false", on -> on.scriptingCommands().eval(b("return false"), ReturnType.BOOLEAN, 0));
        add("eval status", on -> on.scriptingCommands().eval(b("return redis.status_reply('FINE')"), ReturnType.STATUS,
            0));
        add("eval multi", on -> on.scriptingCommands().eval(b("return {1, 'a', {2, false}}"), ReturnType.MULTI, 0));
        add("eval nothing", on -> on.scriptingCommands().eval(b("return nil"), ReturnType.VALUE, 0));
        add("eval error", on -> on.scriptingCommands().eval(b("return redis.error_reply('ERR mine')"),
            ReturnType.VALUE, 0));
        add("evalSha unknown", on -> on.scriptingCommands().evalSha("0".repeat(40), ReturnType.VALUE, 0));
        add("scriptLoad", on -> on.scriptingCommands().scriptLoad(b("return 1")));
        add("evalSha", on -> on.scriptingCommands().evalSha("e0e1f9fabfc9d4800c877a703b823ac0578ff8db",
            ReturnType.INTEGER, 0));
        add("scriptExists", on -> on.scriptingCommands().scriptExists("e0e1f9fabfc9d4800c877a703b823ac0578ff8db",
            "0".repeat(40)));
    }

    private void server() {
        add("ping", RedisConnection::ping);
        add("echo", on -> on.echo(b("hello")));
        add("dbSize", on -> on.serverCommands().dbSize());
        run("setConfig", on -> on.serverCommands().setConfig("hash-max-listpack-entries", "100"));
        add("getConfig", on -> on.serverCommands().getConfig("hash-max-listpack-entries"));
        add("info", on -> on.serverCommands().info("server") == null ? null : "there");
        add("publish", on -> on.publish(b("nobody"), b("message")));
        add("execute", on -> on.execute("GETRANGE", b("none"), b("0"), b("1")));
        run("flushDb", on -> on.serverCommands().flushDb());
    }
}
