package io.samewire.redis.store;

import java.util.Optional;

/**
 * An entry of a typed stream. One whose value cannot be read does not keep a consumer from the others.
 *
 * @param <T> the type of the value
 */
public final class Entry<T> {
    private final String id;
    private final T value;
    private final StoredValueException error;

    Entry(String id, T value, StoredValueException error) {
        this.id = id;
        this.value = value;
        this.error = error;
    }

    /** Returns the id, like {@code 1700000000000-0}. */
    public String id() {
        return id;
    }

    /**
     * Returns the value.
     *
     * @throws StoredValueException if it cannot be read
     */
    public T value() {
        if (error != null) {
            throw error;
        }
        return value;
    }

    /** Returns why the value cannot be read; empty if it can. */
    public Optional<StoredValueException> error() {
        return Optional.ofNullable(error);
    }

    @Override
    public String toString() {
        return id + "=" + (error == null ? value : error.getMessage());
    }
}
