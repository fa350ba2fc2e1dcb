/**
 * Schema text: its types, reader, canonical writer, digest and the resolution of two schemas ({@code spec/pack.md}
 * sections 2, 3, 13).
 */
package io.samewire.pack.schema;
