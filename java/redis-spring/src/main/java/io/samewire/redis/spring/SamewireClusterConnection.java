package io.samewire.redis.spring;

import io.samewire.redis.client.RedisCluster;
import java.util.Set;
import org.springframework.data.redis.connection.RedisClusterCommands;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisClusterServerCommands;
import org.springframework.data.redis.connection.RedisKeyCommands;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

/** A connection in Spring's sense of a cluster. */
final class SamewireClusterConnection extends ClusterCommands implements RedisClusterConnection {
    private final RedisCluster cluster;

    SamewireClusterConnection(SamewireConnectionFactory factory, RedisCluster cluster) {
        super(factory, cluster);
        this.cluster = cluster;
    }

    @Override
    public RedisClusterCommands clusterCommands() {
        return this;
    }

    @Override
    public RedisClusterServerCommands serverCommands() {
        return new ClusterServerCommands(this);
    }

    @Override
    public RedisKeyCommands keyCommands() {
        return new ClusterKeyCommands(calls, cluster);
    }

    // --- one node

    @Override
    public String ping(RedisClusterNode node) {
        return callsOf(node).call(Readings.STRING, "PING");
    }

    @Override
    public Set<byte[]> keys(RedisClusterNode node, byte[] pattern) {
        return new KeyCommands(callsOf(node)).keys(pattern);
    }

    @Override
    public Cursor<byte[]> scan(RedisClusterNode node, ScanOptions options) {
        return new KeyCommands(callsOf(node)).scan(options);
    }

    @Override
    public byte[] randomKey(RedisClusterNode node) {
        return new KeyCommands(callsOf(node)).randomKey();
    }

    @Override
    public RedisSentinelConnection getSentinelConnection() {
        throw new UnsupportedOperationException("a cluster has no sentinels: clusterGetNodes() tells its nodes");
    }
}
