package io.samewire.redis.client;

/**
 * Counts of a client's cache since it was made; of a cluster's client, of the caches of all nodes together.
 *
 * @param hits lookups that found a reply
 * @param misses lookups that did not
 * @param late replies that were not kept, since their keys were changed before they came
 * @param evicted entries dropped for want of room
 * @param invalidated entries dropped because a key was changed
 * @param flushes how often everything was dropped
 * @param entries entries that are there
 * @param bytes bytes of requests and replies that are there
 */
public record CacheStatistics(long hits, long misses, long late, long evicted, long invalidated, long flushes,
        int entries, long bytes) {
    static final CacheStatistics NONE = new CacheStatistics(0, 0, 0, 0, 0, 0, 0, 0);

    /** Returns the counts of two caches together. */
    CacheStatistics plus(CacheStatistics other) {
        return new CacheStatistics(hits + other.hits, misses + other.misses, late + other.late,
            evicted + other.evicted, invalidated + other.invalidated, flushes + other.flushes,
            entries + other.entries, bytes + other.bytes);
    }
}
