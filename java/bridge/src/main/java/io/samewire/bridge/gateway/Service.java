package io.samewire.bridge.gateway;

import io.samewire.bridge.GatewayStatistics;
import io.samewire.bridge.ring.Waiting;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.session.SessionOptions;
import io.samewire.bridge.transport.Listener;
import io.samewire.bridge.transport.Transport;
import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A running gateway: accepts clients, and maintains their sessions. */
public final class Service implements AutoCloseable {
    /** The longest delay of a release, and how often an idle gateway wakes. */
    private static final long UPKEEP_MILLIS = 1000;
    private static final long WATCH_MILLIS = 5000;

    private final Listener listener;
    private final byte[] token;
    private final SessionOptions options;
    private final Map<String, Long> digests;
    private final Waiting waiting;
    private final ChannelThreads threads;
    private final Clients clients = new Clients();
    private final long process = processNumber();
    private volatile boolean closed;
    private Thread watch;
    private Thread upkeep;

    /**
     * Creates a service. {@link #start()} starts it.
     *
     * @param token the token that clients must send
     * @param digests those of the records that the gateway knows by name
     * @param waiting how channels in shared memory wait
     * @param platformThreads the number of connections with platform threads, if the JVM has virtual ones
     */
    public Service(Listener listener, byte[] token, SessionOptions options, Map<String, Long> digests,
        Waiting waiting, int platformThreads) {
        this.listener = listener;
        this.token = token;
        this.options = options;
        this.digests = digests;
        this.waiting = waiting;
        this.threads = new ChannelThreads(platformThreads);
    }

    private static long processNumber() {
        try {
            // On Linux, to avoid the threads and classes of ProcessHandle.
            return Long.parseLong(new File("/proc/self").getCanonicalFile().getName());
        } catch (IOException | NumberFormatException elsewhere) {
            return ProcessHandle.current().pid();
        }
    }

    /** Begins to accept clients. */
    public void start() {
        Threads.start(new Runnable() {
            @Override
            public void run() {
                accept();
            }
        }, "samewire-accept");
        watch = Threads.start(new Runnable() {
            @Override
            public void run() {
                watch();
            }
        }, "samewire-watch");
        upkeep = Threads.start(new Runnable() {
            @Override
            public void run() {
                upkeep();
            }
        }, "samewire-upkeep");
    }

    /**
     * Starts to serve the two connections that this process was started with. Others are accepted after the first
     * calls.
     */
    public void serve(Transport control, Transport calls) {
        FirstCalls first = new FirstCalls(listener);
        Threads.start(new Connection(this, calls, first), "samewire-channel");
        Threads.start(new Connection(this, control, first), "samewire-control");
        Threads.start(first, "samewire-first-calls");
    }

    private void accept() {
        while (!closed) {
            try {
                serve(listener.accept());
            } catch (IOException | OutOfMemoryError | InterruptedException error) {
                // Too many files or threads, or the client is gone already: a later attempt may succeed, so pause
                // first.
                pause(closed ? 0 : 10);
            }
        }
    }

    /**
     * Serves a connection that the program has accepted, in a thread of its own. Waits while too many connections
     * have not sent their hello.
     */
    public void serve(Transport transport) throws InterruptedException {
        Connection connection = new Connection(this, transport);
        if (clients.arrive(connection)) {
            threads.start(connection);
        } else {
            connection.cut();
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException error) {
            // Only an end interrupts, and the caller checks for that next.
            return;
        }
    }

    /** Cuts connections and sessions that are stuck. Nothing here may wait for a client. */
    private void watch() {
        while (!closed) {
            try {
                clients.cutStrangers(WATCH_MILLIS);
                long now = System.nanoTime();
                for (Session session : clients.sessions()) {
                    session.cutIfStuck(now);
                }
            } catch (OutOfMemoryError full) {
                // There may be memory again when the session that used it has ended.
                pause(closed ? 0 : 10);
            }
        }
    }

    /** Sends pings and releases that wait. A client that does not read blocks this until the watch cuts it off. */
    private void upkeep() {
        while (!closed) {
            pause(UPKEEP_MILLIS);
            try {
                for (Session session : clients.awaitSessions()) {
                    session.upkeep(System.nanoTime());
                }
            } catch (OutOfMemoryError full) {
                // As in the watch. The next attempt is in a second.
                continue;
            }
        }
    }

    SessionOptions options() {
        return options;
    }

    byte[] token() {
        return token;
    }

    Map<String, Long> digests() {
        return digests;
    }

    Waiting waiting() {
        return waiting;
    }

    long process() {
        return process;
    }

    boolean isLocal() {
        return listener.isLocal();
    }

    Clients clients() {
        return clients;
    }

    /** Returns where it listens. */
    public String address() {
        return listener.address();
    }

    /** Returns the current statistics. */
    public GatewayStatistics statistics() {
        int channels = 0;
        long calls = 0;
        int exported = 0;
        int imported = 0;
        List<Session> sessions = clients.sessions();
        for (Session session : sessions) {
            channels += session.channelCount();
            calls += session.callCount();
            exported += session.references().exported();
            imported += session.references().imported();
        }
        return new GatewayStatistics(sessions.size(), clients.openedCount(), clients.refusedCount(),
            clients.strangers(), channels, calls, exported, imported);
    }

    /** Returns the objects of this JVM that clients refer to, by the session and the number in it. */
    public Map<String, Object> exported() {
        Map<String, Object> found = new HashMap<>();
        clients.byNumber().forEach((number, session) -> session.references().copyExported(found, number + "."));
        return found;
    }

    /** Ends everything: every waiting call ends with {@code closed}. Idempotent. */
    @Override
    public void close() {
        closed = true;
        listener.close();
        clients.close();
        if (watch != null) {
            watch.interrupt();
            upkeep.interrupt();
        }
    }
}
