package io.samewire.bridge.session;

import io.samewire.bridge.wire.Definition;

/** Finds what the definition of a site means. */
public interface Resolver {
    /**
     * Returns what to call.
     *
     * @throws io.samewire.core.SamewireException {@code misuse}, {@code type_mismatch} or {@code unsupported}, without
     *     an offset, if there is nothing to call
     */
    Invocation resolve(Session session, Definition definition);
}
