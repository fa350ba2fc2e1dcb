/**
 * Bytes of the bridge: values, kinds, definitions of sites ({@code spec/bridge.md} sections 2 to 5). It knows neither
 * sessions nor references.
 */
package io.samewire.bridge.wire;
