package io.samewire.bridge.session;

/**
 * An object of the client's, as long as something here needs it: proxies of it hold this. All references to one object
 * that are alive at the same time are the same {@code PeerObject}; when it is collected, the client gets its release.
 */
public final class PeerObject {
    private final Session session;
    private final long number;
    /** What implements interfaces by this object; it lives as long. */
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

    /** Returns what was kept by {@link #implementations(Object)}, or null. */
    public Object implementations() {
        return implementations;
    }

    /** Keeps what implements interfaces by this object, under its lock. */
    public void implementations(Object made) {
        implementations = made;
    }

    /** What stands for an object of the client's: passed to that client, it is that object again. */
    public interface Holder {
        /** Returns the object. */
        PeerObject peerObject();
    }
}
