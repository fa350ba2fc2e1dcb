/** From native types to shapes, and from shapes to generated code. */
package io.samewire.pack.bind;
