package io.samewire.bridge.session;

/** A pair of streams of messages, on which one thread works at a time. */
public abstract class Channel {
    private static final ThreadLocal<Channel> CURRENT = new ThreadLocal<>();

    private final Session session;

    Channel(Session session) {
        this.session = session;
    }

    /** Returns the channel whose call this thread runs, or null if it runs none. */
    public static Channel current() {
        return CURRENT.get();
    }

    static Channel current(Session session) {
        Channel channel = CURRENT.get();
        return channel != null && channel.session == session ? channel : null;
    }

    /** Returns the session. */
    public Session session() {
        return session;
    }

    /** Returns whether the call that runs is one of a batch. */
    public abstract boolean batching();

    /** Keeps what a call of a batch returned, for later calls of it. */
    public abstract void keep(Object result);

    /**
     * Returns what an earlier call of the batch returned.
     *
     * @throws Thrown what that call threw
     * @throws io.samewire.core.SamewireException {@code malformed} if there is no such call
     */
    public abstract Object result(long index) throws Thrown;

    /** Calls a method of an object of the client's, on this channel. */
    abstract Object callPeer(PeerMethod method, PeerObject receiver, Object[] arguments) throws Throwable;
}
