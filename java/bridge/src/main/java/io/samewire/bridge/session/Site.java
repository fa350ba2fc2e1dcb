package io.samewire.bridge.session;

import io.samewire.bridge.wire.Definition;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** A site of the client's calls: its definition, and the invocation once it is resolved. */
final class Site {
    final Definition definition;
    /** Null until the definition has been resolved. */
    volatile Invocation invocation;

    Site(Definition definition) {
        this.definition = definition;
    }

    /**
     * Returns the invocation.
     *
     * @throws SamewireException if the definition cannot be resolved; the next call tries again
     */
    Invocation resolve(Session session) {
        Invocation found = invocation;
        if (found == null) {
            // Two threads may both resolve it, with equal results.
            found = session.resolver().resolve(session, definition);
            invocation = found;
        }
        return found;
    }

    /**
     * Returns the invocation of a site that has returned before.
     *
     * @throws SamewireException {@code malformed} if the site has never returned
     */
    Invocation known(long number, int at) {
        Invocation found = invocation;
        if (found == null) {
            throw new SamewireException(Code.MALFORMED, at, null, "no call of site " + number + " has returned");
        }
        return found;
    }
}
