package io.samewire.redis.command;

/**
 * A range with both of its ends: of slots, of indices, of positions in a text.
 *
 * @param first the first
 * @param last the last, which belongs to it
 */
public record IndexRange(long first, long last) { }
