package io.samewire.bridge.session;

import io.samewire.bridge.wire.Kind;

/** A site of calls to the client. */
final class PeerSite {
    final Session session;
    /** The site's number; 0 if the client does not keep it. */
    final int number;
    /** The kind of the result; null until the client has replied to a first call. */
    volatile Kind result;

    PeerSite(Session session, int number) {
        this.session = session;
        this.number = number;
    }
}
