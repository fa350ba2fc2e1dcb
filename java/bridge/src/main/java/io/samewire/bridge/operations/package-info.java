/** Operations for proxies of Java's containers and objects beside calls ({@code spec/bridge.md} section 5.3). */
package io.samewire.bridge.operations;
