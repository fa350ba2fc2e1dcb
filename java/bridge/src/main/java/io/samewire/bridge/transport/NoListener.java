package io.samewire.bridge.transport;

import java.io.IOException;

/** The listener of a gateway whose connections are accepted elsewhere: it accepts none. */
public final class NoListener implements Listener {
    private boolean closed;

    @Override
    public synchronized Transport accept() throws IOException {
        while (!closed) {
            try {
                wait();
            } catch (InterruptedException error) {
                throw new IOException("interrupted", error);
            }
        }
        throw new IOException("the listener is closed");
    }

    @Override
    public String address() {
        return "";
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
