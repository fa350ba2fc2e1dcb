/** Shared memory as a transport ({@code spec/bridge.md} section 12), and how a side of it waits. */
package io.samewire.bridge.ring;
