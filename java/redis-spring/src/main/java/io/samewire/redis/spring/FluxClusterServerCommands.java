package io.samewire.redis.spring;

import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.data.redis.connection.ReactiveClusterServerCommands;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisServerCommands.FlushOption;
import org.springframework.data.redis.core.types.RedisClientInfo;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reactive commands of the servers of a cluster: of one node, or of all that are up. What all nodes reply is put
 * together as by the blocking connection, on a thread that may wait.
 */
final class FluxClusterServerCommands extends FluxServerCommands implements ReactiveClusterServerCommands {
    private final SamewireReactiveClusterConnection connection;

    FluxClusterServerCommands(SamewireReactiveClusterConnection connection) {
        super(connection.calls);
        this.connection = connection;
    }

    private FluxServerCommands of(RedisClusterNode node) {
        return new FluxServerCommands(connection.callsOf(node));
    }

    private <T> Mono<T> all(Function<ClusterServerCommands, T> call) {
        return connection.blocking(to -> call.apply(new ClusterServerCommands(to)));
    }

    private Mono<String> run(Consumer<ClusterServerCommands> call) {
        return all(servers -> {
            call.accept(servers);
            return "OK";
        });
    }

    // --- all

    @Override
    public Mono<String> bgReWriteAof() {
        return run(ClusterServerCommands::bgReWriteAof);
    }

    @Override
    public Mono<String> bgSave() {
        return run(ClusterServerCommands::bgSave);
    }

    @Override
    public Mono<Long> lastSave() {
        return all(ClusterServerCommands::lastSave).map(TimeUnit.SECONDS::toMillis);
    }

    @Override
    public Mono<String> save() {
        return run(ClusterServerCommands::save);
    }

    @Override
    public Mono<Properties> info() {
        return all(ClusterServerCommands::info);
    }

    @Override
    public Mono<Properties> info(String section) {
        return all(servers -> servers.info(section));
    }

    @Override
    public Mono<Properties> getConfig(String pattern) {
        return all(servers -> servers.getConfig(pattern));
    }

    @Override
    public Mono<String> setConfig(String name, String value) {
        return run(servers -> servers.setConfig(name, value));
    }

    @Override
    public Mono<String> resetConfigStats() {
        return run(ClusterServerCommands::resetConfigStats);
    }

    @Override
    public Flux<RedisClientInfo> getClientList() {
        return all(ClusterServerCommands::getClientList).flatMapIterable(found -> found);
    }

    // --- one node

    @Override
    public Mono<String> bgReWriteAof(RedisClusterNode node) {
        return of(node).bgReWriteAof();
    }

    @Override
    public Mono<String> bgSave(RedisClusterNode node) {
        return of(node).bgSave();
    }

    @Override
    public Mono<Long> lastSave(RedisClusterNode node) {
        return of(node).lastSave();
    }

    @Override
    public Mono<String> save(RedisClusterNode node) {
        return of(node).save();
    }

    @Override
    public Mono<Long> dbSize(RedisClusterNode node) {
        return of(node).dbSize();
    }

    @Override
    public Mono<String> flushDb(RedisClusterNode node) {
        return of(node).flushDb();
    }

    @Override
    public Mono<String> flushDb(RedisClusterNode node, FlushOption option) {
        return of(node).flushDb(option);
    }

    @Override
    public Mono<String> flushAll(RedisClusterNode node) {
        return of(node).flushAll();
    }

    @Override
    public Mono<String> flushAll(RedisClusterNode node, FlushOption option) {
        return of(node).flushAll(option);
    }

    @Override
    public Mono<Properties> info(RedisClusterNode node) {
        return of(node).info();
    }

    @Override
    public Mono<Properties> info(RedisClusterNode node, String section) {
        return of(node).info(section);
    }

    @Override
    public Mono<Properties> getConfig(RedisClusterNode node, String pattern) {
        return of(node).getConfig(pattern);
    }

    @Override
    public Mono<String> setConfig(RedisClusterNode node, String name, String value) {
        return of(node).setConfig(name, value);
    }

    @Override
    public Mono<String> resetConfigStats(RedisClusterNode node) {
        return of(node).resetConfigStats();
    }

    @Override
    public Mono<Long> time(RedisClusterNode node) {
        return of(node).time(TimeUnit.MILLISECONDS);
    }

    @Override
    public Flux<RedisClientInfo> getClientList(RedisClusterNode node) {
        return of(node).getClientList();
    }
}
