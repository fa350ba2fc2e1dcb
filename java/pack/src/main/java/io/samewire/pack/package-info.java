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
 * <p>The jar is the module {@code io.samewire.pack}. A named module that uses it says {@code requires
 * io.samewire.pack;}, and {@code opens shop.model to io.samewire.pack;} for a package whose records are not public and
 * exported.
 */
package io.samewire.pack;
