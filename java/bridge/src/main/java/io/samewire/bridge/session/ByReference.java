package io.samewire.bridge.session;

/**
 * A result that crosses as an object of this JVM's, also where it stands for one of the client's, and would be that one
 * again.
 */
public record ByReference(Object object) {}
