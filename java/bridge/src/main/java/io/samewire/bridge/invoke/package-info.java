/**
 * From the definition of a site to the method that is called, and from values of kinds to those of Java ({@code
 * spec/bridge.md} section 5).
 */
package io.samewire.bridge.invoke;
