/** From native types to types, and from types to generated code. */
package io.samewire.pack.bind;
