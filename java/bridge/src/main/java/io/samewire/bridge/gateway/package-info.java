/**
 * Connecting clients: their authentication, and the sessions that they open ({@code spec/bridge.md} sections 3 and 14).
 */
package io.samewire.bridge.gateway;
