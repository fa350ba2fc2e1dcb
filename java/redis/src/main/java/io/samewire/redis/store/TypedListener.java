package io.samewire.redis.store;

/**
 * Takes the values of a channel, on a thread of its own, one call after the other.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface TypedListener<T> {
    /** Takes a value. What it throws goes to the thread's handler of uncaught exceptions; the next value comes. */
    void value(T value);

    /** Takes the error of a message that cannot be read; throws it unless this is overridden. */
    default void unreadable(StoredValueException error) {
        throw error;
    }
}
