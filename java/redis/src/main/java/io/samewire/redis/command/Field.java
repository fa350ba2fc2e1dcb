package io.samewire.redis.command;

/**
 * A field of a hash and its value.
 *
 * @param name the field
 * @param value its value
 */
public record Field<K, V>(K name, V value) { }
