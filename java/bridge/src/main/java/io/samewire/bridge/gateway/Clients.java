package io.samewire.bridge.gateway;

import io.samewire.bridge.session.Session;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The clients: sessions by their secret names, and connections without a hello yet. Thread-safe. */
final class Clients implements Session.Ends {
    /** The most connections that have not said hello. */
    static final int MOST_STRANGERS = 256;
    private static final long HELLO_NANOS = 10_000_000_000L;
    /**
     * When all places are taken, the oldest stranger is cut if its hello has been awaited for so long. Clients send
     * theirs at once, so they wait no longer for a place: 12,800 connections without a token are cut each second.
     */
    private static final long CROWDED_NANOS = 20_000_000;

    /** A session's secret name, and its public number. */
    private record Place(String name, long number) {}

    private final Map<String, Session> sessions = new HashMap<>();
    private final Map<Session, Place> places = new HashMap<>();
    /** In the order of arrival. */
    private final ArrayDeque<Connection> strangers = new ArrayDeque<>();
    private long opened;
    private long refused;
    private boolean closed;

    /** Waits for a place among the strangers, and takes it. Returns false if the gateway is closed. */
    synchronized boolean arrive(Connection connection) throws InterruptedException {
        while (strangers.size() >= MOST_STRANGERS && !closed) {
            Connection oldest = strangers.peek();
            long left = CROWDED_NANOS - oldest.awaited();
            if (left <= 0) {
                strangers.remove(oldest);
                refused++;
                oldest.cut();
            } else {
                wait(left / 1_000_000 + 1);
            }
        }
        if (!closed) {
            strangers.add(connection);
        }
        return !closed;
    }

    /** A connection has said hello, or is gone. Returns false if it was cut before. */
    synchronized boolean leave(Connection connection) {
        boolean there = strangers.remove(connection);
        notifyAll();
        return there;
    }

    /** Counts a connection that was refused. */
    synchronized void refused() {
        refused++;
    }

    /** Cuts strangers whose time is over; waits until the next one's time is over, at most so long. */
    synchronized void cutStrangers(long mostMillis) {
        long left = mostMillis;
        while (!strangers.isEmpty() && left == mostMillis) {
            long has = HELLO_NANOS - (System.nanoTime() - strangers.peek().since);
            if (has > 0) {
                left = Math.min(mostMillis - 1, has / 1_000_000 + 1);
            } else {
                refused++;
                strangers.remove().cut();
                notifyAll();
            }
        }
        pause(left);
    }

    private void pause(long millis) {
        try {
            if (!closed) {
                wait(millis);
            }
        } catch (InterruptedException error) {
            // Only the end of the gateway interrupts, and the caller checks for that next.
            return;
        }
    }

    /** Returns the sessions that are open; waits until there is one, or the gateway is closed. */
    synchronized List<Session> awaitSessions() {
        while (sessions.isEmpty() && !closed) {
            pause(0);
        }
        return new ArrayList<>(sessions.values());
    }

    /** Adds a session, and returns its name. */
    synchronized byte[] add(Session session) {
        if (closed) {
            throw new SamewireException(Code.CLOSED, -1, null, "the gateway is closed");
        }
        byte[] name = Secrets.random(16);
        String key = Secrets.toHex(name);
        sessions.put(key, session);
        places.put(session, new Place(key, ++opened));
        notifyAll();
        return name;
    }

    /**
     * Returns a session.
     *
     * @throws SamewireException {@code closed} if there is none of that name
     */
    synchronized Session get(byte[] name) {
        Session session = sessions.get(Secrets.toHex(name));
        if (session == null) {
            throw new SamewireException(Code.CLOSED, -1, null, "this gateway has no such session, or no longer");
        }
        return session;
    }

    @Override
    public synchronized void ended(Session session) {
        Place place = places.remove(session);
        if (place != null) {
            sessions.remove(place.name);
        }
    }

    /** Returns the sessions that are open. */
    synchronized List<Session> sessions() {
        return new ArrayList<>(sessions.values());
    }

    /** Returns the sessions that are open, by their numbers in the order in which they were opened. */
    synchronized Map<Long, Session> byNumber() {
        Map<Long, Session> found = new HashMap<>();
        places.forEach((session, place) -> found.put(place.number, session));
        return found;
    }

    synchronized int strangers() {
        return strangers.size();
    }

    synchronized long openedCount() {
        return opened;
    }

    synchronized long refusedCount() {
        return refused;
    }

    /** Ends all sessions, and cuts all strangers. */
    void close() {
        List<Session> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(sessions.values());
            for (Connection stranger : strangers) {
                stranger.cut();
            }
            strangers.clear();
            notifyAll();
        }
        for (Session session : open) {
            session.end(new SamewireException(Code.CLOSED, -1, null, "the gateway is closed"));
        }
    }
}
