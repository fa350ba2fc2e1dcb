/**
 * What generated code calls: the bytes of a message, read and written. Public because generated code lives in the
 * packages of the types that it serves; not meant to be called by hand, and free to change with any version.
 */
package io.samewire.pack.wire;
