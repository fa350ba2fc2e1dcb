package io.samewire.redis.spring;

import static io.samewire.redis.spring.Buffers.arrays;
import static io.samewire.redis.spring.Buffers.bytes;
import static io.samewire.redis.spring.Buffers.key;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.reactivestreams.Publisher;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.ReactiveClusterListCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection.BooleanResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.ByteBufferResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.CommandResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.NumericResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.RangeCommand;
import reactor.core.publisher.Flux;

/** Reactive commands of lists. Those that wait have a connection of their own, as with the asynchronous client. */
final class FluxListCommands implements ReactiveClusterListCommands {
    private final ReactiveCalls calls;

    FluxListCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    @Override
    public Flux<NumericResponse<PushCommand, Long>> push(Publisher<PushCommand> commands) {
        return calls.each(commands, (to, one) -> {
            ListCommands lists = new ListCommands(to);
            byte[][] values = arrays(one.getValues());
            boolean right = one.getDirection() == Direction.RIGHT;
            if (one.getUpsert()) {
                return right ? lists.rPush(key(one), values) : lists.lPush(key(one), values);
            } else if (values.length != 1) {
                throw new InvalidDataAccessApiUsageException("expected one value for " + (right ? "RPUSHX" : "LPUSHX")
                    + ", found " + values.length);
            }
            return right ? lists.rPushX(key(one), values[0]) : lists.lPushX(key(one), values[0]);
        }, NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> lLen(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new ListCommands(to).lLen(key(one)), NumericResponse::new);
    }

    @Override
    public Flux<CommandResponse<RangeCommand, Flux<ByteBuffer>>> lRange(Publisher<RangeCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> new ListCommands(to).lRange(key(one),
            Buffers.first(one.getRange()), Buffers.last(one.getRange())));
    }

    @Override
    public Flux<BooleanResponse<RangeCommand>> lTrim(Publisher<RangeCommand> commands) {
        return calls.each(commands, (to, one) -> to.call(Readings.OK, "LTRIM", key(one), Buffers.first(one.getRange()),
            Buffers.last(one.getRange())), BooleanResponse::new);
    }

    @Override
    public Flux<NumericResponse<LPosCommand, Long>> lPos(Publisher<LPosCommand> commands) {
        return Flux.from(commands).concatMap(one -> calls.flux(to -> new ListCommands(to).lPos(key(one),
            bytes(one.getElement()), one.getRank(), one.getCount())).map(at -> new NumericResponse<>(one, at)));
    }

    @Override
    public Flux<ByteBufferResponse<LIndexCommand>> lIndex(Publisher<LIndexCommand> commands) {
        return calls.value(commands, (to, one) -> new ListCommands(to).lIndex(key(one), one.getIndex()));
    }

    @Override
    public Flux<NumericResponse<LInsertCommand, Long>> lInsert(Publisher<LInsertCommand> commands) {
        return calls.each(commands, (to, one) -> new ListCommands(to).lInsert(key(one), one.getPosition(),
            bytes(one.getPivot()), bytes(one.getValue())), NumericResponse::new);
    }

    @Override
    public Flux<ByteBufferResponse<LMoveCommand>> lMove(Publisher<? extends LMoveCommand> commands) {
        return calls.value(commands, (to, one) -> to.call(Readings.BYTES, "LMOVE", key(one),
            bytes(one.getDestinationKey()), one.getFrom(), one.getTo()));
    }

    @Override
    public Flux<ByteBufferResponse<BLMoveCommand>> bLMove(Publisher<BLMoveCommand> commands) {
        return calls.value(commands, (to, one) -> to.call(Readings.BYTES, "BLMOVE", key(one),
            bytes(one.getDestinationKey()), one.getFrom(), one.getTo(), seconds(one.getTimeout())));
    }

    /** A part of a second must not become 0, which is for ever. */
    private static Object seconds(Duration time) {
        if (time.getNano() == 0) {
            return time.getSeconds();
        }
        return time.toNanos() / 1e9;
    }

    @Override
    public Flux<BooleanResponse<LSetCommand>> lSet(Publisher<LSetCommand> commands) {
        return calls.each(commands, (to, one) -> to.call(Readings.OK, "LSET", key(one), one.getIndex(),
            bytes(one.getValue())), BooleanResponse::new);
    }

    @Override
    public Flux<NumericResponse<LRemCommand, Long>> lRem(Publisher<LRemCommand> commands) {
        return calls.each(commands, (to, one) -> new ListCommands(to).lRem(key(one), one.getCount(),
            bytes(one.getValue())), NumericResponse::new);
    }

    @Override
    public Flux<ByteBufferResponse<PopCommand>> pop(Publisher<PopCommand> commands) {
        return calls.value(commands, (to, one) -> one.getDirection() == Direction.RIGHT
            ? new ListCommands(to).rPop(key(one)) : new ListCommands(to).lPop(key(one)));
    }

    @Override
    public Flux<CommandResponse<PopCommand, Flux<ByteBuffer>>> popList(Publisher<PopCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> one.getDirection() == Direction.RIGHT
            ? new ListCommands(to).rPop(key(one), one.getCount())
            : new ListCommands(to).lPop(key(one), one.getCount()));
    }

    @Override
    public Flux<PopResponse> bPop(Publisher<BPopCommand> commands) {
        return calls.each(commands, (to, one) -> to.call(Readings.BYTES_LIST,
            one.getDirection() == Direction.RIGHT ? "BRPOP" : "BLPOP", arrays(one.getKeys()),
            seconds(one.getTimeout())), (one, found) -> new PopResponse(one, new PopResult(Buffers.wrap(found))));
    }

    @Override
    public Flux<ByteBufferResponse<RPopLPushCommand>> rPopLPush(Publisher<RPopLPushCommand> commands) {
        return calls.value(commands, (to, one) -> new ListCommands(to).rPopLPush(key(one),
            bytes(one.getDestination())));
    }

    @Override
    public Flux<ByteBufferResponse<BRPopLPushCommand>> bRPopLPush(Publisher<BRPopLPushCommand> commands) {
        return calls.value(commands, (to, one) -> to.call(Readings.BYTES, "BRPOPLPUSH", key(one),
            bytes(one.getDestination()), seconds(one.getTimeout())));
    }
}
