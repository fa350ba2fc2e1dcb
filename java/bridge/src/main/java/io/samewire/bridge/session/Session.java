package io.samewire.bridge.session;

import io.samewire.bridge.Policy;
import io.samewire.bridge.invoke.Resolver;
import io.samewire.core.Limits;
import java.util.Map;

/** What a gateway and one client have in common. Thread-safe. */
public final class Session {
    private final Resolver resolver;
    private final Policy policy;
    private final Limits limits;
    private final Map<String, Class<?>> records;
    private final Map<String, Long> peerRecords;
    private final References references = new References(this);
    private final Classes classes;

    /**
     * Creates a session.
     *
     * @param records the gateway's records, by the names under which both sides know them
     * @param peerRecords the digests of the client's, by name, as {@code Long}s of their 8 bytes, the first the highest
     */
    public Session(Resolver resolver, Policy policy, Limits limits, Map<String, Class<?>> records,
        Map<String, Long> peerRecords) {
        this.resolver = resolver;
        this.policy = policy;
        this.limits = limits;
        this.records = records;
        this.peerRecords = peerRecords;
        this.classes = new Classes(policy);
    }

    /** Returns what finds the meaning of sites. */
    public Resolver resolver() {
        return resolver;
    }

    /** Returns what the client may reach. */
    public Policy policy() {
        return policy;
    }

    /** Returns the limits of messages. */
    public Limits limits() {
        return limits;
    }

    /** Returns the gateway's records by name. */
    public Map<String, Class<?>> records() {
        return records;
    }

    /** Returns the digests of the client's records by name. */
    public Map<String, Long> peerRecords() {
        return peerRecords;
    }

    /** Returns the references. */
    public References references() {
        return references;
    }

    /** Returns the numbers of classes. */
    public Classes classes() {
        return classes;
    }

    /**
     * Calls a method of an object of the client's: on this thread's channel if it runs a call of this client, else on a
     * callback channel.
     *
     * @throws io.samewire.bridge.PythonException what Python raised
     * @throws io.samewire.core.SamewireException {@code closed} if the client is gone
     * @throws Throwable an exception of Java's that comes home
     */
    public Object callPeer(PeerMethod method, PeerObject receiver, Object[] arguments) throws Throwable {
        return Channel.current(this).callPeer(method, receiver, arguments);
    }
}
