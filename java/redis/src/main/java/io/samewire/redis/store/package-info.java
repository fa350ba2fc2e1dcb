/**
 * Typed values: values of {@code pack} with the digest of their schema, as strings, in hashes, lists and streams, and
 * as messages ({@code spec/redis.md}, section 7). Each language reads what any other wrote.
 *
 * <p>{@link io.samewire.redis.store.TypedValues} makes them all; {@code client.store(Book.class, "book:")} is the short
 * way to a {@link io.samewire.redis.store.Store}.
 */
package io.samewire.redis.store;
