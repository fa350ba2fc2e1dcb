/** The transports of a channel's messages ({@code spec/bridge.md} section 2). */
package io.samewire.bridge.transport;
