/** What a gateway and one client have in common: channels, references, classes, sites. */
package io.samewire.bridge.session;
