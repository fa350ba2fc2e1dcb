package io.samewire.redis.spring;

import java.util.List;
import java.util.Set;
import org.springframework.data.redis.connection.RedisSetCommands;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

/** Commands of sets. */
final class SetCommands implements RedisSetCommands {
    private final Calls calls;

    SetCommands(Calls calls) {
        this.calls = calls;
    }

    @Override
    public Long sAdd(byte[] key, byte[]... values) {
        return calls.call(Readings.LONG, "SADD", key, values);
    }

    @Override
    public Long sRem(byte[] key, byte[]... values) {
        return calls.call(Readings.LONG, "SREM", key, values);
    }

    @Override
    public byte[] sPop(byte[] key) {
        return calls.call(Readings.BYTES, "SPOP", key);
    }

    @Override
    public List<byte[]> sPop(byte[] key, long count) {
        return calls.call(Readings.BYTES_LIST, "SPOP", key, count);
    }

    @Override
    public Boolean sMove(byte[] from, byte[] to, byte[] value) {
        return calls.call(Readings.YES, "SMOVE", from, to, value);
    }

    @Override
    public Long sCard(byte[] key) {
        return calls.call(Readings.LONG, "SCARD", key);
    }

    @Override
    public Boolean sIsMember(byte[] key, byte[] value) {
        return calls.call(Readings.YES, "SISMEMBER", key, value);
    }

    @Override
    public List<Boolean> sMIsMember(byte[] key, byte[]... values) {
        return calls.call(Readings.YESES, "SMISMEMBER", key, values);
    }

    @Override
    public Set<byte[]> sDiff(byte[]... keys) {
        return calls.call(Readings.BYTES_SET, "SDIFF", (Object) keys);
    }

    @Override
    public Long sDiffStore(byte[] into, byte[]... keys) {
        return calls.call(Readings.LONG, "SDIFFSTORE", into, keys);
    }

    @Override
    public Set<byte[]> sInter(byte[]... keys) {
        return calls.call(Readings.BYTES_SET, "SINTER", (Object) keys);
    }

    @Override
    public Long sInterStore(byte[] into, byte[]... keys) {
        return calls.call(Readings.LONG, "SINTERSTORE", into, keys);
    }

    @Override
    public Set<byte[]> sUnion(byte[]... keys) {
        return calls.call(Readings.BYTES_SET, "SUNION", (Object) keys);
    }

    @Override
    public Long sUnionStore(byte[] into, byte[]... keys) {
        return calls.call(Readings.LONG, "SUNIONSTORE", into, keys);
    }

    @Override
    public Set<byte[]> sMembers(byte[] key) {
        return calls.call(Readings.BYTES_SET, "SMEMBERS", key);
    }

    @Override
    public byte[] sRandMember(byte[] key) {
        return calls.call(Readings.BYTES, "SRANDMEMBER", key);
    }

    @Override
    public List<byte[]> sRandMember(byte[] key, long count) {
        return calls.call(Readings.BYTES_LIST, "SRANDMEMBER", key, count);
    }

    @Override
    public Cursor<byte[]> sScan(byte[] key, ScanOptions options) {
        return Scans.cursor(calls, options, Readings.BYTES_LIST, "SSCAN", key);
    }
}
