package io.samewire.redis.spring;

import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.ReactiveServerCommands;
import org.springframework.data.redis.connection.RedisServerCommands.FlushOption;
import org.springframework.data.redis.core.types.RedisClientInfo;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reactive commands of the server. */
class FluxServerCommands implements ReactiveServerCommands {
    private final ReactiveCalls calls;

    FluxServerCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    private Mono<String> text(String name, Object... arguments) {
        return calls.mono(to -> to.call(Readings.STRING, name, arguments));
    }

    @Override
    public Mono<String> bgReWriteAof() {
        return text("BGREWRITEAOF");
    }

    @Override
    public Mono<String> bgSave() {
        return text("BGSAVE");
    }

    /** In milliseconds since 1970. */
    @Override
    public Mono<Long> lastSave() {
        return calls.mono(to -> new ServerCommands(to).lastSave()).map(TimeUnit.SECONDS::toMillis);
    }

    @Override
    public Mono<String> save() {
        return text("SAVE");
    }

    @Override
    public Mono<Long> dbSize() {
        return calls.mono(to -> new ServerCommands(to).dbSize());
    }

    @Override
    public Mono<String> flushDb() {
        return text("FLUSHDB");
    }

    @Override
    public Mono<String> flushDb(FlushOption option) {
        return text("FLUSHDB", option);
    }

    @Override
    public Mono<String> flushAll() {
        return text("FLUSHALL");
    }

    @Override
    public Mono<String> flushAll(FlushOption option) {
        return text("FLUSHALL", option);
    }

    @Override
    public Mono<Properties> info() {
        return calls.mono(to -> new ServerCommands(to).info());
    }

    @Override
    public Mono<Properties> info(String section) {
        return calls.mono(to -> new ServerCommands(to).info(section));
    }

    @Override
    public Mono<Properties> getConfig(String pattern) {
        return calls.mono(to -> new ServerCommands(to).getConfig(pattern));
    }

    @Override
    public Mono<String> setConfig(String name, String value) {
        return text("CONFIG SET", name, value);
    }

    @Override
    public Mono<String> resetConfigStats() {
        return text("CONFIG RESETSTAT");
    }

    @Override
    public Mono<Long> time(TimeUnit unit) {
        return calls.mono(to -> new ServerCommands(to).time(unit));
    }

    @Override
    public Mono<String> killClient(String host, int port) {
        return text("CLIENT KILL", host + ":" + port);
    }

    /** Refused as by the blocking connection: connections are shared, and have one name. */
    @Override
    public Mono<String> setClientName(String name) {
        return Mono.fromRunnable(() -> new ServerCommands(null).setClientName(null));
    }

    @Override
    public Mono<String> getClientName() {
        return calls.mono(to -> new ServerCommands(to).getClientName());
    }

    @Override
    public Flux<RedisClientInfo> getClientList() {
        return calls.flux(to -> new ServerCommands(to).getClientList());
    }
}
