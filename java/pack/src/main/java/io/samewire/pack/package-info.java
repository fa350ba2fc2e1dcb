/**
 * Typed values and compact bytes, the same in every language.
 *
 * <pre>{@code
 * record Book(String id, String name, String author, int year) {}
 * Codec<List<Book>> codec = Pack.codec(new TypeRef<List<Book>>() {});
 * byte[] data = codec.encode(books);
 * List<Book> back = codec.decode(data);
 * }</pre>
 *
 * <p>The jar is the module {@code io.samewire.pack}. A named module requires it with {@code requires
 * io.samewire.pack;}, and opens a package whose records are not public and exported with {@code opens shop.model to
 * io.samewire.pack;}. Errors, limits and frames are in {@link io.samewire.core}.
 */
package io.samewire.pack;
