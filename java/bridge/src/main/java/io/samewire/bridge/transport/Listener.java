package io.samewire.bridge.transport;

import java.io.IOException;

/** Accepts clients. One thread accepts; any thread may close it. */
public interface Listener extends AutoCloseable {
    /** Waits for the next client. */
    Transport accept() throws IOException;

    /** Returns the address: {@code unix:PATH}, {@code tcp://HOST:PORT} or {@code tls://HOST:PORT}. */
    String address();

    /** Returns whether only programs on this machine can connect, through the file system. */
    default boolean isLocal() {
        return false;
    }

    /** Opens it, if it waits for that. Called by any thread. Idempotent. */
    default void allow() {
    }

    @Override
    void close();
}
