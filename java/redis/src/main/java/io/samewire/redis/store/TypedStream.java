package io.samewire.redis.store;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.AutoClaimed;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.StreamEntry;
import io.samewire.redis.command.StreamTrim;
import io.samewire.redis.command.Streams;
import io.samewire.redis.command.Text;
import io.samewire.redis.command.XaddCommand;
import io.samewire.redis.command.XreadCommand;
import io.samewire.redis.command.XreadgroupCommand;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A stream of values of one type. It is read as {@link Entry} objects, whose {@code value()} throws
 * {@link StoredValueException} if it cannot be read, so that the other entries are not lost. Threads may share it.
 *
 * @param <T> the type of the values
 */
public final class TypedStream<T> {
    private static final Bytes FIELD = Bytes.of("value");
    private static final String FIRST = "0-0";

    private final Values<T> values;
    private final CharSequence key;

    TypedStream(Values<T> values, CharSequence key) {
        this.values = values;
        this.key = key instanceof Bytes ? key : key.toString();
    }

    /** Appends a value and returns its id. */
    public String add(T value) {
        return values.executor().execute(entry(value).id("*"));
    }

    /** Appends a value under an id of its own, which must be above all others, and returns it. */
    public String add(T value, String id) {
        return values.executor().execute(entry(value).id(id));
    }

    /** Appends a value and drops older entries as {@code trim} says; returns its id. */
    public String add(T value, StreamTrim trim) {
        return values.executor().execute(entry(value).trim(trim).id("*"));
    }

    private XaddCommand entry(T value) {
        Bytes data = values.encode(value);
        values.ready();
        return Streams.xadd(key, Map.of(FIELD, data));
    }

    /** Returns all entries. */
    public List<Entry<T>> range() {
        return range("-", "+");
    }

    /** Returns the entries from one id to another, both included; {@code -} and {@code +} are the first and last. */
    public List<Entry<T>> range(String start, String stop) {
        return entries(values.executor().execute(Streams.xrange(key, start, stop).as(Text.BINARY, Text.BYTES)));
    }

    /** Returns the last entries, the last one first. */
    public List<Entry<T>> latest(long count) {
        return entries(values.executor()
            .execute(Streams.xrevrange(key, "+", "-").count(count).as(Text.BINARY, Text.BYTES)));
    }

    /** Returns the id of the last entry, {@code 0-0} if there is none: what to {@link #read} behind. */
    public String lastId() {
        List<StreamEntry<String, byte[]>> last = values.executor()
            .execute(Streams.xrevrange(key, "+", "-").count(1).as(Text.LENIENT, Text.BYTES));
        return last.isEmpty() ? FIRST : last.get(0).id();
    }

    /**
     * Returns the entries behind an id.
     *
     * @param after {@code 0} for all, {@code $} for those that come while the call waits
     */
    public List<Entry<T>> read(String after, Wait wait) {
        XreadCommand<Bytes, byte[]> command = Streams.xread(Map.of(key, after)).as(Text.BINARY, Text.BYTES);
        command = wait.count == 0 ? command : command.count(wait.count);
        command = wait.time == null ? command : command.block(wait.time);
        return ofOne(values.executor().execute(command));
    }

    /** Returns the number of entries. */
    public long length() {
        return values.executor().execute(Streams.xlen(key));
    }

    /** Deletes entries and returns how many there were. */
    public long delete(String... ids) {
        return ids.length == 0 ? 0 : values.executor().execute(Streams.xdel(key, Arrays.asList(ids)));
    }

    /**
     * Creates a group of consumers, and the stream if there is none. Returns false if the group is there already.
     *
     * @param start the id behind which the group reads: {@code $} for new entries only, {@code 0} for all
     */
    public boolean createGroup(String group, String start) {
        try {
            values.executor().execute(Streams.xgroupCreate(key, group, start).mkstream());
            return true;
        } catch (RedisException error) {
            if (error.word().equals("BUSYGROUP")) {
                return false;
            }
            throw error;
        }
    }

    /** Returns entries that no consumer of the group has been given yet; they are pending until {@link #ack}. */
    public List<Entry<T>> readGroup(String group, String consumer, Wait wait) {
        return group(group, consumer, ">", wait);
    }

    /** Returns the entries that are pending with this consumer, from the first on. */
    public List<Entry<T>> pending(String group, String consumer) {
        return group(group, consumer, "0", Wait.none());
    }

    private List<Entry<T>> group(String group, String consumer, String after, Wait wait) {
        XreadgroupCommand<Bytes, byte[]> command = Streams.xreadgroup(group, consumer, Map.of(key, after))
            .as(Text.BINARY, Text.BYTES);
        command = wait.count == 0 ? command : command.count(wait.count);
        command = wait.time == null ? command : command.block(wait.time);
        return ofOne(values.executor().execute(command));
    }

    /** Says that entries are done; returns how many were pending. */
    public long ack(String group, String... ids) {
        return ids.length == 0 ? 0 : values.executor().execute(Streams.xack(key, group, Arrays.asList(ids)));
    }

    /** Takes over entries that have been pending for so long, and returns about {@code count} of them. */
    public List<Entry<T>> claim(String group, String consumer, Duration idle, long count) {
        String cursor = FIRST;
        while (true) {
            AutoClaimed<StreamEntry<Bytes, byte[]>> found = values.executor().execute(
                Streams.xautoclaim(key, group, consumer, idle, cursor).count(count).as(Text.BINARY, Text.BYTES));
            cursor = found.next();
            if (!found.entries().isEmpty() || cursor.equals(FIRST)) {
                return entries(found.entries());
            }
        }
    }

    private List<Entry<T>> ofOne(Map<Bytes, List<StreamEntry<Bytes, byte[]>>> found) {
        return found.isEmpty() ? List.of() : entries(found.values().iterator().next());
    }

    private List<Entry<T>> entries(List<StreamEntry<Bytes, byte[]>> found) {
        List<Entry<T>> entries = new ArrayList<>(found.size());
        found.forEach(entry -> entries.add(entry(entry)));
        return entries;
    }

    private Entry<T> entry(StreamEntry<Bytes, byte[]> found) {
        String where = Names.shown(key) + " entry " + found.id();
        byte[] data = found.fields().get(FIELD);
        try {
            if (data == null || found.fields().size() != 1) {
                throw new StoredValueException(new SamewireException(Code.MALFORMED, -1, null,
                    "expected the field \"value\" alone, found " + found.fields().keySet()), where, new byte[0]);
            }
            return new Entry<>(found.id(), values.decode(() -> where, data), null);
        } catch (StoredValueException error) {
            return new Entry<>(found.id(), null, error);
        }
    }
}
