/** What proxies of Java's containers and objects need beyond calls ({@code spec/bridge.md} section 5.3). */
package io.samewire.bridge.operations;
