/**
 * The JVM's side of the bridge ({@code spec/bridge.md}): a {@code Gateway} listens, and Python programs call the
 * objects of this JVM through it.
 */
package io.samewire.bridge;
