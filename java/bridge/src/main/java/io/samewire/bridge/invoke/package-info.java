/**
 * Resolves definitions of sites to methods, and converts values to arguments of methods ({@code spec/bridge.md} section
 * 5).
 */
package io.samewire.bridge.invoke;
