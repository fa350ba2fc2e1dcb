package io.samewire.redis.store;

import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Hashes;
import io.samewire.redis.command.Text;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A hash whose fields hold values of one type. Fields are a {@link String} or {@link Bytes}. What cannot be read throws
 * {@link StoredValueException}, which names key and field and keeps the bytes. Threads may share it.
 *
 * @param <T> the type of the values
 */
public final class TypedHash<T> {
    /** Fields of one HSET or HMGET. */
    private static final int FIELDS = 1024;
    /** Bytes of values after which a command takes no more. */
    private static final int CHUNK_BYTES = 1 << 20;

    private final Values<T> values;
    private final CharSequence key;

    TypedHash(Values<T> values, CharSequence key) {
        this.values = values;
        this.key = key instanceof Bytes ? key : key.toString();
    }

    private String where(CharSequence field) {
        return Names.shown(key) + "[" + Names.shown(field) + "]";
    }

    private T decode(CharSequence field, byte[] data) {
        return values.decode(() -> where(field), data);
    }

    /** Returns the value of a field, or empty if there is none. */
    public Optional<T> get(CharSequence field) {
        return values.executor().execute(Hashes.hget(key, field).as(Text.BYTES)).map(data -> decode(field, data));
    }

    /** Writes a field and returns whether it is new. */
    public boolean put(CharSequence field, T value) {
        Bytes data = values.encode(value);
        values.ready();
        return values.executor().execute(Hashes.hset(key, field, data)) > 0;
    }

    /** Writes a field if it is new, and returns whether it is. */
    public boolean putIfAbsent(CharSequence field, T value) {
        Bytes data = values.encode(value);
        values.ready();
        return values.executor().execute(Hashes.hsetnx(key, field, data));
    }

    /** Deletes fields and returns how many there were. */
    public long delete(CharSequence... fields) {
        return fields.length == 0 ? 0 : values.executor().execute(Hashes.hdel(key, Arrays.asList(fields)));
    }

    /** Returns whether there is such a field. */
    public boolean exists(CharSequence field) {
        return values.executor().execute(Hashes.hexists(key, field));
    }

    /** Returns the number of fields. */
    public long length() {
        return values.executor().execute(Hashes.hlen(key));
    }

    /** Returns the names of all fields. */
    public List<String> fields() {
        return values.executor().execute(Hashes.hkeys(key));
    }

    /** Writes many fields, in chunks. Not atomic beyond 1,024 fields or 1 MiB of values. */
    public void putAll(Map<? extends CharSequence, ? extends T> items) {
        Map<CharSequence, Bytes> chunk = new LinkedHashMap<>();
        long waiting = 0;
        for (Map.Entry<? extends CharSequence, ? extends T> item : items.entrySet()) {
            Bytes data = values.encode(item.getValue());
            chunk.put(item.getKey(), data);
            waiting += data.length();
            if (waiting >= CHUNK_BYTES || chunk.size() == FIELDS) {
                write(chunk);
                chunk.clear();
                waiting = 0;
            }
        }
        if (!chunk.isEmpty()) {
            write(chunk);
        }
    }

    private void write(Map<CharSequence, Bytes> chunk) {
        values.ready();
        values.executor().execute(Hashes.hset(key, chunk));
    }

    /** Returns the values in the order of their fields, empty where there is none. */
    public List<Optional<T>> getAll(Iterable<? extends CharSequence> fields) {
        List<Optional<T>> found = new ArrayList<>();
        Iterator<? extends CharSequence> left = fields.iterator();
        while (left.hasNext()) {
            List<CharSequence> chunk = new ArrayList<>();
            while (chunk.size() < FIELDS && left.hasNext()) {
                chunk.add(left.next());
            }
            List<Optional<byte[]>> data = values.executor().execute(Hashes.hmget(key, chunk).as(Text.BYTES));
            for (int i = 0; i < chunk.size(); i++) {
                CharSequence field = chunk.get(i);
                found.add(data.get(i).map(held -> decode(field, held)));
            }
        }
        return found;
    }

    /** Returns all fields with their values, read at one moment. */
    public Map<String, T> all() {
        Map<String, byte[]> held = values.executor().execute(Hashes.hgetall(key).as(Text.STRING, Text.BYTES));
        Map<String, T> found = new LinkedHashMap<>();
        held.forEach((field, data) -> found.put(field, decode(field, data)));
        return found;
    }

    /**
     * Returns the fields that match a pattern of the server with their values, in no order, for hashes too large for
     * {@link #all}. A field may come twice.
     */
    public Stream<Map.Entry<String, T>> items(String match) {
        return values.executor().scan(cursor -> Hashes.hscan(key, cursor).match(match).count(Store.SCANNED)
            .as(Text.STRING, Text.BYTES))
            .map(field -> new SimpleImmutableEntry<>(field.name(), decode(field.name(), field.value())));
    }

    /** Replaces the value of a field, as {@link Store#update}. */
    public Optional<T> update(CharSequence field, Function<Optional<T>, Optional<T>> change) {
        return update(field, change, false);
    }

    /** Replaces the value of a field, or deletes the field, as {@link Store#updateOrDelete}. */
    public Optional<T> updateOrDelete(CharSequence field, Function<Optional<T>, Optional<T>> change) {
        return update(field, change, true);
    }

    private Optional<T> update(CharSequence field, Function<Optional<T>, Optional<T>> change, boolean deletes) {
        Command<Optional<byte[]>> get = Hashes.hget(key, field).as(Text.BYTES);
        return new Swap<>(values, where(field), Swap.FIELD, key, field).update(get, change, deletes);
    }
}
