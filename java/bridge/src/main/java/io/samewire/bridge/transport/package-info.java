/** What carries the messages of a channel ({@code spec/bridge.md} section 2). */
package io.samewire.bridge.transport;
