package io.samewire.redis.client;

/** What a node does in its shard of a cluster. */
public enum NodeRole {
    /** It takes writes. */
    PRIMARY,
    /** It follows a primary. */
    REPLICA
}
