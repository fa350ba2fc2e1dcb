package io.samewire.redis.spring;

import static io.samewire.redis.spring.Buffers.arrays;
import static io.samewire.redis.spring.Buffers.bytes;
import static io.samewire.redis.spring.Buffers.key;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import org.springframework.data.redis.connection.ExpirationOptions;
import org.springframework.data.redis.connection.ReactiveClusterHashCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection.BooleanResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.CommandResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyScanCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.MultiValueResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.NumericResponse;
import org.springframework.data.redis.core.types.Expiration;
import reactor.core.publisher.Flux;

/** Reactive commands of hashes. */
final class FluxHashCommands implements ReactiveClusterHashCommands {
    private final ReactiveCalls calls;

    FluxHashCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    /** Of one field the response tells whether it is new, of several that they were set. */
    @Override
    public Flux<BooleanResponse<HSetCommand>> hSet(Publisher<HSetCommand> commands) {
        return calls.each(commands, (to, one) -> {
            Map<byte[], byte[]> fields = arrays(one.getFieldValueMap());
            if (fields.size() != 1) {
                return to.call(Readings.OK, "HMSET", key(one), StringCommands.words(fields));
            }
            Map.Entry<byte[], byte[]> field = fields.entrySet().iterator().next();
            return one.isUpsert() ? new HashCommands(to).hSet(key(one), field.getKey(), field.getValue())
                : new HashCommands(to).hSetNX(key(one), field.getKey(), field.getValue());
        }, BooleanResponse::new);
    }

    @Override
    public Flux<MultiValueResponse<HGetCommand, ByteBuffer>> hMGet(Publisher<HGetCommand> commands) {
        return calls.each(commands, (to, one) -> new HashCommands(to).hMGet(key(one), arrays(one.getFields())),
            (one, found) -> new MultiValueResponse<>(one, Buffers.wrap(found)));
    }

    @Override
    public Flux<BooleanResponse<HExistsCommand>> hExists(Publisher<HExistsCommand> commands) {
        return calls.each(commands, (to, one) -> new HashCommands(to).hExists(key(one), bytes(one.getField())),
            BooleanResponse::new);
    }

    @Override
    public Flux<NumericResponse<HDelCommand, Long>> hDel(Publisher<HDelCommand> commands) {
        return calls.each(commands, (to, one) -> new HashCommands(to).hDel(key(one), arrays(one.getFields())),
            NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> hLen(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new HashCommands(to).hLen(key(one)), NumericResponse::new);
    }

    @Override
    public Flux<CommandResponse<HRandFieldCommand, Flux<ByteBuffer>>> hRandField(
            Publisher<HRandFieldCommand> commands) {
        return calls.manyBuffers(commands, (to, one) -> new HashCommands(to).hRandField(key(one), one.getCount()));
    }

    @Override
    public Flux<CommandResponse<HRandFieldCommand, Flux<Map.Entry<ByteBuffer, ByteBuffer>>>> hRandFieldWithValues(
            Publisher<HRandFieldCommand> commands) {
        return ReactiveCalls.many(commands, one -> calls.flux(to -> new HashCommands(to).hRandFieldWithValues(key(one),
            one.getCount())).map(Buffers::wrap));
    }

    @Override
    public Flux<CommandResponse<KeyCommand, Flux<ByteBuffer>>> hKeys(Publisher<KeyCommand> keys) {
        return calls.manyBuffers(keys, (to, one) -> new HashCommands(to).hKeys(key(one)));
    }

    @Override
    public Flux<CommandResponse<KeyCommand, Flux<ByteBuffer>>> hVals(Publisher<KeyCommand> keys) {
        return calls.manyBuffers(keys, (to, one) -> new HashCommands(to).hVals(key(one)));
    }

    @Override
    public Flux<CommandResponse<KeyCommand, Flux<Map.Entry<ByteBuffer, ByteBuffer>>>> hGetAll(
            Publisher<KeyCommand> keys) {
        return ReactiveCalls.many(keys, one -> calls.mono(to -> new HashCommands(to).hGetAll(key(one)))
            .flatMapIterable(Map::entrySet).map(Buffers::wrap));
    }

    @Override
    public Flux<CommandResponse<KeyCommand, Flux<Map.Entry<ByteBuffer, ByteBuffer>>>> hScan(
            Publisher<KeyScanCommand> commands) {
        return Flux.from(commands).map(one -> new CommandResponse<>(one,
            calls.scan("HSCAN", key(one), one.getOptions(), Readings.ENTRIES).map(Buffers::wrap)));
    }

    @Override
    public Flux<NumericResponse<HStrLenCommand, Long>> hStrLen(Publisher<HStrLenCommand> commands) {
        return calls.each(commands, (to, one) -> new HashCommands(to).hStrLen(key(one), bytes(one.getField())),
            NumericResponse::new);
    }

    // --- times of fields: a response for each field

    @Override
    public Flux<NumericResponse<HashExpireCommand, Long>> applyHashFieldExpiration(
            Publisher<HashExpireCommand> commands) {
        return Flux.from(commands).concatMap(one -> calls.flux(to -> expire(new HashCommands(to), key(one),
            one.getExpiration(), one.getOptions().getCondition(), arrays(one.getFields())))
            .map(reply -> new NumericResponse<>(one, reply)));
    }

    private static List<Long> expire(HashCommands hashes, byte[] key, Expiration time, ExpirationOptions.Condition when,
            byte[]... fields) {
        if (time.isPersistent()) {
            return hashes.hPersist(key, fields);
        } else if (time.getTimeUnit() == TimeUnit.MILLISECONDS) {
            long millis = time.getExpirationTimeInMilliseconds();
            return time.isUnixTimestamp() ? hashes.hpExpireAt(key, millis, when, fields)
                : hashes.hpExpire(key, millis, when, fields);
        }
        long seconds = time.getExpirationTimeInSeconds();
        return time.isUnixTimestamp() ? hashes.hExpireAt(key, seconds, when, fields)
            : hashes.hExpire(key, seconds, when, fields);
    }

    @Override
    public Flux<NumericResponse<HashFieldsCommand, Long>> hPersist(Publisher<HashFieldsCommand> commands) {
        return Flux.from(commands).concatMap(one -> calls.flux(to -> new HashCommands(to).hPersist(key(one),
            arrays(one.getFields()))).map(reply -> new NumericResponse<>(one, reply)));
    }

    @Override
    public Flux<NumericResponse<HashFieldsCommand, Long>> hTtl(Publisher<HashFieldsCommand> commands) {
        return Flux.from(commands).concatMap(one -> calls.flux(to -> new HashCommands(to).hTtl(key(one),
            arrays(one.getFields()))).map(reply -> new NumericResponse<>(one, reply)));
    }

    @Override
    public Flux<NumericResponse<HashFieldsCommand, Long>> hpTtl(Publisher<HashFieldsCommand> commands) {
        return Flux.from(commands).concatMap(one -> calls.flux(to -> new HashCommands(to).hpTtl(key(one),
            arrays(one.getFields()))).map(reply -> new NumericResponse<>(one, reply)));
    }
}
