package io.samewire.redis.client;

import io.samewire.redis.resp.RedisException;

/** Finds the server each time a connection is made, where it is not always the same one. Thread-safe. */
interface Locator {
    /**
     * Returns where the server is now. May wait.
     *
     * @throws ConnectionException if nobody knows
     */
    Address find();

    /** Returns what it finds, for error texts; null for the server that the client was given. */
    default String name() {
        return null;
    }

    /**
     * Looks at a connection that was made and greeted.
     *
     * @throws ConnectionException if it leads to the wrong server
     */
    default void verify(Connection made) { }

    /** Returns whether connections to a server may still be used. */
    default boolean isCurrent(Address server) {
        return true;
    }

    /** Called when a server could not be reached, or was lost. */
    default void lost(Address server) { }

    /** Sets what is told, on any thread, that {@link #find} returns another server than before. */
    default void onChange(Runnable told) { }

    /** Called when the client is closed: nobody asks any more. */
    default void forget() { }

    /** Whether an error says that the command has not run, and belongs to another server than this connection's. */
    default boolean isElsewhere(RedisException error) {
        return false;
    }
}
