package io.samewire.redis.spring;

import static io.samewire.redis.spring.Arguments.when;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.BitFieldSubCommands;
import org.springframework.data.redis.connection.BitFieldSubCommands.BitFieldIncrBy;
import org.springframework.data.redis.connection.BitFieldSubCommands.BitFieldSet;
import org.springframework.data.redis.connection.BitFieldSubCommands.BitFieldSubCommand;
import org.springframework.data.redis.connection.RedisStringCommands;
import org.springframework.data.redis.core.types.Expiration;

/** Commands of strings and bitmaps. */
final class StringCommands implements RedisStringCommands {
    private final Calls calls;

    StringCommands(Calls calls) {
        this.calls = calls;
    }

    @Override
    public byte[] get(byte[] key) {
        return calls.call(Readings.BYTES, "GET", key);
    }

    @Override
    public byte[] getDel(byte[] key) {
        return calls.call(Readings.BYTES, "GETDEL", key);
    }

    @Override
    public byte[] getEx(byte[] key, Expiration time) {
        return calls.call(Readings.BYTES, "GETEX", key, time.isPersistent() ? "PERSIST" : words(time));
    }

    @Override
    public byte[] getSet(byte[] key, byte[] value) {
        return calls.call(Readings.BYTES, "GETSET", key, value);
    }

    @Override
    public List<byte[]> mGet(byte[]... keys) {
        return calls.call(Readings.BYTES_LIST, "MGET", (Object) keys);
    }

    @Override
    public Boolean set(byte[] key, byte[] value) {
        return calls.call(Readings.OK, "SET", key, value);
    }

    @Override
    public Boolean set(byte[] key, byte[] value, Expiration time, SetOption option) {
        expectBoth(time, option);
        return calls.call(Readings.OK, "SET", key, value, words(time), words(option));
    }

    @Override
    public byte[] setGet(byte[] key, byte[] value, Expiration time, SetOption option) {
        expectBoth(time, option);
        return calls.call(Readings.BYTES, "SET", key, value, words(time), words(option), "GET");
    }

    private static void expectBoth(Expiration time, SetOption option) {
        if (time == null || option == null) {
            throw new IllegalArgumentException("expected an expiration and an option, found " + time + " and " + option
                + ": Expiration.persistent() and SetOption.UPSERT are none");
        }
    }

    private static List<Object> words(SetOption option) {
        return option == SetOption.UPSERT ? List.of()
            : List.of(option == SetOption.SET_IF_ABSENT ? "NX" : "XX");
    }

    private static List<Object> words(Expiration time) {
        if (time.isPersistent()) {
            return List.of();
        } else if (time.isKeepTtl()) {
            return List.of("KEEPTTL");
        }
        boolean seconds = time.getTimeUnit() == TimeUnit.SECONDS;
        String word = time.isUnixTimestamp() ? seconds ? "EXAT" : "PXAT" : seconds ? "EX" : "PX";
        return List.of(word, seconds ? time.getExpirationTimeInSeconds() : time.getExpirationTimeInMilliseconds());
    }

    @Override
    public Boolean setNX(byte[] key, byte[] value) {
        return calls.call(Readings.YES, "SETNX", key, value);
    }

    @Override
    public Boolean setEx(byte[] key, long seconds, byte[] value) {
        return calls.call(Readings.OK, "SETEX", key, seconds, value);
    }

    @Override
    public Boolean pSetEx(byte[] key, long millis, byte[] value) {
        return calls.call(Readings.OK, "PSETEX", key, millis, value);
    }

    @Override
    public Boolean mSet(Map<byte[], byte[]> values) {
        return calls.call(Readings.OK, "MSET", words(values));
    }

    @Override
    public Boolean mSetNX(Map<byte[], byte[]> values) {
        return calls.call(Readings.YES, "MSETNX", words(values));
    }

    static List<Object> words(Map<byte[], byte[]> values) {
        List<Object> words = new ArrayList<>(values.size() * 2);
        values.forEach((key, value) -> {
            words.add(key);
            words.add(value);
        });
        return words;
    }

    @Override
    public Long incr(byte[] key) {
        return calls.call(Readings.LONG, "INCR", key);
    }

    @Override
    public Long incrBy(byte[] key, long by) {
        return calls.call(Readings.LONG, "INCRBY", key, by);
    }

    @Override
    public Double incrBy(byte[] key, double by) {
        return calls.call(Readings.DOUBLE, "INCRBYFLOAT", key, by);
    }

    @Override
    public Long decr(byte[] key) {
        return calls.call(Readings.LONG, "DECR", key);
    }

    @Override
    public Long decrBy(byte[] key, long by) {
        return calls.call(Readings.LONG, "DECRBY", key, by);
    }

    @Override
    public Long append(byte[] key, byte[] value) {
        return calls.call(Readings.LONG, "APPEND", key, value);
    }

    @Override
    public byte[] getRange(byte[] key, long start, long end) {
        return calls.call(Readings.BYTES, "GETRANGE", key, start, end);
    }

    @Override
    public void setRange(byte[] key, byte[] value, long offset) {
        calls.run("SETRANGE", key, offset, value);
    }

    @Override
    public Boolean getBit(byte[] key, long offset) {
        return calls.call(Readings.YES, "GETBIT", key, offset);
    }

    @Override
    public Boolean setBit(byte[] key, long offset, boolean value) {
        return calls.call(Readings.YES, "SETBIT", key, offset, value ? 1 : 0);
    }

    @Override
    public Long bitCount(byte[] key) {
        return calls.call(Readings.LONG, "BITCOUNT", key);
    }

    @Override
    public Long bitCount(byte[] key, long start, long end) {
        return calls.call(Readings.LONG, "BITCOUNT", key, start, end);
    }

    @Override
    public List<Long> bitField(byte[] key, BitFieldSubCommands operations) {
        List<Object> words = new ArrayList<>();
        for (BitFieldSubCommand one : operations) {
            if (one instanceof BitFieldIncrBy incr && incr.getOverflow() != null) {
                words.add(List.of("OVERFLOW", incr.getOverflow()));
            }
            words.add(List.of(one.getCommand(), one.getType().asString(), one.getOffset().asString()));
            if (one instanceof BitFieldIncrBy incr) {
                words.add(incr.getValue());
            } else if (one instanceof BitFieldSet set) {
                words.add(set.getValue());
            }
        }
        return calls.call(Readings.LONGS, "BITFIELD", key, words);
    }

    @Override
    public Long bitOp(BitOperation operation, byte[] into, byte[]... keys) {
        if (operation == BitOperation.NOT && keys.length > 1) {
            throw new IllegalArgumentException("expected one source key for BITOP NOT, found " + keys.length);
        }
        return calls.call(Readings.LONG, "BITOP", operation, into, keys);
    }

    @Override
    public Long bitPos(byte[] key, boolean bit, Range<Long> bytes) {
        Long start = bytes.getLowerBound().getValue().orElse(null);
        Long end = bytes.getUpperBound().getValue().orElse(null);
        return calls.call(Readings.LONG, "BITPOS", key, bit ? 1 : 0,
            start != null ? start : when(end != null, 0), end == null ? List.of() : end);
    }

    @Override
    public Long strLen(byte[] key) {
        return calls.call(Readings.LONG, "STRLEN", key);
    }
}
