/** Classes that the program's class loader must load, even if another one loads the rest of the gateway. */
package io.samewire.bridge.program;
