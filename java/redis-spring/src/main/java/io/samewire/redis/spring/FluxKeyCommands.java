package io.samewire.redis.spring;

import static io.samewire.redis.spring.Arguments.when;
import static io.samewire.redis.spring.Buffers.arrays;
import static io.samewire.redis.spring.Buffers.bytes;
import static io.samewire.redis.spring.Buffers.key;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.connection.ExpirationOptions;
import org.springframework.data.redis.connection.ReactiveKeyCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection.BooleanResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.CommandResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.KeyCommand;
import org.springframework.data.redis.connection.ReactiveRedisConnection.MultiValueResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.NumericResponse;
import org.springframework.data.redis.connection.ValueEncoding;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.types.Expiration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reactive commands of keys. */
class FluxKeyCommands implements ReactiveKeyCommands {
    private final ReactiveCalls calls;

    FluxKeyCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    @Override
    public Flux<BooleanResponse<CopyCommand>> copy(Publisher<CopyCommand> commands) {
        return calls.each(commands, (to, one) -> to.call(Readings.YES, "COPY", key(one), bytes(one.getTarget()),
            one.getDatabase() == null ? List.of() : List.of("DB", one.getDatabase()), when(one.isReplace(), "REPLACE")),
            BooleanResponse::new);
    }

    @Override
    public Mono<Long> exists(List<ByteBuffer> keys) {
        return calls.mono(to -> new KeyCommands(to).exists(arrays(keys)));
    }

    @Override
    public Flux<BooleanResponse<KeyCommand>> exists(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new KeyCommands(to).exists(key(one)), BooleanResponse::new);
    }

    @Override
    public Flux<CommandResponse<KeyCommand, DataType>> type(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new KeyCommands(to).type(key(one)), CommandResponse::new);
    }

    @Override
    public Flux<NumericResponse<Collection<ByteBuffer>, Long>> touch(Publisher<Collection<ByteBuffer>> keys) {
        return calls.each(keys, (to, some) -> new KeyCommands(to).touch(arrays(some)), NumericResponse::new);
    }

    @Override
    public Flux<MultiValueResponse<ByteBuffer, ByteBuffer>> keys(Publisher<ByteBuffer> patterns) {
        return calls.each(patterns, (to, pattern) -> new KeyCommands(to).keys(bytes(pattern)),
            (pattern, found) -> new MultiValueResponse<>(pattern, Buffers.wrap(found)));
    }

    @Override
    public Flux<ByteBuffer> scan(ScanOptions options) {
        return calls.keys(options);
    }

    @Override
    public Mono<ByteBuffer> randomKey() {
        return calls.mono(to -> new KeyCommands(to).randomKey()).map(Buffers::wrap);
    }

    @Override
    public Flux<BooleanResponse<RenameCommand>> rename(Publisher<RenameCommand> commands) {
        return calls.each(commands, (to, one) -> to.call(Readings.OK, "RENAME", key(one), bytes(one.getNewKey())),
            BooleanResponse::new);
    }

    @Override
    public Flux<BooleanResponse<RenameCommand>> renameNX(Publisher<RenameCommand> commands) {
        return calls.each(commands, (to, one) -> new KeyCommands(to).renameNX(key(one), bytes(one.getNewKey())),
            BooleanResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> del(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new KeyCommands(to).del(key(one)), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<List<ByteBuffer>, Long>> mDel(Publisher<List<ByteBuffer>> keys) {
        return calls.each(keys, (to, some) -> new KeyCommands(to).del(arrays(some)), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> unlink(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new KeyCommands(to).unlink(key(one)), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<List<ByteBuffer>, Long>> mUnlink(Publisher<List<ByteBuffer>> keys) {
        return calls.each(keys, (to, some) -> new KeyCommands(to).unlink(arrays(some)), NumericResponse::new);
    }

    @Override
    public Flux<BooleanResponse<ExpireCommand>> applyExpiration(Publisher<ExpireCommand> commands) {
        return calls.each(commands, (to, one) -> expire(new KeyCommands(to), key(one), one.getExpiration(),
            one.getOptions().getCondition()), BooleanResponse::new);
    }

    private static Boolean expire(KeyCommands keys, byte[] key, Expiration time, ExpirationOptions.Condition when) {
        if (time.isPersistent()) {
            return keys.persist(key);
        } else if (time.getTimeUnit() == TimeUnit.MILLISECONDS) {
            long millis = time.getExpirationTimeInMilliseconds();
            return time.isUnixTimestamp() ? keys.pExpireAt(key, millis, when) : keys.pExpire(key, millis, when);
        }
        long seconds = time.getExpirationTimeInSeconds();
        return time.isUnixTimestamp() ? keys.expireAt(key, seconds, when) : keys.expire(key, seconds, when);
    }

    @Override
    public Flux<BooleanResponse<ExpireAtCommand>> expireAt(Publisher<ExpireAtCommand> commands) {
        return calls.each(commands, (to, one) -> new KeyCommands(to).expireAt(key(one),
            one.getExpireAt().getEpochSecond(), one.getOptions().getCondition()), BooleanResponse::new);
    }

    @Override
    public Flux<BooleanResponse<ExpireAtCommand>> pExpireAt(Publisher<ExpireAtCommand> commands) {
        return calls.each(commands, (to, one) -> new KeyCommands(to).pExpireAt(key(one),
            one.getExpireAt().toEpochMilli(), one.getOptions().getCondition()), BooleanResponse::new);
    }

    @Override
    public Flux<BooleanResponse<KeyCommand>> persist(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new KeyCommands(to).persist(key(one)), BooleanResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> ttl(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new KeyCommands(to).ttl(key(one)), NumericResponse::new);
    }

    @Override
    public Flux<NumericResponse<KeyCommand, Long>> pTtl(Publisher<KeyCommand> keys) {
        return calls.each(keys, (to, one) -> new KeyCommands(to).pTtl(key(one)), NumericResponse::new);
    }

    @Override
    public Flux<BooleanResponse<MoveCommand>> move(Publisher<MoveCommand> commands) {
        return calls.each(commands, (to, one) -> new KeyCommands(to).move(key(one), one.getDatabase()),
            BooleanResponse::new);
    }

    @Override
    public Mono<ValueEncoding> encodingOf(ByteBuffer key) {
        return calls.mono(to -> new KeyCommands(to).encodingOf(bytes(key)));
    }

    @Override
    public Mono<Duration> idletime(ByteBuffer key) {
        return calls.mono(to -> new KeyCommands(to).idletime(bytes(key)));
    }

    @Override
    public Mono<Long> refcount(ByteBuffer key) {
        return calls.mono(to -> new KeyCommands(to).refcount(bytes(key)));
    }
}
