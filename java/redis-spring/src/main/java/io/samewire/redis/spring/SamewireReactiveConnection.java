package io.samewire.redis.spring;

import org.springframework.data.redis.connection.ReactiveRedisConnection;
import reactor.core.publisher.Mono;

/**
 * A reactive connection in Spring's sense. Commands go over the client's asynchronous connection, which all share, and
 * what waits has one of its own; each subscription to channels has, too. Thread-safe.
 */
class SamewireReactiveConnection implements ReactiveRedisConnection {
    final SamewireConnectionFactory factory;
    final ReactiveCalls calls;
    private final FluxPubSubCommands channels;

    SamewireReactiveConnection(SamewireConnectionFactory factory) {
        this.factory = factory;
        this.calls = new ReactiveCalls(factory::present, factory::client);
        this.channels = new FluxPubSubCommands(calls, factory.subscriptions);
    }

    @Override
    public FluxKeyCommands keyCommands() {
        return new FluxKeyCommands(calls);
    }

    @Override
    public FluxStringCommands stringCommands() {
        return new FluxStringCommands(calls);
    }

    @Override
    public FluxNumberCommands numberCommands() {
        return new FluxNumberCommands(calls);
    }

    @Override
    public FluxListCommands listCommands() {
        return new FluxListCommands(calls);
    }

    @Override
    public FluxSetCommands setCommands() {
        return new FluxSetCommands(calls);
    }

    @Override
    public FluxSortedSetCommands zSetCommands() {
        return new FluxSortedSetCommands(calls);
    }

    @Override
    public FluxHashCommands hashCommands() {
        return new FluxHashCommands(calls);
    }

    @Override
    public FluxGeoCommands geoCommands() {
        return new FluxGeoCommands(calls);
    }

    @Override
    public FluxHyperLogLogCommands hyperLogLogCommands() {
        return new FluxHyperLogLogCommands(calls);
    }

    @Override
    public FluxPubSubCommands pubSubCommands() {
        return channels;
    }

    @Override
    public FluxScriptingCommands scriptingCommands() {
        return new FluxScriptingCommands(calls);
    }

    @Override
    public FluxServerCommands serverCommands() {
        return new FluxServerCommands(calls);
    }

    @Override
    public FluxStreamCommands streamCommands() {
        return new FluxStreamCommands(calls);
    }

    @Override
    public Mono<String> ping() {
        return calls.mono(to -> to.call(Readings.STRING, "PING"));
    }

    /** Ends subscriptions to channels. The client stays, and with it what is on its way. */
    @Override
    public Mono<Void> closeLater() {
        return channels.close();
    }
}
