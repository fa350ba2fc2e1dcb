package io.samewire.redis.spring;

import static io.samewire.redis.spring.Buffers.bytes;
import static io.samewire.redis.spring.Buffers.key;

import org.reactivestreams.Publisher;
import org.springframework.data.redis.connection.ReactiveClusterNumberCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.NumericResponse;
import org.springframework.util.NumberUtils;
import reactor.core.publisher.Flux;

/** Reactive commands of numbers. Results have the type of what was added. */
final class FluxNumberCommands implements ReactiveClusterNumberCommands {
    private final ReactiveCalls calls;

    FluxNumberCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> incr(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new StringCommands(to).incr(key(one)), NumericResponse::new);
    }

    @Override
    public <T extends Number> Flux<NumericResponse<IncrByCommand<T>, T>> incrBy(Publisher<IncrByCommand<T>> commands) {
        return calls.<IncrByCommand<T>, Number, NumericResponse<IncrByCommand<T>, T>>each(commands, (to, one) -> {
            if (isReal(one.getValue())) {
                return new StringCommands(to).incrBy(key(one), one.getValue().doubleValue());
            }
            return new StringCommands(to).incrBy(key(one), one.getValue().longValue());
        }, (one, reply) -> new NumericResponse<>(one, like(one.getValue(), reply)));
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> decr(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new StringCommands(to).decr(key(one)), NumericResponse::new);
    }

    @Override
    public <T extends Number> Flux<NumericResponse<DecrByCommand<T>, T>> decrBy(Publisher<DecrByCommand<T>> commands) {
        return calls.<DecrByCommand<T>, Number, NumericResponse<DecrByCommand<T>, T>>each(commands, (to, one) -> {
            if (isReal(one.getValue())) {
                return new StringCommands(to).incrBy(key(one), -one.getValue().doubleValue());
            }
            return new StringCommands(to).decrBy(key(one), one.getValue().longValue());
        }, (one, reply) -> new NumericResponse<>(one, like(one.getValue(), reply)));
    }

    @Override
    public <T extends Number> Flux<NumericResponse<HIncrByCommand<T>, T>> hIncrBy(
            Publisher<HIncrByCommand<T>> commands) {
        return calls.<HIncrByCommand<T>, Number, NumericResponse<HIncrByCommand<T>, T>>each(commands, (to, one) -> {
            if (isReal(one.getValue())) {
                return new HashCommands(to).hIncrBy(key(one), bytes(one.getField()), one.getValue().doubleValue());
            }
            return new HashCommands(to).hIncrBy(key(one), bytes(one.getField()), one.getValue().longValue());
        }, (one, reply) -> new NumericResponse<>(one, like(one.getValue(), reply)));
    }

    private static boolean isReal(Number by) {
        if (by == null) {
            throw new IllegalArgumentException("expected a number to add, found null");
        }
        return by instanceof Double || by instanceof Float;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Number> T like(T by, Number reply) {
        return NumberUtils.convertNumberToTargetClass(reply, (Class<T>) by.getClass());
    }
}
