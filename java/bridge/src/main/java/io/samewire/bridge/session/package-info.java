/** The session of a gateway with one client: channels, references, classes, sites. */
package io.samewire.bridge.session;
