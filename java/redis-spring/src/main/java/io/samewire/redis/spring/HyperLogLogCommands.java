package io.samewire.redis.spring;

import org.springframework.data.redis.connection.RedisHyperLogLogCommands;

/** Commands of HyperLogLogs. */
final class HyperLogLogCommands implements RedisHyperLogLogCommands {
    private final Calls calls;

    HyperLogLogCommands(Calls calls) {
        this.calls = calls;
    }

    @Override
    public Long pfAdd(byte[] key, byte[]... values) {
        return calls.call(Readings.LONG, "PFADD", key, values);
    }

    @Override
    public Long pfCount(byte[]... keys) {
        return calls.call(Readings.LONG, "PFCOUNT", (Object) keys);
    }

    /** In pipelines its OK is a reply, as with Spring's other clients. */
    @Override
    public void pfMerge(byte[] into, byte[]... keys) {
        calls.call(Readings.STRING, "PFMERGE", into, keys);
    }
}
