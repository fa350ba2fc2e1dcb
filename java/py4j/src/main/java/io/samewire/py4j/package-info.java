/** What stands behind the package {@code py4j}: its text protocol, and the offer of the bridge's own. */
package io.samewire.py4j;
