package io.samewire.redis.client;

/**
 * The connections of a client's blocking callers.
 *
 * @param connections connections that are there or being made, at most {@link RedisOptions#withConnections}, to each
 *     node of a cluster
 * @param idle connections that are not in use at the moment
 * @param waiting callers that wait for a connection, since all are in use
 * @param opened connections that were made since the client was
 * @param lost connections of these that failed, that the server closed, or that led to a former master
 */
public record PoolStatistics(int connections, int idle, int waiting, long opened, long lost) {
    static final PoolStatistics NONE = new PoolStatistics(0, 0, 0, 0, 0);

    PoolStatistics plus(PoolStatistics other) {
        return new PoolStatistics(connections + other.connections, idle + other.idle, waiting + other.waiting,
            opened + other.opened, lost + other.lost);
    }
}
