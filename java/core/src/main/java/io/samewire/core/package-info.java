/**
 * What every part of Samewire shares, and knows none of them: error codes and the exception that carries them, limits,
 * frames of a stream, and paths into a value.
 *
 * <p>The jar is the module {@code io.samewire.core}. The modules of the parts require it transitively.
 */
package io.samewire.core;
