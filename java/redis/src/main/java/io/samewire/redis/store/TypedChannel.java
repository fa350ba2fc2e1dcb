package io.samewire.redis.store;

import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.PubSub;

/**
 * A channel of pub/sub whose messages are values of one type. Threads may share it.
 *
 * @param <T> the type of the values
 */
public final class TypedChannel<T> {
    private final Values<T> values;
    private final CharSequence name;
    private final boolean sharded;

    TypedChannel(Values<T> values, CharSequence name, boolean sharded) {
        this.values = values;
        this.name = name instanceof Bytes ? name : name.toString();
        this.sharded = sharded;
    }

    /** Sends a value to all subscribers and returns how many there were (on a cluster: on one node). */
    public long publish(T value) {
        Bytes data = values.encode(value);
        values.ready();
        return values.executor().execute(sharded ? PubSub.spublish(name, data) : PubSub.publish(name, data));
    }

    /**
     * Returns a subscription, which the server has confirmed: every later message is received, except those that are
     * published while a lost connection is made again.
     */
    public Subscription subscribe(TypedListener<? super T> listener) {
        return values.executor().subscribe(name, sharded, data -> {
            T value;
            try {
                value = values.decode(() -> Names.shown(name), data);
            } catch (StoredValueException error) {
                listener.unreadable(error);
                return;
            }
            listener.value(value);
        });
    }
}
