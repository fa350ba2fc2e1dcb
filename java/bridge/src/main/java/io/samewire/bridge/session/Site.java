package io.samewire.bridge.session;

import io.samewire.bridge.wire.Definition;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** A place from which the client calls: its definition, and what to call once that is known. */
final class Site {
    final Definition definition;
    /** Null until the definition has been resolved. */
    volatile Invocation invocation;

    Site(Definition definition) {
        this.definition = definition;
    }

    /**
     * Returns what to call.
     *
     * @throws SamewireException if the definition cannot be resolved; the next call tries again
     */
    Invocation resolve(Session session) {
        Invocation found = invocation;
        if (found == null) {
            // Two threads may both do it: what they find is alike.
            found = session.resolver().resolve(session, definition);
            invocation = found;
        }
        return found;
    }

    /**
     * Returns what to call at a site that the client has seen return.
     *
     * @throws SamewireException {@code malformed} if it has not
     */
    Invocation known(long number, int at) {
        Invocation found = invocation;
        if (found == null) {
            throw new SamewireException(Code.MALFORMED, at, null, "no call of site " + number + " has returned");
        }
        return found;
    }
}
