package io.samewire.redis.client;

/** Which node of a shard runs commands that only read. Replicas may be behind what was acknowledged. */
public enum ReadFrom {
    /** The primary, as for all other commands. */
    PRIMARY,
    /** The primary and its replicas in turn. */
    ANY,
    /** The replicas in turn; the primary if there are none. */
    REPLICAS
}
