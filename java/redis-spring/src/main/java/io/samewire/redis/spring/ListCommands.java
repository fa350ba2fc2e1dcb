package io.samewire.redis.spring;

import io.samewire.redis.command.Reading;
import java.util.List;
import org.springframework.data.redis.connection.RedisListCommands;

/** Commands of lists. */
final class ListCommands implements RedisListCommands {
    private static final Reading<List<byte[]>> POPPED = Readings.or(Readings.BYTES_LIST, List.of());

    private final Calls calls;

    ListCommands(Calls calls) {
        this.calls = calls;
    }

    @Override
    public Long rPush(byte[] key, byte[]... values) {
        return calls.call(Readings.LONG, "RPUSH", key, values);
    }

    @Override
    public List<Long> lPos(byte[] key, byte[] element, Integer rank, Integer count) {
        Reading<List<Long>> one = in -> Readings.isNull(in) ? List.of() : List.of(in.readLong());
        return calls.call(count == null ? one : Readings.LONGS, "LPOS", key, element,
            rank == null ? List.of() : List.of("RANK", rank), count == null ? List.of() : List.of("COUNT", count));
    }

    @Override
    public Long lPush(byte[] key, byte[]... values) {
        return calls.call(Readings.LONG, "LPUSH", key, values);
    }

    @Override
    public Long rPushX(byte[] key, byte[] value) {
        return calls.call(Readings.LONG, "RPUSHX", key, value);
    }

    @Override
    public Long lPushX(byte[] key, byte[] value) {
        return calls.call(Readings.LONG, "LPUSHX", key, value);
    }

    @Override
    public Long lLen(byte[] key) {
        return calls.call(Readings.LONG, "LLEN", key);
    }

    @Override
    public List<byte[]> lRange(byte[] key, long start, long end) {
        return calls.call(Readings.BYTES_LIST, "LRANGE", key, start, end);
    }

    @Override
    public void lTrim(byte[] key, long start, long end) {
        calls.run("LTRIM", key, start, end);
    }

    @Override
    public byte[] lIndex(byte[] key, long index) {
        return calls.call(Readings.BYTES, "LINDEX", key, index);
    }

    @Override
    public Long lInsert(byte[] key, Position where, byte[] pivot, byte[] value) {
        return calls.call(Readings.LONG, "LINSERT", key, where, pivot, value);
    }

    @Override
    public byte[] lMove(byte[] from, byte[] to, Direction taken, Direction put) {
        return calls.call(Readings.BYTES, "LMOVE", from, to, taken, put);
    }

    @Override
    public byte[] bLMove(byte[] from, byte[] to, Direction taken, Direction put, double seconds) {
        return calls.call(Readings.BYTES, "BLMOVE", from, to, taken, put, seconds);
    }

    @Override
    public void lSet(byte[] key, long index, byte[] value) {
        calls.run("LSET", key, index, value);
    }

    @Override
    public Long lRem(byte[] key, long count, byte[] value) {
        return calls.call(Readings.LONG, "LREM", key, count, value);
    }

    @Override
    public byte[] lPop(byte[] key) {
        return calls.call(Readings.BYTES, "LPOP", key);
    }

    @Override
    public List<byte[]> lPop(byte[] key, long count) {
        return calls.call(POPPED, "LPOP", key, count);
    }

    @Override
    public byte[] rPop(byte[] key) {
        return calls.call(Readings.BYTES, "RPOP", key);
    }

    @Override
    public List<byte[]> rPop(byte[] key, long count) {
        return calls.call(POPPED, "RPOP", key, count);
    }

    @Override
    public List<byte[]> bLPop(int seconds, byte[]... keys) {
        return calls.call(Readings.BYTES_LIST, "BLPOP", keys, seconds);
    }

    @Override
    public List<byte[]> bRPop(int seconds, byte[]... keys) {
        return calls.call(Readings.BYTES_LIST, "BRPOP", keys, seconds);
    }

    @Override
    public byte[] rPopLPush(byte[] from, byte[] to) {
        return calls.call(Readings.BYTES, "RPOPLPUSH", from, to);
    }

    @Override
    public byte[] bRPopLPush(int seconds, byte[] from, byte[] to) {
        return calls.call(Readings.BYTES, "BRPOPLPUSH", from, to, seconds);
    }
}
