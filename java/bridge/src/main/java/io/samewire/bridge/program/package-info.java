/** What has to be a class of the program's class loader, wherever the rest of the gateway is loaded. */
package io.samewire.bridge.program;
