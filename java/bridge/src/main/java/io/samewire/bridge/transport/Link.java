package io.samewire.bridge.transport;

import io.samewire.bridge.wire.Blobs;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Output;
import io.samewire.core.SamewireException;

/**
 * A pair of streams of messages to one peer. One thread uses it at a time, except for {@link #close()}. As {@link
 * Blobs} it reads the large values of the last received message.
 */
public interface Link extends Blobs, AutoCloseable {
    /**
     * Sends complete frames, and the large values of the last one.
     *
     * @throws SamewireException {@code closed} if the peer is gone
     */
    void send(Output frames);

    /**
     * Waits for the next message and begins to read it. Inputs of earlier messages are invalid afterwards, unless they
     * have been detached.
     *
     * @return false if the stream has ended between two messages
     * @throws PassedOver if there was no memory for the message; the next one can be received
     * @throws SamewireException {@code closed} if the peer is gone; {@code limit_size}; {@code malformed}
     */
    boolean receive(Input into);

    /** Returns whether this thread may send one more call, whose own calls may nest on this stack. */
    default boolean hasRoom() {
        return true;
    }

    /**
     * Makes it immune to interrupts of the threads that use it ({@link Transport#steady}).
     *
     * @throws SamewireException {@code closed} if the peer is gone
     */
    default void steady() {
    }

    /** Ends both streams. Idempotent. */
    @Override
    void close();

    /** Frees its transport ({@link Transport#free}). */
    default void free() {
    }
}
