package io.samewire.redis.store;

import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.SetCommand;
import io.samewire.redis.command.SetCondition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * The values of a {@link Store} for callers that do not wait, over the connection that these share; from
 * {@code client.store(Book.class, "book:").async()}. Its methods do what those of {@link Store} do, and their futures
 * fail with what those throw; that a value is not of the type is thrown at once. Scans are the blocking store's.
 * Threads may share it.
 *
 * <p>Values are decoded where futures are completed, and functions that a caller gives are called there: by the
 * client's executor, or else on the thread that reads replies, where nothing may wait.
 *
 * @param <T> the type of the values
 */
public final class AsyncStore<T> {
    private final Store<T> store;
    private final Values<T> values;
    private final CommandExecutor executor;

    AsyncStore(Store<T> store) {
        this.store = store;
        this.values = store.values;
        this.executor = values.executor();
    }

    /** Gets a value, or empty if there is none. */
    public CompletableFuture<Optional<T>> get(CharSequence name) {
        CharSequence key = store.names.key(name);
        return executor.submit(Store.read(key)).thenCompose(data -> decoded(key, data));
    }

    private CompletableFuture<Optional<T>> decoded(CharSequence key, Optional<byte[]> data) {
        return data.isEmpty() ? CompletableFuture.completedFuture(Optional.empty())
            : values.submitDecode(() -> Names.shown(key), data.get()).thenApply(Optional::ofNullable);
    }

    /** Writes a value. */
    public CompletableFuture<Void> put(CharSequence name, T value) {
        return written(store.write(name, value)).thenApply(done -> null);
    }

    /** Writes a value if there is none yet, and says whether it did. */
    public CompletableFuture<Boolean> putIfAbsent(CharSequence name, T value) {
        return written(store.write(name, value).condition(SetCondition.NX));
    }

    /** Writes a value if there is one, and says whether it did. */
    public CompletableFuture<Boolean> replace(CharSequence name, T value) {
        return written(store.write(name, value).condition(SetCondition.XX));
    }

    private CompletableFuture<Boolean> written(SetCommand command) {
        return values.submitReady().thenCompose(none -> executor.submit(command));
    }

    /** Deletes values and says how many there were. */
    public CompletableFuture<Long> delete(CharSequence... names) {
        return deleteAll(Arrays.asList(names.clone()));
    }

    /** Deletes values, in chunks, and says how many there were. */
    public CompletableFuture<Long> deleteAll(Iterable<? extends CharSequence> names) {
        return deleted(store.chunks.deletions(names.iterator()), 0);
    }

    private CompletableFuture<Long> deleted(Iterator<List<Command<Long>>> left, long count) {
        return !left.hasNext() ? CompletableFuture.completedFuture(count) : submitAll(left.next())
            .thenCompose(counts -> deleted(left, count + counts.stream().mapToLong(one -> one).sum()));
    }

    /** Says whether there is a value. */
    public CompletableFuture<Boolean> exists(CharSequence name) {
        return executor.submit(Keys.exists(store.names.key(name))).thenApply(found -> found > 0);
    }

    /** Gives a value its time to live again, as {@link Store#touch}, and says whether there is one. */
    public CompletableFuture<Boolean> touch(CharSequence name) {
        return executor.submit(store.renewal(name));
    }

    /**
     * Writes many values, in chunks, as {@link Store#putAll(Map)}. The map must not be changed until the future is
     * done.
     */
    public CompletableFuture<Void> putAll(Map<? extends CharSequence, ? extends T> items) {
        return written(store.chunks.new Writes(items.entrySet().iterator()));
    }

    private CompletableFuture<Void> written(StoreChunks<T>.Writes left) {
        if (!left.hasNext()) {
            return CompletableFuture.completedFuture(null);
        }
        List<Command<Boolean>> commands = left.next();
        return values.submitReady().thenCompose(none -> submitAll(commands)).thenCompose(done -> written(left));
    }

    /**
     * Gets the values in the order of their names, empty where there is none, in chunks. The names must not be changed
     * until the future is done.
     */
    public CompletableFuture<List<Optional<T>>> getAll(Iterable<? extends CharSequence> names) {
        return read(store.chunks.new Reads(names.iterator()), new ArrayList<>());
    }

    private CompletableFuture<List<Optional<T>>> read(StoreChunks<T>.Reads left, List<Optional<T>> found) {
        if (!left.hasNext()) {
            return CompletableFuture.completedFuture(found);
        }
        List<CharSequence> keys = left.next();
        return held(left, keys).thenCompose(data -> {
            left.took(data);
            return decoded(keys, data, 0, found);
        }).thenCompose(all -> read(left, all));
    }

    private CompletableFuture<List<Optional<byte[]>>> held(StoreChunks<T>.Reads reads, List<CharSequence> keys) {
        List<Command<List<Optional<byte[]>>>> together = reads.together(keys);
        if (together.isEmpty()) {
            return submitAll(reads.single(keys));
        }
        return submitAll(together).<List<Optional<byte[]>>>thenApply(parts -> {
            List<Optional<byte[]>> all = new ArrayList<>();
            parts.forEach(all::addAll);
            return all;
        }).exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return Store.isTogetherTooLarge(cause) ? submitAll(reads.single(keys))
                : CompletableFuture.failedFuture(cause);
        });
    }

    /** Decodes one chunk, and waits for a schema only where a value has one that is not known. */
    private CompletableFuture<List<Optional<T>>> decoded(List<CharSequence> keys, List<Optional<byte[]>> data,
            int from, List<Optional<T>> found) {
        for (int i = from; i < keys.size(); i++) {
            CompletableFuture<Optional<T>> value = decoded(keys.get(i), data.get(i));
            if (!value.isDone()) {
                int next = i + 1;
                return value.thenCompose(one -> {
                    found.add(one);
                    return decoded(keys, data, next, found);
                });
            }
            found.add(value.join());
        }
        return CompletableFuture.completedFuture(found);
    }

    /**
     * Replaces a value by what {@code change} makes of it, as {@link Store#update}.
     *
     * @param change as there; it must not wait
     * @return what was stored, or empty. It fails with {@link SamewireException} {@code misuse} where {@link
     *     Store#update} throws it
     */
    public CompletableFuture<Optional<T>> update(CharSequence name, Function<Optional<T>, Optional<T>> change) {
        return store.swap(name).submitUpdate(Store.read(store.names.key(name)), change, false);
    }

    /** Does the same as {@link #update}, and deletes the value if {@code change} returns empty. */
    public CompletableFuture<Optional<T>> updateOrDelete(CharSequence name,
            Function<Optional<T>, Optional<T>> change) {
        return store.swap(name).submitUpdate(Store.read(store.names.key(name)), change, true);
    }

    /** Sends commands together; the replies are in their order. Fails with the first error once all have come. */
    private <R> CompletableFuture<List<R>> submitAll(List<Command<R>> commands) {
        List<CompletableFuture<R>> replies = new ArrayList<>(commands.size());
        commands.forEach(command -> replies.add(executor.submit(command)));
        return CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
            .thenApply(none -> replies.stream().map(CompletableFuture::join).toList());
    }

    /** Returns what the blocking store returns. */
    @Override
    public String toString() {
        return store.toString();
    }
}
