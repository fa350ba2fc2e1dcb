package io.samewire.redis.store;

import io.samewire.core.SamewireException;

/**
 * What a key holds cannot be read as a value of the declared type. Code, offset and path are as {@code pack} reports
 * them for the bytes: {@code schema_mismatch} if they were written with another schema that cannot be resolved,
 * {@code malformed}, {@code truncated} and the like if they are no whole value.
 */
public final class StoredValueException extends SamewireException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final byte[] data;

    StoredValueException(SamewireException error, String key, byte[] data) {
        super(error.code(), error.at(), error.path(), null, error);
        this.key = key;
        this.data = data;
    }

    /** Returns where the bytes were: a key, {@code key[field]}, {@code key entry id}, or a channel's name. */
    public String key() {
        return key;
    }

    /** Returns the bytes. A value that a pop has taken out of the server is not lost with the error. */
    public byte[] data() {
        return data.clone();
    }

    /** Returns where the bytes were, and what is wrong with them. */
    @Override
    public String getMessage() {
        return key + ": " + getCause().getMessage();
    }
}
