package io.samewire.bridge.session;

import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;

/**
 * Calls a method of an interface at a peer: one object for each method and kinds of arguments, used by all threads.
 */
public abstract class PeerMethod {
    private final Definition definition;
    /** The site in the last session that used this. */
    private volatile PeerSite site;

    /** Creates a method; the receiver is the first of the definition's arguments. */
    protected PeerMethod(Definition definition) {
        this.definition = definition;
    }

    /** Returns the definition of its site. */
    public final Definition definition() {
        return definition;
    }

    /** Writes the receiver and the arguments, each of its kind. */
    protected abstract void write(Channel channel, PeerObject receiver, Object[] arguments, Output out);

    /** Reads the result, in the kind that the peer declared at the first call. */
    protected abstract Object read(Channel channel, Kind kind, Input in);

    final PeerSite site(Session session) {
        PeerSite found = site;
        if (found == null || found.session != session) {
            found = session.peerSites().of(definition);
            site = found;
        }
        return found;
    }
}
