package io.samewire.redis.store;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Expiration;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.SetCommand;
import io.samewire.redis.command.SetCondition;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Values of one type, each under a key of its own: the prefix, then its name. Threads may share it.
 *
 * <p>Names are {@link CharSequence}s: a {@link String}, which is written as UTF-8, or {@link Bytes}. A value that was
 * written with another schema is resolved; what cannot be read throws {@link StoredValueException}, which names the key
 * and keeps the bytes. Null, which a type may allow, reads as empty. All methods throw besides what the client's own
 * {@code execute} throws; a value that is not of the type throws {@link SamewireException} with its
 * path.
 *
 * @param <T> the type of the values
 */
public final class Store<T> {
    /** Names that {@link #items} gathers before it reads their values. */
    private static final int ITEMS = 1000;
    /** Keys that the server looks at in one call of a scan. Its default, 10, makes round trips of most of the time. */
    static final int SCANNED = 500;

    final Values<T> values;
    final Names names;
    /** Milliseconds; null for values that stay. */
    final Long ttl;
    final StoreChunks<T> chunks;

    Store(Values<T> values, Names names, Long ttl) {
        this.values = values;
        this.names = names;
        this.ttl = ttl;
        this.chunks = new StoreChunks<>(values, names, ttl);
    }

    /**
     * Returns the same store, except that the server drops a value so long after it was written.
     *
     * @throws SamewireException {@code misuse} unless the time is above 0
     */
    public Store<T> withTtl(Duration ttl) {
        return new Store<>(values, names, TimeToLive.millis(ttl));
    }

    /** Returns the same store for callers that do not wait. */
    public AsyncStore<T> async() {
        return new AsyncStore<>(this);
    }

    /** Returns the value, or empty if there is none. */
    public Optional<T> get(CharSequence name) {
        CharSequence key = names.key(name);
        return values.executor().execute(read(key)).map(data -> values.decode(() -> Names.shown(key), data));
    }

    static Command<Optional<byte[]>> read(CharSequence key) {
        return Strings.get(key).as(Text.BYTES);
    }

    /** Writes a value. */
    public void put(CharSequence name, T value) {
        written(write(name, value));
    }

    /** Writes a value if there is none yet, and returns whether it did. */
    public boolean putIfAbsent(CharSequence name, T value) {
        return written(write(name, value).condition(SetCondition.NX));
    }

    /** Writes a value if there is one, and returns whether it did. */
    public boolean replace(CharSequence name, T value) {
        return written(write(name, value).condition(SetCondition.XX));
    }

    private boolean written(SetCommand command) {
        values.ready();
        return values.executor().execute(command);
    }

    /** Returns what writes a value once the store is ready for it. */
    SetCommand write(CharSequence name, T value) {
        SetCommand command = Strings.set(names.key(name), values.encode(value));
        return ttl == null ? command : command.expiration(Expiration.px(ttl));
    }

    /** Deletes values and returns how many there were. */
    public long delete(CharSequence... given) {
        return deleteAll(Arrays.asList(given));
    }

    /** Deletes values and returns how many there were. */
    public long deleteAll(Iterable<? extends CharSequence> given) {
        long count = 0;
        for (Iterator<List<Command<Long>>> left = chunks.deletions(given.iterator()); left.hasNext();) {
            count += values.executor().executeAll(left.next()).stream().mapToLong(deleted -> deleted).sum();
        }
        return count;
    }

    /** Returns whether there is a value. */
    public boolean exists(CharSequence name) {
        return values.executor().execute(Keys.exists(names.key(name))) > 0;
    }

    /**
     * Gives a value its time to live again and returns whether there is one. In a store without a time to live the
     * value counts as just used, which matters where the server evicts.
     */
    public boolean touch(CharSequence name) {
        return values.executor().execute(renewal(name));
    }

    /** Returns what gives a value its time to live again, and replies whether there is one. */
    Command<Boolean> renewal(CharSequence name) {
        CharSequence key = names.key(name);
        return ttl == null ? Keys.touch(key).map(found -> found > 0) : Keys.pexpire(key, ttl);
    }

    /**
     * Writes many values, in chunks. Not atomic: if it throws, the values of earlier chunks, and perhaps some of the
     * current one, are written.
     */
    public void putAll(Map<? extends CharSequence, ? extends T> items) {
        putAll(items.entrySet().iterator());
    }

    /** Writes many values, as {@link #putAll(Map)}; a chunk of them is taken at a time. Returns how many there were. */
    public long putAll(Iterator<? extends Map.Entry<? extends CharSequence, ? extends T>> items) {
        StoreChunks<T>.Writes left = chunks.new Writes(items);
        while (left.hasNext()) {
            List<Command<Boolean>> commands = left.next();
            values.ready();
            values.executor().executeAll(commands);
        }
        return left.count();
    }

    /** Returns the values in the order of their names, empty where there is none. Reads in chunks. */
    public List<Optional<T>> getAll(Iterable<? extends CharSequence> given) {
        List<Optional<T>> found = new ArrayList<>();
        StoreChunks<T>.Reads left = chunks.new Reads(given.iterator());
        while (left.hasNext()) {
            List<CharSequence> keys = left.next();
            List<Optional<byte[]>> data = held(left, keys);
            left.took(data);
            for (int i = 0; i < keys.size(); i++) {
                CharSequence key = keys.get(i);
                found.add(data.get(i).map(held -> values.decode(() -> Names.shown(key), held)));
            }
        }
        return found;
    }

    private List<Optional<byte[]>> held(StoreChunks<T>.Reads reads, List<CharSequence> keys) {
        List<Command<List<Optional<byte[]>>>> together = reads.together(keys);
        if (!together.isEmpty()) {
            try {
                List<Optional<byte[]>> all = new ArrayList<>();
                values.executor().executeAll(together).forEach(all::addAll);
                return all;
            } catch (SamewireException error) {
                if (!isTogetherTooLarge(error)) {
                    throw error;
                }
            }
        }
        return values.executor().executeAll(reads.single(keys));
    }

    /** Together values may exceed a limit that none of them exceeds. */
    static boolean isTogetherTooLarge(Throwable error) {
        return error instanceof SamewireException known
            && (known.code() == Code.LIMIT_SIZE || known.code() == Code.LIMIT_ITEMS);
    }

    /**
     * Replaces a value by what {@code change} makes of it, and returns that. No other writer's value is lost. In a
     * store without a time to live the value keeps the time that it has left.
     *
     * @param change is given the value, or empty if there is none; what it returns is stored. It is called again
     *     whenever another writer came first, so it should do nothing else
     * @return what was stored; empty if there was no value and {@code change} made none
     * @throws SamewireException {@code misuse} if {@code change} returns null, or empty where there is a value, which
     *     store and delete nothing, and if 1,000 attempts in a row are overtaken
     */
    public Optional<T> update(CharSequence name, Function<Optional<T>, Optional<T>> change) {
        return swap(name).update(read(names.key(name)), change, false);
    }

    /** Does the same as {@link #update}, and deletes the value if {@code change} returns empty. */
    public Optional<T> updateOrDelete(CharSequence name, Function<Optional<T>, Optional<T>> change) {
        return swap(name).update(read(names.key(name)), change, true);
    }

    Swap<T> swap(CharSequence name) {
        CharSequence key = names.key(name);
        return new Swap<>(values, Names.shown(key), Swap.STRING, key, ttl == null ? "" : String.valueOf(ttl));
    }

    /** Returns all names, as {@link #scan(String)}. */
    public Stream<String> scan() {
        return scan("*");
    }

    /**
     * Returns the names that match a pattern of the server ({@code * ? [ ]}), in no order, each page asked for when it
     * is needed. Values written or deleted meanwhile may be missed; a name may come twice while the server resizes its
     * table. A name that is not valid UTF-8 throws {@code bad_utf8}: {@link #scanBytes} returns it.
     */
    public Stream<String> scan(String match) {
        return scanBytes(match).map(Bytes::text);
    }

    /** Returns the names that match a pattern as bytes, as {@link #scan(String)}. */
    public Stream<Bytes> scanBytes(String match) {
        CharSequence pattern = names.pattern(match);
        return values.executor()
            .scan(cursor -> Keys.scan(cursor).match(pattern).count(SCANNED).type("STRING").as(Text.BYTES))
            .filter(key -> !values.schemas().holds(key)).map(names::name);
    }

    /** Returns names and values, as {@link #scan(String)}; 1,000 values are read together. */
    public Stream<Map.Entry<String, T>> items(String match) {
        Iterator<String> left = scan(match).iterator();
        Iterator<List<String>> parts = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return left.hasNext();
            }

            @Override
            public List<String> next() {
                List<String> part = new ArrayList<>();
                do {
                    part.add(left.next());
                } while (part.size() < ITEMS && left.hasNext());
                return part;
            }
        };
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(parts, Spliterator.ORDERED), false)
            .flatMap(this::pairs);
    }

    /** Those of the names that have a value, with it. */
    private Stream<Map.Entry<String, T>> pairs(List<String> part) {
        List<Optional<T>> found = getAll(part);
        List<Map.Entry<String, T>> entries = new ArrayList<>();
        for (int i = 0; i < part.size(); i++) {
            String name = part.get(i);
            found.get(i).ifPresent(value -> entries.add(Map.entry(name, value)));
        }
        return entries.stream();
    }

    /** Returns the schema, the prefix and the time to live. */
    @Override
    public String toString() {
        return "Store(" + values.codec().schema() + ", prefix=" + names + (ttl == null ? ")" : ", ttl=" + ttl + " ms)");
    }
}
