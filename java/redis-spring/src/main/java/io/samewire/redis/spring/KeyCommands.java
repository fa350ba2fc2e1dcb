package io.samewire.redis.spring;

import static io.samewire.redis.spring.Arguments.when;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.connection.ExpirationOptions;
import org.springframework.data.redis.connection.RedisKeyCommands;
import org.springframework.data.redis.connection.SortParameters;
import org.springframework.data.redis.connection.ValueEncoding;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

/** Commands of keys. */
class KeyCommands implements RedisKeyCommands {
    private final Calls calls;

    KeyCommands(Calls calls) {
        this.calls = calls;
    }

    @Override
    public Boolean copy(byte[] from, byte[] to, boolean replace) {
        return calls.call(Readings.YES, "COPY", from, to, when(replace, "REPLACE"));
    }

    /** Its own: replies of pipelines are booleans, too. */
    @Override
    public Boolean exists(byte[] key) {
        return calls.call(Readings.YES, "EXISTS", key);
    }

    @Override
    public Long exists(byte[]... keys) {
        return calls.call(Readings.LONG, "EXISTS", (Object) keys);
    }

    @Override
    public Long del(byte[]... keys) {
        return calls.call(Readings.LONG, "DEL", (Object) keys);
    }

    @Override
    public Long unlink(byte[]... keys) {
        return calls.call(Readings.LONG, "UNLINK", (Object) keys);
    }

    @Override
    public DataType type(byte[] key) {
        return calls.call(in -> DataType.fromCode(in.readString()), "TYPE", key);
    }

    @Override
    public Long touch(byte[]... keys) {
        return calls.call(Readings.LONG, "TOUCH", (Object) keys);
    }

    @Override
    public Set<byte[]> keys(byte[] pattern) {
        return calls.call(Readings.BYTES_SET, "KEYS", pattern);
    }

    @Override
    public Cursor<byte[]> scan(ScanOptions options) {
        return Scans.cursor(calls, options, Readings.BYTES_LIST, "SCAN");
    }

    @Override
    public byte[] randomKey() {
        return calls.call(Readings.BYTES, "RANDOMKEY");
    }

    @Override
    public void rename(byte[] from, byte[] to) {
        calls.run("RENAME", from, to);
    }

    @Override
    public Boolean renameNX(byte[] from, byte[] to) {
        return calls.call(Readings.YES, "RENAMENX", from, to);
    }

    @Override
    public Boolean expire(byte[] key, long seconds, ExpirationOptions.Condition condition) {
        return calls.call(Readings.YES, "EXPIRE", key, seconds, words(condition));
    }

    @Override
    public Boolean pExpire(byte[] key, long millis, ExpirationOptions.Condition condition) {
        return calls.call(Readings.YES, "PEXPIRE", key, millis, words(condition));
    }

    @Override
    public Boolean expireAt(byte[] key, long seconds, ExpirationOptions.Condition condition) {
        return calls.call(Readings.YES, "EXPIREAT", key, seconds, words(condition));
    }

    @Override
    public Boolean pExpireAt(byte[] key, long millis, ExpirationOptions.Condition condition) {
        return calls.call(Readings.YES, "PEXPIREAT", key, millis, words(condition));
    }

    static List<Object> words(ExpirationOptions.Condition condition) {
        return when(condition != ExpirationOptions.Condition.ALWAYS, condition);
    }

    @Override
    public Boolean persist(byte[] key) {
        return calls.call(Readings.YES, "PERSIST", key);
    }

    @Override
    public Boolean move(byte[] key, int database) {
        return calls.call(Readings.YES, "MOVE", key, database);
    }

    @Override
    public Long ttl(byte[] key) {
        return calls.call(Readings.LONG, "TTL", key);
    }

    @Override
    public Long ttl(byte[] key, TimeUnit unit) {
        return calls.call(in -> in(unit, in.readLong(), TimeUnit.SECONDS), "TTL", key);
    }

    @Override
    public Long pTtl(byte[] key) {
        return calls.call(Readings.LONG, "PTTL", key);
    }

    @Override
    public Long pTtl(byte[] key, TimeUnit unit) {
        return calls.call(in -> in(unit, in.readLong(), TimeUnit.MILLISECONDS), "PTTL", key);
    }

    /** -1 and -2 are no times: there is no time to live, or no key. */
    static Long in(TimeUnit unit, long time, TimeUnit from) {
        return time < 0 ? time : unit.convert(time, from);
    }

    @Override
    public List<byte[]> sort(byte[] key, SortParameters how) {
        return calls.call(Readings.BYTES_LIST, "SORT", key, words(how));
    }

    @Override
    public Long sort(byte[] key, SortParameters how, byte[] into) {
        return calls.call(Readings.LONG, "SORT", key, words(how), "STORE", into);
    }

    private static List<Object> words(SortParameters how) {
        List<Object> words = new ArrayList<>();
        if (how == null) {
            return words;
        } else if (how.getByPattern() != null) {
            words.add(List.of("BY", how.getByPattern()));
        }
        if (how.getLimit() != null) {
            words.add(List.of("LIMIT", how.getLimit().getStart(), how.getLimit().getCount()));
        }
        if (how.getGetPattern() != null) {
            for (byte[] pattern : how.getGetPattern()) {
                words.add(List.of("GET", pattern));
            }
        }
        if (how.getOrder() != null) {
            words.add(how.getOrder());
        }
        words.add(when(Boolean.TRUE.equals(how.isAlphabetic()), "ALPHA"));
        return words;
    }

    @Override
    public byte[] dump(byte[] key) {
        return calls.call(Readings.BYTES, "DUMP", key);
    }

    @Override
    public void restore(byte[] key, long millis, byte[] dumped, boolean replace) {
        calls.run("RESTORE", key, millis, dumped, when(replace, "REPLACE"));
    }

    @Override
    public ValueEncoding encodingOf(byte[] key) {
        return calls.call(in -> ValueEncoding.of(in.readString()), "OBJECT ENCODING", key);
    }

    @Override
    public Duration idletime(byte[] key) {
        return calls.call(in -> Readings.isNull(in) ? null : Duration.ofSeconds(in.readLong()), "OBJECT IDLETIME", key);
    }

    @Override
    public Long refcount(byte[] key) {
        return calls.call(Readings.LONG, "OBJECT REFCOUNT", key);
    }
}
