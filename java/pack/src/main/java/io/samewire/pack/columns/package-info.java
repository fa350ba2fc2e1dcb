/**
 * The columns of a table: what {@link io.samewire.pack.Decoder#columns(byte[])} returns ({@code spec/tables.md} section
 * 6).
 */
package io.samewire.pack.columns;
