package io.samewire.redis.spring;

import io.samewire.redis.command.Reading;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.ExpirationOptions;
import org.springframework.data.redis.connection.RedisHashCommands;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

/** Commands of hashes. */
final class HashCommands implements RedisHashCommands {
    private final Calls calls;

    HashCommands(Calls calls) {
        this.calls = calls;
    }

    @Override
    public Boolean hSet(byte[] key, byte[] field, byte[] value) {
        return calls.call(Readings.YES, "HSET", key, field, value);
    }

    @Override
    public Boolean hSetNX(byte[] key, byte[] field, byte[] value) {
        return calls.call(Readings.YES, "HSETNX", key, field, value);
    }

    @Override
    public byte[] hGet(byte[] key, byte[] field) {
        return calls.call(Readings.BYTES, "HGET", key, field);
    }

    @Override
    public List<byte[]> hMGet(byte[] key, byte[]... fields) {
        return calls.call(Readings.BYTES_LIST, "HMGET", key, fields);
    }

    @Override
    public void hMSet(byte[] key, Map<byte[], byte[]> values) {
        calls.run("HMSET", key, StringCommands.words(values));
    }

    @Override
    public Long hIncrBy(byte[] key, byte[] field, long by) {
        return calls.call(Readings.LONG, "HINCRBY", key, field, by);
    }

    @Override
    public Double hIncrBy(byte[] key, byte[] field, double by) {
        return calls.call(Readings.DOUBLE, "HINCRBYFLOAT", key, field, by);
    }

    @Override
    public Boolean hExists(byte[] key, byte[] field) {
        return calls.call(Readings.YES, "HEXISTS", key, field);
    }

    @Override
    public Long hDel(byte[] key, byte[]... fields) {
        return calls.call(Readings.LONG, "HDEL", key, fields);
    }

    @Override
    public Long hLen(byte[] key) {
        return calls.call(Readings.LONG, "HLEN", key);
    }

    @Override
    public Set<byte[]> hKeys(byte[] key) {
        return calls.call(Readings.BYTES_SET, "HKEYS", key);
    }

    @Override
    public List<byte[]> hVals(byte[] key) {
        return calls.call(Readings.BYTES_LIST, "HVALS", key);
    }

    @Override
    public Map<byte[], byte[]> hGetAll(byte[] key) {
        return calls.call(Readings.BYTES_MAP, "HGETALL", key);
    }

    @Override
    public byte[] hRandField(byte[] key) {
        return calls.call(Readings.BYTES, "HRANDFIELD", key);
    }

    @Override
    public Map.Entry<byte[], byte[]> hRandFieldWithValues(byte[] key) {
        return calls.call(Readings.first(Readings.ENTRIES), "HRANDFIELD", key, 1, "WITHVALUES");
    }

    @Override
    public List<byte[]> hRandField(byte[] key, long count) {
        return calls.call(Readings.BYTES_LIST, "HRANDFIELD", key, count);
    }

    @Override
    public List<Map.Entry<byte[], byte[]>> hRandFieldWithValues(byte[] key, long count) {
        return calls.call(Readings.ENTRIES, "HRANDFIELD", key, count, "WITHVALUES");
    }

    @Override
    public Cursor<Map.Entry<byte[], byte[]>> hScan(byte[] key, ScanOptions options) {
        return Scans.cursor(calls, options, Readings.ENTRIES, "HSCAN", key);
    }

    @Override
    public Long hStrLen(byte[] key, byte[] field) {
        return calls.call(Readings.LONG, "HSTRLEN", key, field);
    }

    @Override
    public List<Long> hExpire(byte[] key, long seconds, ExpirationOptions.Condition condition, byte[]... fields) {
        return expire("HEXPIRE", key, seconds, condition, fields);
    }

    @Override
    public List<Long> hpExpire(byte[] key, long millis, ExpirationOptions.Condition condition, byte[]... fields) {
        return expire("HPEXPIRE", key, millis, condition, fields);
    }

    @Override
    public List<Long> hExpireAt(byte[] key, long seconds, ExpirationOptions.Condition condition, byte[]... fields) {
        return expire("HEXPIREAT", key, seconds, condition, fields);
    }

    @Override
    public List<Long> hpExpireAt(byte[] key, long millis, ExpirationOptions.Condition condition, byte[]... fields) {
        return expire("HPEXPIREAT", key, millis, condition, fields);
    }

    private List<Long> expire(String name, byte[] key, long time, ExpirationOptions.Condition condition,
            byte[]... fields) {
        return calls.call(Readings.LONGS, name, key, time, KeyCommands.words(condition), "FIELDS", fields.length,
            fields);
    }

    @Override
    public List<Long> hPersist(byte[] key, byte[]... fields) {
        return calls.call(Readings.LONGS, "HPERSIST", key, "FIELDS", fields.length, fields);
    }

    @Override
    public List<Long> hTtl(byte[] key, byte[]... fields) {
        return calls.call(Readings.LONGS, "HTTL", key, "FIELDS", fields.length, fields);
    }

    @Override
    public List<Long> hTtl(byte[] key, TimeUnit unit, byte[]... fields) {
        Reading<List<Long>> times = Readings.list(in -> KeyCommands.in(unit, in.readLong(), TimeUnit.SECONDS));
        return calls.call(times, "HTTL", key, "FIELDS", fields.length, fields);
    }

    @Override
    public List<Long> hpTtl(byte[] key, byte[]... fields) {
        return calls.call(Readings.LONGS, "HPTTL", key, "FIELDS", fields.length, fields);
    }
}
