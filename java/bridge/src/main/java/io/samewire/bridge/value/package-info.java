/**
 * Values of kinds as values of Java, and back ({@code spec/bridge.md} section 4): scalars, containers, records by pack,
 * and objects of the peer as implementations of interfaces.
 */
package io.samewire.bridge.value;
