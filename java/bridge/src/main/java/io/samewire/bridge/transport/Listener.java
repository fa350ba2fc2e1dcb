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

    /** Returns whether only programs of this machine reach it: the end of their sockets tells when they are gone. */
    default boolean isOnThisMachine() {
        return true;
    }

    /** Opens it, if it waits for that. Called by any thread; does nothing the second time. */
    default void allow() {
    }

    @Override
    void close();
}
