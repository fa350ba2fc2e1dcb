package io.samewire.bridge.transport;

import java.io.IOException;

/** Where clients connect. One thread accepts; any thread may close it. */
public interface Listener extends AutoCloseable {
    /** Waits for the next client. */
    Transport accept() throws IOException;

    /** Returns where it listens: {@code unix:PATH}, {@code tcp://HOST:PORT} or {@code tls://HOST:PORT}. */
    String address();

    /** Returns whether only programs of this machine reach it, by the file system. */
    default boolean isLocal() {
        return false;
    }

    /** Opens it, if it waits for that. Called by any thread; does nothing the second time. */
    default void allow() {
    }

    @Override
    void close();
}
