package io.samewire.redis.store;

import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Popped;
import io.samewire.redis.command.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A list of values of one type. What cannot be read throws {@link StoredValueException}, which names the key and keeps
 * the bytes, also those that a pop took out. Threads may share it.
 *
 * @param <T> the type of the values
 */
public final class TypedList<T> {
    private final Values<T> values;
    private final CharSequence key;

    TypedList(Values<T> values, CharSequence key) {
        this.values = values;
        this.key = key instanceof Bytes ? key : key.toString();
    }

    private String where() {
        return Names.shown(key);
    }

    /** Appends a value to the right end and returns the list's length. */
    public long push(T value) {
        return pushAll(List.of(value));
    }

    /** Appends values to the right end, in their order, and returns the list's length. */
    public long pushAll(Collection<? extends T> more) {
        return more.isEmpty() ? length() : values.executor().execute(Lists.rpush(key, encoded(more)));
    }

    /** Puts a value before the left end and returns the list's length. */
    public long pushLeft(T value) {
        return pushAllLeft(List.of(value));
    }

    /** Puts values before the left end, one after the other, so that the last is first. Returns the list's length. */
    public long pushAllLeft(Collection<? extends T> more) {
        return more.isEmpty() ? length() : values.executor().execute(Lists.lpush(key, encoded(more)));
    }

    private List<Bytes> encoded(Collection<? extends T> more) {
        List<Bytes> data = new ArrayList<>(more.size());
        more.forEach(value -> data.add(values.encode(value)));
        values.ready();
        return data;
    }

    /** Takes the value at the right end, or returns empty if the list is. */
    public Optional<T> pop() {
        return one(Lists.rpop(key).as(Text.BYTES));
    }

    /** As {@link #pop()}, but waits for a value; without end if {@code wait} is zero. */
    public Optional<T> pop(Duration wait) {
        return waited(Lists.brpop(wait, key).as(Text.BINARY, Text.BYTES));
    }

    /** Takes the value at the left end, or returns empty if the list is. */
    public Optional<T> popLeft() {
        return one(Lists.lpop(key).as(Text.BYTES));
    }

    /** As {@link #popLeft()}, but waits for a value; without end if {@code wait} is zero. */
    public Optional<T> popLeft(Duration wait) {
        return waited(Lists.blpop(wait, key).as(Text.BINARY, Text.BYTES));
    }

    private Optional<T> one(Command<Optional<byte[]>> command) {
        return values.executor().execute(command).map(data -> values.decode(this::where, data));
    }

    private Optional<T> waited(Command<Optional<Popped<Bytes, byte[]>>> command) {
        return values.executor().execute(command).map(popped -> values.decode(this::where, popped.element()));
    }

    /** Returns the value at an index, from 0, or from −1 at the right end; empty if there is none. */
    public Optional<T> get(long index) {
        return one(Lists.lindex(key, index).as(Text.BYTES));
    }

    /** Replaces the value at an index. The server refuses it if there is none. */
    public void set(long index, T value) {
        Bytes data = values.encode(value);
        values.ready();
        values.executor().execute(Lists.lset(key, index, data));
    }

    /** Returns all values. */
    public List<T> range() {
        return range(0, -1);
    }

    /** Returns the values from one index to another, both included. */
    public List<T> range(long start, long stop) {
        List<byte[]> data = values.executor().execute(Lists.lrange(key, start, stop).as(Text.BYTES));
        List<T> found = new ArrayList<>(data.size());
        for (int i = 0; i < data.size(); i++) {
            long index = start + i;
            found.add(values.decode(() -> where() + "[" + index + "]", data.get(i)));
        }
        return found;
    }

    /** Returns the number of values. */
    public long length() {
        return values.executor().execute(Lists.llen(key));
    }

    /** Deletes all values but those from one index to another, both included. */
    public void trim(long start, long stop) {
        values.executor().execute(Lists.ltrim(key, start, stop));
    }
}
