package io.samewire.redis.spring;

import static io.samewire.redis.spring.Arguments.when;
import static io.samewire.redis.spring.Buffers.arrays;
import static io.samewire.redis.spring.Buffers.bytes;
import static io.samewire.redis.spring.Buffers.key;

import java.util.List;
import org.reactivestreams.Publisher;
import org.springframework.data.redis.connection.ReactiveClusterStreamCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection.CommandResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.NumericResponse;
import org.springframework.data.redis.connection.RedisStreamCommands.XPendingOptions;
import org.springframework.data.redis.connection.stream.ByteBufferRecord;
import org.springframework.data.redis.connection.stream.ByteRecord;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.PendingMessages;
import org.springframework.data.redis.connection.stream.PendingMessagesSummary;
import org.springframework.data.redis.connection.stream.RecordId;
import org.springframework.data.redis.connection.stream.StreamInfo.XInfoConsumer;
import org.springframework.data.redis.connection.stream.StreamInfo.XInfoGroup;
import org.springframework.data.redis.connection.stream.StreamInfo.XInfoStream;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.connection.stream.StreamRecords;
import reactor.core.publisher.Flux;

/** Reactive commands of streams. A read that waits has a connection of its own. */
final class FluxStreamCommands implements ReactiveClusterStreamCommands {
    private final ReactiveCalls calls;

    FluxStreamCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    private static RecordId[] ids(List<RecordId> ids) {
        return ids.toArray(RecordId[]::new);
    }

    // --- records

    @Override
    public Flux<CommandResponse<AddStreamRecord, RecordId>> xAdd(Publisher<AddStreamRecord> commands) {
        return calls.each(commands, (to, one) -> {
            Object trimmed = one.hasMaxlen() ? List.of("MAXLEN", StreamCommands.near(one.isApproximateTrimming()),
                one.getMaxlen()) : one.hasMinId() ? List.of("MINID", StreamCommands.near(one.isApproximateTrimming()),
                one.getMinId().getValue()) : List.of();
            return to.call(StreamCommands.ID, "XADD", key(one), when(one.isNoMkStream(), "NOMKSTREAM"), trimmed,
                one.getRecord().getId().getValue(), StringCommands.words(arrays(one.getBody())));
        }, CommandResponse::new);
    }

    @Override
    public Flux<CommandResponse<DeleteCommand, Long>> xDel(Publisher<DeleteCommand> commands) {
        return calls.each(commands, (to, one) -> new StreamCommands(to).xDel(key(one), ids(one.getRecordIds())),
            CommandResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> xLen(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new StreamCommands(to).xLen(key(one)), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> xTrim(Publisher<TrimCommand> commands) {
        return calls.each(commands, (to, one) -> new StreamCommands(to).xTrim(key(one), one.getCount(),
            one.isApproximateTrimming()), NumericResponse::new);
    }

    @Override
    public Flux<CommandResponse<RangeCommand, Flux<ByteBufferRecord>>> xRange(Publisher<RangeCommand> commands) {
        return ReactiveCalls.many(commands, one -> records(to -> new StreamCommands(to).xRange(key(one),
            one.getRange(), one.getLimit())));
    }

    @Override
    public Flux<CommandResponse<RangeCommand, Flux<ByteBufferRecord>>> xRevRange(Publisher<RangeCommand> commands) {
        return ReactiveCalls.many(commands, one -> records(to -> new StreamCommands(to).xRevRange(key(one),
            one.getRange(), one.getLimit())));
    }

    @Override
    public Flux<CommandResponse<ReadCommand, Flux<ByteBufferRecord>>> read(Publisher<ReadCommand> commands) {
        return ReactiveCalls.many(commands, one -> records(to -> one.getConsumer() == null
            ? new StreamCommands(to).xRead(one.getReadOptions(), offsets(one))
            : new StreamCommands(to).xReadGroup(one.getConsumer(), one.getReadOptions(), offsets(one))));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static StreamOffset<byte[]>[] offsets(ReadCommand command) {
        return command.getStreamOffsets().stream().map(one -> StreamOffset.create(bytes(one.getKey()),
            one.getOffset())).toArray(StreamOffset[]::new);
    }

    private Flux<ByteBufferRecord> records(java.util.function.Function<Calls, List<ByteRecord>> call) {
        return calls.flux(call).map(one -> StreamRecords.newRecord().in(Buffers.wrap(one.getStream()))
            .withId(one.getId()).ofBuffer(Buffers.wrap(one.getValue())));
    }

    // --- groups

    @Override
    public Flux<NumericResponse<AcknowledgeCommand, Long>> xAck(Publisher<AcknowledgeCommand> commands) {
        return calls.each(commands, (to, one) -> new StreamCommands(to).xAck(key(one), one.getGroup(),
            ids(one.getRecordIds())), NumericResponse::new);
    }

    @Override
    public Flux<CommandResponse<XClaimCommand, Flux<RecordId>>> xClaimJustId(Publisher<XClaimCommand> commands) {
        return ReactiveCalls.many(commands, one -> calls.flux(to -> new StreamCommands(to).xClaimJustId(key(one),
            one.getGroupName(), one.getNewOwner(), one.getOptions())));
    }

    @Override
    public Flux<CommandResponse<XClaimCommand, Flux<ByteBufferRecord>>> xClaim(Publisher<XClaimCommand> commands) {
        return ReactiveCalls.many(commands, one -> records(to -> new StreamCommands(to).xClaim(key(one),
            one.getGroupName(), one.getNewOwner(), one.getOptions())));
    }

    @Override
    public Flux<CommandResponse<GroupCommand, String>> xGroup(Publisher<GroupCommand> commands) {
        return calls.<GroupCommand, Object, CommandResponse<GroupCommand, String>>each(commands, (to, one) -> {
            StreamCommands streams = new StreamCommands(to);
            return switch (one.getAction()) {
                case CREATE -> streams.xGroupCreate(key(one), one.getGroupName(), one.getReadOffset(),
                    one.isMkStream());
                case DELETE_CONSUMER -> streams.xGroupDelConsumer(key(one), Consumer.from(one.getGroupName(),
                    one.getConsumerName()));
                case SET_ID -> to.call(Readings.STRING, "XGROUP SETID", key(one), one.getGroupName(),
                    one.getReadOffset().getOffset());
                case DESTROY -> streams.xGroupDestroy(key(one), one.getGroupName());
            };
        }, (one, reply) -> new CommandResponse<>(one, Boolean.FALSE.equals(reply) ? "Error" : "OK"));
    }

    @Override
    public Flux<CommandResponse<PendingRecordsCommand, PendingMessagesSummary>> xPendingSummary(
            Publisher<PendingRecordsCommand> commands) {
        return calls.each(commands, (to, one) -> new StreamCommands(to).xPending(key(one), one.getGroupName()),
            CommandResponse::new);
    }

    @Override
    public Flux<CommandResponse<PendingRecordsCommand, PendingMessages>> xPending(
            Publisher<PendingRecordsCommand> commands) {
        return calls.each(commands, (to, one) -> {
            XPendingOptions options = XPendingOptions.range(one.getRange(),
                one.isLimited() ? one.getCount() : Long.MAX_VALUE);
            return new StreamCommands(to).xPending(key(one), one.getGroupName(),
                one.hasConsumer() ? options.consumer(one.getConsumerName()) : options);
        }, CommandResponse::new);
    }

    // --- information

    @Override
    public Flux<CommandResponse<XInfoCommand, XInfoStream>> xInfo(Publisher<XInfoCommand> commands) {
        return calls.each(commands, (to, one) -> new StreamCommands(to).xInfo(key(one)), CommandResponse::new);
    }

    @Override
    public Flux<CommandResponse<XInfoCommand, Flux<XInfoGroup>>> xInfoGroups(Publisher<XInfoCommand> commands) {
        return ReactiveCalls.many(commands, one -> calls.mono(to -> new StreamCommands(to).xInfoGroups(key(one)))
            .flatMapIterable(found -> found.stream().toList()));
    }

    @Override
    public Flux<CommandResponse<XInfoCommand, Flux<XInfoConsumer>>> xInfoConsumers(Publisher<XInfoCommand> commands) {
        return ReactiveCalls.many(commands, one -> calls.mono(to -> new StreamCommands(to).xInfoConsumers(key(one),
            one.getGroupName())).flatMapIterable(found -> found.stream().toList()));
    }
}
