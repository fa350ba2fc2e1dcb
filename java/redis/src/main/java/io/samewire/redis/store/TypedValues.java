package io.samewire.redis.store;

import io.samewire.pack.Codec;
import java.util.function.LongSupplier;

/**
 * Makes typed values of one type; from {@code client.typed(Book.class)}. What it makes shares one codec, and what is
 * known of other writers' schemas. Thread-safe.
 *
 * @param <T> the type of the values
 */
public final class TypedValues<T> {
    /** What the keys of schemas begin with, unless a program chooses another prefix. */
    public static final String SCHEMAS = "samewire:schema:";

    private final CommandExecutor executor;
    private final Codec<T> codec;
    private final LongSupplier clock;
    private final Values<T> values;

    private TypedValues(CommandExecutor executor, Codec<T> codec, String schemas, LongSupplier clock) {
        this.executor = executor;
        this.codec = codec;
        this.clock = clock;
        this.values = new Values<>(executor, codec, schemas, clock);
    }

    /** Returns typed values of a client. The codec may be one without digests; profile and limits are the codec's. */
    public static <T> TypedValues<T> of(CommandExecutor executor, Codec<T> codec) {
        return of(executor, codec, System::nanoTime);
    }

    static <T> TypedValues<T> of(CommandExecutor executor, Codec<T> codec, LongSupplier clock) {
        return new TypedValues<>(executor, codec, SCHEMAS, clock);
    }

    /**
     * Returns the same, with other keys for the texts of schemas; readers and writers must agree.
     *
     * @param prefix what the keys begin with; {@link #SCHEMAS} by default
     */
    public TypedValues<T> withSchemas(String prefix) {
        return new TypedValues<>(executor, codec, prefix, clock);
    }

    /** Returns values each under a key of its own: the prefix, then its name. */
    public Store<T> store(CharSequence prefix) {
        return new Store<>(values, new Names(prefix), null);
    }

    /** Returns a hash whose fields hold values. */
    public TypedHash<T> hash(CharSequence key) {
        return new TypedHash<>(values, key);
    }

    /** Returns a list of values. */
    public TypedList<T> list(CharSequence key) {
        return new TypedList<>(values, key);
    }

    /** Returns a stream whose entries are values. */
    public TypedStream<T> stream(CharSequence key) {
        return new TypedStream<>(values, key);
    }

    /** Returns a channel whose messages are values. */
    public TypedChannel<T> channel(CharSequence name) {
        return new TypedChannel<>(values, name, false);
    }

    /** Returns a channel whose messages stay, on a cluster, on the node that its name belongs to. */
    public TypedChannel<T> shardedChannel(CharSequence name) {
        return new TypedChannel<>(values, name, true);
    }
}
