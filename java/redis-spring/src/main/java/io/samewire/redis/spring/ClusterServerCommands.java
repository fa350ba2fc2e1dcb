package io.samewire.redis.spring;

import io.samewire.redis.command.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisClusterServerCommands;
import org.springframework.data.redis.core.types.RedisClientInfo;

/**
 * Commands of the servers of a cluster: of one node, or of all that are up, as {@link Command}'s policies do not put
 * together what these reply.
 */
final class ClusterServerCommands extends ServerCommands implements RedisClusterServerCommands {
    private final SamewireClusterConnection connection;

    ClusterServerCommands(SamewireClusterConnection connection) {
        super(connection.calls);
        this.connection = connection;
    }

    private ServerCommands of(RedisClusterNode node) {
        return new ServerCommands(connection.callsOf(node));
    }

    private void each(Consumer<ServerCommands> use) {
        connection.active().forEach(node -> use.accept(of(node)));
    }

    /** The properties of all nodes, each with its node before its name, as Spring's other clients have them. */
    private Properties together(BiConsumer<ServerCommands, Consumer<Properties>> use) {
        Properties all = new Properties();
        for (RedisClusterNode node : connection.active()) {
            use.accept(of(node), found -> found.forEach((name, value) -> all.put(node.asString() + "." + name, value)));
        }
        return all;
    }

    // --- all

    @Override
    public void bgReWriteAof() {
        each(ServerCommands::bgReWriteAof);
    }

    @Override
    public void bgSave() {
        each(ServerCommands::bgSave);
    }

    /** Returns when the node was saved that was saved longest ago. */
    @Override
    public Long lastSave() {
        return connection.active().stream().map(node -> of(node).lastSave()).min(Long::compare).orElse(null);
    }

    @Override
    public void save() {
        each(ServerCommands::save);
    }

    @Override
    public void shutdown() {
        each(ServerCommands::shutdown);
    }

    @Override
    public void shutdown(ShutdownOption option) {
        each(one -> one.shutdown(option));
    }

    @Override
    public Properties info() {
        return together((one, to) -> to.accept(one.info()));
    }

    @Override
    public Properties info(String section) {
        return together((one, to) -> to.accept(one.info(section)));
    }

    @Override
    public Properties getConfig(String pattern) {
        return together((one, to) -> to.accept(one.getConfig(pattern)));
    }

    @Override
    public void setConfig(String name, String value) {
        each(one -> one.setConfig(name, value));
    }

    @Override
    public void resetConfigStats() {
        each(ServerCommands::resetConfigStats);
    }

    @Override
    public void rewriteConfig() {
        each(ServerCommands::rewriteConfig);
    }

    @Override
    public List<RedisClientInfo> getClientList() {
        List<RedisClientInfo> all = new ArrayList<>();
        each(one -> all.addAll(one.getClientList()));
        return all;
    }

    @Override
    public void replicaOf(String host, int port) {
        throw new UnsupportedOperationException("REPLICAOF in a cluster: use clusterReplicate(primary, replica)");
    }

    @Override
    public void replicaOfNoOne() {
        throw new UnsupportedOperationException("REPLICAOF in a cluster: use clusterReplicate(primary, replica)");
    }

    // --- one node

    @Override
    public void bgReWriteAof(RedisClusterNode node) {
        of(node).bgReWriteAof();
    }

    @Override
    public void bgSave(RedisClusterNode node) {
        of(node).bgSave();
    }

    @Override
    public Long lastSave(RedisClusterNode node) {
        return of(node).lastSave();
    }

    @Override
    public void save(RedisClusterNode node) {
        of(node).save();
    }

    @Override
    public Long dbSize(RedisClusterNode node) {
        return of(node).dbSize();
    }

    @Override
    public void flushDb(RedisClusterNode node) {
        of(node).flushDb();
    }

    @Override
    public void flushDb(RedisClusterNode node, FlushOption option) {
        of(node).flushDb(option);
    }

    @Override
    public void flushAll(RedisClusterNode node) {
        of(node).flushAll();
    }

    @Override
    public void flushAll(RedisClusterNode node, FlushOption option) {
        of(node).flushAll(option);
    }

    @Override
    public Properties info(RedisClusterNode node) {
        return of(node).info();
    }

    @Override
    public Properties info(RedisClusterNode node, String section) {
        return of(node).info(section);
    }

    @Override
    public void shutdown(RedisClusterNode node) {
        of(node).shutdown();
    }

    @Override
    public Properties getConfig(RedisClusterNode node, String pattern) {
        return of(node).getConfig(pattern);
    }

    @Override
    public void setConfig(RedisClusterNode node, String name, String value) {
        of(node).setConfig(name, value);
    }

    @Override
    public void resetConfigStats(RedisClusterNode node) {
        of(node).resetConfigStats();
    }

    @Override
    public void rewriteConfig(RedisClusterNode node) {
        of(node).rewriteConfig();
    }

    @Override
    public Long time(RedisClusterNode node, TimeUnit unit) {
        return of(node).time(unit);
    }

    @Override
    public List<RedisClientInfo> getClientList(RedisClusterNode node) {
        return of(node).getClientList();
    }
}
