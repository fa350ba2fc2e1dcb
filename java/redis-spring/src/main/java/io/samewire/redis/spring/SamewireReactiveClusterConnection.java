package io.samewire.redis.spring;

import static io.samewire.redis.spring.ReactiveCalls.waiting;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.data.redis.connection.ClusterInfo;
import org.springframework.data.redis.connection.ReactiveRedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterCommands;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisClusterNode.SlotRange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A reactive connection in Spring's sense of a cluster. Commands of the cluster itself are those of the blocking
 * connection, on a thread that may wait.
 */
final class SamewireReactiveClusterConnection extends SamewireReactiveConnection
        implements ReactiveRedisClusterConnection {
    SamewireReactiveClusterConnection(SamewireConnectionFactory factory) {
        super(factory);
    }

    /** Runs a call of the blocking connection. */
    <T> Mono<T> blocking(Function<SamewireClusterConnection, T> call) {
        return waiting(() -> {
            try (SamewireClusterConnection connection = factory.clusterConnection()) {
                return call.apply(connection);
            }
        });
    }

    private <T> Flux<T> blockingMany(Function<SamewireClusterConnection, ? extends Collection<T>> call) {
        return blocking(call).flatMapIterable(found -> found);
    }

    private Mono<Void> run(Consumer<SamewireClusterConnection> call) {
        return blocking(connection -> {
            call.accept(connection);
            return null;
        });
    }

    /** Returns the calls of one node. */
    ReactiveCalls callsOf(RedisClusterNode node) {
        return new ReactiveCalls(() -> null, () -> {
            try (SamewireClusterConnection connection = factory.clusterConnection()) {
                return connection.callsOf(node).client();
            }
        });
    }

    @Override
    public FluxClusterKeyCommands keyCommands() {
        return new FluxClusterKeyCommands(this);
    }

    @Override
    public FluxClusterServerCommands serverCommands() {
        return new FluxClusterServerCommands(this);
    }

    @Override
    public Mono<String> ping(RedisClusterNode node) {
        return callsOf(node).mono(to -> to.call(Readings.STRING, "PING"));
    }

    // --- the cluster itself

    @Override
    public Flux<RedisClusterNode> clusterGetNodes() {
        return blockingMany(SamewireClusterConnection::clusterGetNodes);
    }

    @Override
    public Flux<RedisClusterNode> clusterGetReplicas(RedisClusterNode primary) {
        return blockingMany(connection -> connection.clusterGetReplicas(primary));
    }

    @Override
    public Mono<Map<RedisClusterNode, Collection<RedisClusterNode>>> clusterGetMasterReplicaMap() {
        return blocking(SamewireClusterConnection::clusterGetMasterReplicaMap);
    }

    @Override
    public Mono<Integer> clusterGetSlotForKey(ByteBuffer key) {
        return blocking(connection -> connection.clusterGetSlotForKey(Buffers.bytes(key)));
    }

    @Override
    public Mono<RedisClusterNode> clusterGetNodeForSlot(int slot) {
        return blocking(connection -> connection.clusterGetNodeForSlot(slot));
    }

    @Override
    public Mono<RedisClusterNode> clusterGetNodeForKey(ByteBuffer key) {
        return blocking(connection -> connection.clusterGetNodeForKey(Buffers.bytes(key)));
    }

    @Override
    public Mono<ClusterInfo> clusterGetClusterInfo() {
        return blocking(SamewireClusterConnection::clusterGetClusterInfo);
    }

    @Override
    public Mono<Void> clusterAddSlots(RedisClusterNode node, int... slots) {
        return run(connection -> connection.clusterAddSlots(node, slots));
    }

    @Override
    public Mono<Void> clusterAddSlots(RedisClusterNode node, SlotRange range) {
        return run(connection -> connection.clusterAddSlots(node, range));
    }

    @Override
    public Mono<Long> clusterCountKeysInSlot(int slot) {
        return blocking(connection -> connection.clusterCountKeysInSlot(slot));
    }

    @Override
    public Mono<Void> clusterDeleteSlots(RedisClusterNode node, int... slots) {
        return run(connection -> connection.clusterDeleteSlots(node, slots));
    }

    @Override
    public Mono<Void> clusterDeleteSlotsInRange(RedisClusterNode node, SlotRange range) {
        return run(connection -> connection.clusterDeleteSlotsInRange(node, range));
    }

    @Override
    public Mono<Void> clusterForget(RedisClusterNode node) {
        return run(connection -> connection.clusterForget(node));
    }

    @Override
    public Mono<Void> clusterMeet(RedisClusterNode node) {
        return run(connection -> connection.clusterMeet(node));
    }

    @Override
    public Mono<Void> clusterSetSlot(RedisClusterNode node, int slot, AddSlots mode) {
        return run(connection -> connection.clusterSetSlot(node, slot,
            RedisClusterCommands.AddSlots.valueOf(mode.name())));
    }

    @Override
    public Flux<ByteBuffer> clusterGetKeysInSlot(int slot, int count) {
        return blocking(connection -> connection.clusterGetKeysInSlot(slot, count)).flatMapIterable(Buffers::wrap);
    }

    @Override
    public Mono<Void> clusterReplicate(RedisClusterNode primary, RedisClusterNode replica) {
        return run(connection -> connection.clusterReplicate(primary, replica));
    }
}
