package io.samewire.redis.store;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Reading;
import io.samewire.redis.resp.ReplyType;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Optimistic update of one value: a script replaces it only if it still is the bytes that were read. WATCH needs a
 * connection of its own; a script does not, and an attempt takes one round trip, because a failed one returns what
 * another writer has put there.
 */
final class Swap<T> {
    /** How often an update is tried. Each failure means that another writer has succeeded. */
    private static final int ATTEMPTS = 1000;

    /**
     * Replaces a key's value: what it must be ("" for none), what it becomes ("" to delete it), and its time to live in
     * milliseconds ("" to keep the one it has). Returns 1, or what the key holds instead.
     */
    static final String STRING = """

        local held = redis.call('GET', KEYS[1]) or ''
        if held ~= ARGV[1] then return held end
        if ARGV[2] == '' then redis.call('DEL', KEYS[1])
        elseif ARGV[3] == '' then redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
        else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
        return 1
        """;

    /** Compares and swaps a field of a hash; the last argument is the field. Returns as {@link #STRING} does. */
    static final String FIELD = """

        local held = redis.call('HGET', KEYS[1], ARGV[3]) or ''
        if held ~= ARGV[1] then return held end
        if ARGV[2] == '' then redis.call('HDEL', KEYS[1], ARGV[3])
        else redis.call('HSET', KEYS[1], ARGV[3], ARGV[2]) end
        return 1
        """;

    private static final Bytes NONE = Bytes.wrap(new byte[0]);
    /** What the key holds instead, or empty if it was replaced. */
    private static final Reading<Optional<byte[]>> REPLY = in -> {
        if (in.type() == ReplyType.INTEGER) {
            in.skip();
            return Optional.empty();
        }
        return Optional.of(in.readBytes());
    };

    private final Values<T> values;
    private final String where;
    private final String script;
    private final CharSequence key;
    private final CharSequence last;

    /**
     * Prepares an update.
     *
     * @param where the place, for errors
     * @param last the script's third argument
     */
    Swap(Values<T> values, String where, String script, CharSequence key, CharSequence last) {
        this.values = values;
        this.where = where;
        this.script = script;
        this.key = key;
        this.last = last;
    }

    /**
     * Replaces what {@code get} reads by what {@code change} makes of it, and returns that.
     *
     * @param deletes whether an empty result deletes a value, or is misuse
     */
    Optional<T> update(Command<Optional<byte[]>> get, Function<Optional<T>, Optional<T>> change, boolean deletes) {
        byte[] held = values.executor().execute(get).orElse(null);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            byte[] old = held;
            Optional<T> changed = given(change.apply(old == null ? Optional.empty()
                : Optional.ofNullable(values.decode(() -> where, old))), deletes || old == null);
            Bytes data = encoded(changed);
            if (changed.isPresent()) {
                values.ready();
            }
            Optional<byte[]> other = values.executor().execute(replace(old, data));
            if (other.isEmpty()) {
                return changed;
            }
            held = present(other.get());
        }
        throw overtaken();
    }

    /** Reads, changes and swaps a value until no other client interferes, without blocking the caller. */
    CompletableFuture<Optional<T>> submitUpdate(Command<Optional<byte[]>> get,
            Function<Optional<T>, Optional<T>> change, boolean deletes) {
        return values.executor().submit(get).thenCompose(held -> attempt(held.orElse(null), change, deletes, 0));
    }

    private CompletableFuture<Optional<T>> attempt(byte[] old, Function<Optional<T>, Optional<T>> change,
            boolean deletes, int before) {
        if (before == ATTEMPTS) {
            return CompletableFuture.failedFuture(overtaken());
        }
        CompletableFuture<Optional<T>> value = old == null ? CompletableFuture.completedFuture(Optional.empty())
            : values.submitDecode(() -> where, old).thenApply(Optional::ofNullable);
        return value.thenCompose(held -> {
            Optional<T> changed = given(change.apply(held), deletes || old == null);
            Bytes data = encoded(changed);
            CompletableFuture<Void> ready = changed.isPresent() ? values.submitReady()
                : CompletableFuture.completedFuture(null);
            return ready.thenCompose(none -> values.executor().submit(replace(old, data)))
                .thenCompose(other -> other.isEmpty() ? CompletableFuture.completedFuture(changed)
                    : attempt(present(other.get()), change, deletes, before + 1));
        });
    }

    /** Returns what a function has returned, unless it is null or empty by oversight. */
    private Optional<T> given(Optional<T> changed, boolean mayBeEmpty) {
        if (changed == null || changed.isEmpty() && !mayBeEmpty) {
            throw new SamewireException(Code.MISUSE, -1, null, where + ": the function of update() returned "
                + (changed == null ? "null" : "no value") + ", so nothing was stored and nothing deleted: return"
                + " Optional.of(the new value); updateOrDelete() deletes by Optional.empty()");
        }
        return changed;
    }

    private Bytes encoded(Optional<T> changed) {
        return changed.isPresent() ? values.encode(changed.get()) : NONE;
    }

    private Command<Optional<byte[]>> replace(byte[] old, Bytes data) {
        return Commands.of(REPLY, "EVAL", script, "1", key, old == null ? NONE : Bytes.wrap(old), data, last);
    }

    private static byte[] present(byte[] held) {
        return held.length == 0 ? null : held;
    }

    private SamewireException overtaken() {
        return new SamewireException(Code.MISUSE, -1, null, where + ": " + ATTEMPTS
            + " updates in a row were overtaken by other writers");
    }
}
