package io.samewire.bridge.session;

/**
 * A client's object, held by its proxies. While one is alive, all references to the object are the same {@code
 * PeerObject}; when it is collected, the client gets its release.
 */
public final class PeerObject {
    private final Session session;
    private final long number;
    /** The proxies that implement interfaces by this object; they live as long. */
    private volatile Object implementations;

    PeerObject(Session session, long number) {
        this.session = session;
        this.number = number;
    }

    /** Returns the session in which the object has its number. */
    public Session session() {
        return session;
    }

    /** Returns the object's number. */
    public long number() {
        return number;
    }

    /** Returns the value of {@link #implementations(Object)}, or null. */
    public Object implementations() {
        return implementations;
    }

    /** Stores the proxies that implement interfaces by this object. Called under its lock. */
    public void implementations(Object made) {
        implementations = made;
    }

    /** A wrapper of a client's object: passed to that client, it is that object again. */
    public interface Holder {
        /** Returns the object. */
        PeerObject peerObject();
    }
}
