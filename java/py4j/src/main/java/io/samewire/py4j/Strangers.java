package io.samewire.py4j;

import io.samewire.py4j.text.Sockets;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Connections that must authenticate and have not. Each has its time, and there are at most so many of them in this
 * JVM: who has no token holds neither threads nor descriptors for long. Thread-safe.
 *
 * <p>The system properties {@code samewire.py4j.authMillis} (10,000) and {@code samewire.py4j.strangers} (256) are read
 * for each connection.
 */
public final class Strangers {
    /** Those of all servers. */
    public static final Strangers HERE = new Strangers();
    private static final int TIME_MILLIS = 10_000;
    private static final int MOST = 256;
    /** If all places are taken, the oldest connection makes room after so long. Clients authenticate at once. */
    private static final long CROWDED_NANOS = 1_000_000_000;

    /** In the order in which they came, with when. */
    private final Map<Socket, Long> waiting = new LinkedHashMap<>();
    private Thread watch;

    private Strangers() {}

    private static long timeNanos() {
        return 1_000_000L * Math.max(1, Integer.getInteger("samewire.py4j.authMillis", TIME_MILLIS));
    }

    private static int most() {
        return Math.max(1, Integer.getInteger("samewire.py4j.strangers", MOST));
    }

    /** Waits until there is a place for one more; cuts the oldest if it has been there for long enough. */
    public synchronized void awaitPlace() {
        while (waiting.size() >= most()) {
            Map.Entry<Socket, Long> oldest = waiting.entrySet().iterator().next();
            long left = CROWDED_NANOS - (System.nanoTime() - oldest.getValue());
            if (left <= 0) {
                cut(oldest.getKey());
            } else if (!pause(left)) {
                return;
            }
        }
    }

    /** Adds a connection. */
    public synchronized void arrive(Socket socket) {
        waiting.put(socket, System.nanoTime());
        if (watch == null) {
            watch = new Thread(this::watch, "py4j-strangers");
            watch.setDaemon(true);
            watch.start();
        }
    }

    /** A connection has authenticated, or has ended. */
    public synchronized void leave(Socket socket) {
        if (waiting.remove(socket) != null) {
            notifyAll();
        }
    }

    /** Returns how many there are. */
    public synchronized int count() {
        return waiting.size();
    }

    /** Cuts those that have had their time, as long as there are any. */
    private synchronized void watch() {
        while (!waiting.isEmpty()) {
            Map.Entry<Socket, Long> oldest = waiting.entrySet().iterator().next();
            long left = timeNanos() - (System.nanoTime() - oldest.getValue());
            if (left <= 0) {
                cut(oldest.getKey());
            } else if (!pause(left)) {
                break;
            }
        }
        watch = null;
    }

    private void cut(Socket socket) {
        waiting.remove(socket);
        Sockets.resetAtEnd(socket);
        Sockets.close(socket);
        notifyAll();
    }

    private boolean pause(long nanos) {
        try {
            wait(nanos / 1_000_000 + 1);
            return true;
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
