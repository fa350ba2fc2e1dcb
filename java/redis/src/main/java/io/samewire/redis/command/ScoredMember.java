package io.samewire.redis.command;

/**
 * A member of a sorted set and its score.
 *
 * @param member the member
 * @param score its score; may be infinite
 */
public record ScoredMember<V>(V member, double score) { }
