package io.samewire.bridge.transport;

import io.samewire.core.SamewireException;
import java.io.IOException;

/**
 * A unix socket that is opened only after {@link #allow()}: a gateway whose first client is already connected serves
 * that first.
 */
public final class LaterListener implements Listener {
    private final String path;
    private boolean allowed;
    private boolean closed;
    private UnixListener opened;

    /** Creates a listener on a path, as {@link UnixListener#open}. */
    public LaterListener(String path) {
        this.path = path;
    }

    @Override
    public synchronized void allow() {
        allowed = true;
        notifyAll();
    }

    @Override
    public Transport accept() throws IOException {
        return opened().accept();
    }

    private synchronized UnixListener opened() throws IOException {
        if (opened == null) {
            await(true);
            try {
                opened = UnixListener.open(path);
            } catch (IOException | SamewireException error) {
                // The client continues with the connections that it has.
                System.err.println("samewire: cannot listen on " + path + ": " + error.getMessage());
                await(false);
            }
        }
        return opened;
    }

    /** Waits until it may be opened or is closed. */
    private void await(boolean ever) throws IOException {
        while (!(ever && allowed) && !closed) {
            try {
                wait();
            } catch (InterruptedException error) {
                throw new IOException("interrupted before it was opened", error);
            }
        }
        if (closed) {
            throw new IOException("the listener is closed");
        }
    }

    @Override
    public String address() {
        return "unix:" + path;
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        if (opened != null) {
            opened.close();
        }
    }
}
