package io.samewire.redis.spring;

import static io.samewire.redis.spring.Buffers.arrays;
import static io.samewire.redis.spring.Buffers.bytes;
import static io.samewire.redis.spring.Buffers.key;

import java.nio.ByteBuffer;
import org.reactivestreams.Publisher;
import org.springframework.data.redis.connection.ReactiveClusterSetCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection.BooleanResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.ByteBufferResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.CommandResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyScanCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.MultiValueResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.NumericResponse;
import reactor.core.publisher.Flux;

/** Reactive commands of sets. */
final class FluxSetCommands implements ReactiveClusterSetCommands {
    private final ReactiveCalls calls;

    FluxSetCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    @Override
    public Flux<NumericResponse<SAddCommand, Long>> sAdd(Publisher<SAddCommand> commands) {
        return calls.each(commands, (to, one) -> new SetCommands(to).sAdd(key(one), arrays(one.getValues())),
            NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<SRemCommand, Long>> sRem(Publisher<SRemCommand> commands) {
        return calls.each(commands, (to, one) -> new SetCommands(to).sRem(key(one), arrays(one.getValues())),
            NumericResponse::new);
    }

    @Override
    public Flux<ByteBuffer> sPop(SPopCommand command) {
        return calls.buffers(to -> new SetCommands(to).sPop(key(command), command.getCount()));
    }

    @Override
    public Flux<ByteBufferResponse<KeyCommand>> sPop(Publisher<KeyCommand> keys) {
        return calls.value(keys, (to, one) -> new SetCommands(to).sPop(key(one)));
    }

    @Override
    public Flux<BooleanResponse<SMoveCommand>> sMove(Publisher<SMoveCommand> commands) {
        return calls.each(commands, (to, one) -> new SetCommands(to).sMove(key(one), bytes(one.getDestination()),
            bytes(one.getValue())), BooleanResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> sCard(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new SetCommands(to).sCard(key(one)), NumericResponse::new);
    }

    @Override
    public Flux<BooleanResponse<SIsMemberCommand>> sIsMember(Publisher<SIsMemberCommand> commands) {
        return calls.each(commands, (to, one) -> new SetCommands(to).sIsMember(key(one), bytes(one.getValue())),
            BooleanResponse::new);
    }

    @Override
    public Flux<MultiValueResponse<SMIsMemberCommand, Boolean>> sMIsMember(Publisher<SMIsMemberCommand> commands) {
        return calls.each(commands, (to, one) -> new SetCommands(to).sMIsMember(key(one), arrays(one.getValues())),
            MultiValueResponse::new);
    }

    @Override
    public Flux<CommandResponse<SInterCommand, Flux<ByteBuffer>>> sInter(Publisher<SInterCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> new SetCommands(to).sInter(arrays(one.getKeys())));
    }

    @Override
    public Flux<NumericResponse<SInterStoreCommand, Long>> sInterStore(Publisher<SInterStoreCommand> commands) {
        return calls.each(commands, (to, one) -> new SetCommands(to).sInterStore(key(one), arrays(one.getKeys())),
            NumericResponse::new);
    }

    @Override
    public Flux<CommandResponse<SUnionCommand, Flux<ByteBuffer>>> sUnion(Publisher<SUnionCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> new SetCommands(to).sUnion(arrays(one.getKeys())));
    }

    @Override
    public Flux<NumericResponse<SUnionStoreCommand, Long>> sUnionStore(Publisher<SUnionStoreCommand> commands) {
        return calls.each(commands, (to, one) -> new SetCommands(to).sUnionStore(key(one), arrays(one.getKeys())),
            NumericResponse::new);
    }

    @Override
    public Flux<CommandResponse<SDiffCommand, Flux<ByteBuffer>>> sDiff(Publisher<SDiffCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> new SetCommands(to).sDiff(arrays(one.getKeys())));
    }

    @Override
    public Flux<NumericResponse<SDiffStoreCommand, Long>> sDiffStore(Publisher<SDiffStoreCommand> commands) {
        return calls.each(commands, (to, one) -> new SetCommands(to).sDiffStore(key(one), arrays(one.getKeys())),
            NumericResponse::new);
    }

    @Override
    public Flux<CommandResponse<KeyCommand, Flux<ByteBuffer>>> sMembers(Publisher<KeyCommand> keys) {
        return calls.manyBuffers(keys, (to, one) -> new SetCommands(to).sMembers(key(one)));
    }

    @Override
    public Flux<CommandResponse<KeyCommand, Flux<ByteBuffer>>> sScan(Publisher<KeyScanCommand> commands) {
        return Flux.from(commands).map(one -> new CommandResponse<>(one,
            calls.scan("SSCAN", key(one), one.getOptions(), Readings.BYTES_LIST).map(Buffers::wrap)));
    }

    @Override
    public Flux<CommandResponse<SRandMembersCommand, Flux<ByteBuffer>>> sRandMember(
            Publisher<SRandMembersCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> new SetCommands(to).sRandMember(key(one),
            one.getCount().orElse(1L)));
    }
}
