/** {@link io.samewire.pack.arrow.ArrowTable}: the columns of a message as a table of Arrow. */
package io.samewire.pack.arrow;
