package io.samewire.bridge.session;

/**
 * A result that crosses as an object of this JVM, even if it wraps a client's object, which would otherwise cross as
 * the client's own.
 */
public record ByReference(Object object) {}
