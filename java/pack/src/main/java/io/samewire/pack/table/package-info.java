/** Reads messages as columns: what is behind {@link io.samewire.pack.Decoder#columns(byte[])}. */
package io.samewire.pack.table;
