package io.samewire.redis.spring;

import static io.samewire.redis.spring.Buffers.arrays;
import static io.samewire.redis.spring.Buffers.key;

import org.reactivestreams.Publisher;
import org.springframework.data.redis.connection.ReactiveClusterHyperLogLogCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection.BooleanResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.NumericResponse;
import reactor.core.publisher.Flux;

/** Reactive commands of HyperLogLogs. */
final class FluxHyperLogLogCommands implements ReactiveClusterHyperLogLogCommands {
    private final ReactiveCalls calls;

    FluxHyperLogLogCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    @Override
    public Flux<NumericResponse<PfAddCommand, Long>> pfAdd(Publisher<PfAddCommand> commands) {
        return calls.each(commands, (to, one) -> new HyperLogLogCommands(to).pfAdd(key(one), arrays(one.getValues())),
            NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<PfCountCommand, Long>> pfCount(Publisher<PfCountCommand> commands) {
        return calls.each(commands, (to, one) -> new HyperLogLogCommands(to).pfCount(arrays(one.getKeys())),
            NumericResponse::new);
    }

    @Override
    public Flux<BooleanResponse<PfMergeCommand>> pfMerge(Publisher<PfMergeCommand> commands) {
        return calls.each(commands, (to, one) -> to.call(Readings.OK, "PFMERGE", key(one),
            arrays(one.getSourceKeys())), BooleanResponse::new);
    }
}
