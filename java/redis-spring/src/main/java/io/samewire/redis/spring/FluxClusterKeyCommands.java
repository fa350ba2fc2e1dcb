package io.samewire.redis.spring;

import static io.samewire.redis.spring.Buffers.bytes;

import java.nio.ByteBuffer;
import java.util.List;
import org.springframework.data.redis.connection.ReactiveClusterKeyCommands;
import org.springframework.data.redis.connection.RedisClusterNode;
import reactor.core.publisher.Mono;

/** Reactive commands of keys in a cluster, of all its nodes or of one. */
final class FluxClusterKeyCommands extends FluxKeyCommands implements ReactiveClusterKeyCommands {
    private final SamewireReactiveClusterConnection connection;

    FluxClusterKeyCommands(SamewireReactiveClusterConnection connection) {
        super(connection.calls);
        this.connection = connection;
    }

    @Override
    public Mono<List<ByteBuffer>> keys(RedisClusterNode node, ByteBuffer pattern) {
        return connection.callsOf(node).mono(to -> new KeyCommands(to).keys(bytes(pattern))).map(Buffers::wrap);
    }

    @Override
    public Mono<ByteBuffer> randomKey(RedisClusterNode node) {
        return connection.callsOf(node).mono(to -> new KeyCommands(to).randomKey()).map(Buffers::wrap);
    }
}
