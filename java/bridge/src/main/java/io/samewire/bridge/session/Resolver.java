package io.samewire.bridge.session;

import io.samewire.bridge.wire.Definition;

/** Resolves the definition of a site to the member to call. */
public interface Resolver {
    /**
     * Returns the invocation of the member.
     *
     * @throws io.samewire.core.SamewireException {@code misuse}, {@code type_mismatch} or {@code unsupported}, without
     *     an offset, if there is nothing to call
     */
    Invocation resolve(Session session, Definition definition);
}
