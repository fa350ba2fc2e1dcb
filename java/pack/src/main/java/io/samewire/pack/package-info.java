/**
 * Typed values and compact bytes, the same in every language.
 *
 * <pre>{@code
 * record Book(String id, String name, String author, int year) {}
 * Codec<List<Book>> codec = Pack.codec(new TypeRef<List<Book>>() {});
 * byte[] data = codec.encode(books);
 * List<Book> back = codec.decode(data);
 * }</pre>
 */
package io.samewire.pack;
