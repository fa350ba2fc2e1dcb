package io.samewire.redis.command;

/**
 * The rank and the score of a member of a sorted set.
 *
 * @param rank its index in the order of the scores, from 0
 * @param score its score
 */
public record RankedScore(long rank, double score) { }
