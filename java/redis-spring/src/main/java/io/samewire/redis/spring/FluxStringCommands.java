package io.samewire.redis.spring;

import static io.samewire.redis.spring.Buffers.arrays;
import static io.samewire.redis.spring.Buffers.bytes;
import static io.samewire.redis.spring.Buffers.key;

import java.nio.ByteBuffer;
import java.util.List;
import org.reactivestreams.Publisher;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.ReactiveClusterStringCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection.BooleanResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.ByteBufferResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.MultiValueResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.NumericResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.RangeCommand;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.core.types.Expiration;
import reactor.core.publisher.Flux;

/** Reactive commands of strings and bitmaps. */
final class FluxStringCommands implements ReactiveClusterStringCommands {
    private final ReactiveCalls calls;

    FluxStringCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    private static Expiration time(SetCommand command) {
        return command.getExpiration().orElse(Expiration.persistent());
    }

    private static Expiration expectTime(SetCommand command) {
        return command.getExpiration().orElseThrow(() ->
            new IllegalArgumentException("expected an expiration, found none: expiring(Expiration) gives it"));
    }

    private static SetOption option(SetCommand command) {
        return command.getOption().orElse(SetOption.UPSERT);
    }

    @Override
    public Flux<BooleanResponse<SetCommand>> set(Publisher<SetCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).set(key(one), bytes(one.getValue()), time(one),
            option(one)), BooleanResponse::new);
    }

    @Override
    public Flux<ByteBufferResponse<SetCommand>> setGet(Publisher<SetCommand> commands) {
        return calls.valueOrAbsent(commands, (to, one) -> new StringCommands(to).setGet(key(one), bytes(one.getValue()),
            time(one), option(one)));
    }

    @Override
    public Flux<ByteBufferResponse<KeyCommand>> get(Publisher<KeyCommand> keys) {
        return calls.valueOrAbsent(keys, (to, one) -> new StringCommands(to).get(key(one)));
    }

    @Override
    public Flux<ByteBufferResponse<KeyCommand>> getDel(Publisher<KeyCommand> keys) {
        return calls.valueOrAbsent(keys, (to, one) -> new StringCommands(to).getDel(key(one)));
    }

    @Override
    public Flux<ByteBufferResponse<GetExCommand>> getEx(Publisher<GetExCommand> commands) {
        return calls.valueOrAbsent(commands, (to, one) -> new StringCommands(to).getEx(key(one), one.getExpiration()));
    }

    @Override
    public Flux<ByteBufferResponse<SetCommand>> getSet(Publisher<SetCommand> commands) {
        return calls.valueOrAbsent(commands, (to, one) -> {
            if (one.getExpiration().isPresent() || one.getOption().isPresent()) {
                throw new IllegalArgumentException("GETSET has no expiration and no option: use setGet");
            }
            return new StringCommands(to).getSet(key(one), bytes(one.getValue()));
        });
    }

    @Override
    public Flux<MultiValueResponse<List<ByteBuffer>, ByteBuffer>> mGet(Publisher<List<ByteBuffer>> keys) {
        return calls.each(keys, (to, some) -> new StringCommands(to).mGet(arrays(some)),
            (some, found) -> new MultiValueResponse<>(some, Buffers.wrap(found)));
    }

    @Override
    public Flux<BooleanResponse<SetCommand>> setNX(Publisher<SetCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).setNX(key(one), bytes(one.getValue())),
            BooleanResponse::new);
    }

    @Override
    public Flux<BooleanResponse<SetCommand>> setEX(Publisher<SetCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).setEx(key(one),
            expectTime(one).getExpirationTimeInSeconds(), bytes(one.getValue())), BooleanResponse::new);
    }

    @Override
    public Flux<BooleanResponse<SetCommand>> pSetEX(Publisher<SetCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).pSetEx(key(one),
            expectTime(one).getExpirationTimeInMilliseconds(), bytes(one.getValue())), BooleanResponse::new);
    }

    @Override
    public Flux<BooleanResponse<MSetCommand>> mSet(Publisher<MSetCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).mSet(arrays(one.getKeyValuePairs())),
            BooleanResponse::new);
    }

    @Override
    public Flux<BooleanResponse<MSetCommand>> mSetNX(Publisher<MSetCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).mSetNX(arrays(one.getKeyValuePairs())),
            BooleanResponse::new);
    }

    @Override
    public Flux<NumericResponse<AppendCommand, Long>> append(Publisher<AppendCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).append(key(one), bytes(one.getValue())),
            NumericResponse::new);
    }

    @Override
    public Flux<ByteBufferResponse<RangeCommand>> getRange(Publisher<RangeCommand> commands) {
        return calls.value(commands, (to, one) -> new StringCommands(to).getRange(key(one),
            Buffers.first(one.getRange()), Buffers.last(one.getRange())));
    }

    @Override
    public Flux<NumericResponse<SetRangeCommand, Long>> setRange(Publisher<SetRangeCommand> commands) {
        return calls.each(commands, (to, one) -> to.call(Readings.LONG, "SETRANGE", key(one), one.getOffset(),
            bytes(one.getValue())), NumericResponse::new);
    }

    @Override
    public Flux<BooleanResponse<GetBitCommand>> getBit(Publisher<GetBitCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).getBit(key(one), one.getOffset()),
            BooleanResponse::new);
    }

    @Override
    public Flux<BooleanResponse<SetBitCommand>> setBit(Publisher<SetBitCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).setBit(key(one), one.getOffset(),
            one.getValue()), BooleanResponse::new);
    }

    @Override
    public Flux<NumericResponse<BitCountCommand, Long>> bitCount(Publisher<BitCountCommand> commands) {
        return calls.each(commands, (to, one) -> {
            Range<Long> range = one.getRange();
            return Range.unbounded().equals(range) ? new StringCommands(to).bitCount(key(one))
                : new StringCommands(to).bitCount(key(one), Buffers.first(range), Buffers.last(range));
        }, NumericResponse::new);
    }

    @Override
    public Flux<MultiValueResponse<BitFieldCommand, Long>> bitField(Publisher<BitFieldCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).bitField(key(one), one.getSubCommands()),
            MultiValueResponse::new);
    }

    @Override
    public Flux<NumericResponse<BitOpCommand, Long>> bitOp(Publisher<BitOpCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).bitOp(one.getBitOp(),
            bytes(one.getDestinationKey()), arrays(one.getKeys())), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<BitPosCommand, Long>> bitPos(Publisher<BitPosCommand> commands) {
        return calls.each(commands, (to, one) -> new StringCommands(to).bitPos(key(one), one.getBit(),
            one.getRange() == null ? Range.unbounded() : one.getRange()), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> strLen(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new StringCommands(to).strLen(key(one)), NumericResponse::new);
    }
}
