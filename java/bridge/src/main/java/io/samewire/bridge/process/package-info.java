/**
 * The transport within one process ({@code spec/bridge.md} section 13): a JVM that was loaded into the client's
 * process, where a message is passed by one native call.
 */
package io.samewire.bridge.process;
