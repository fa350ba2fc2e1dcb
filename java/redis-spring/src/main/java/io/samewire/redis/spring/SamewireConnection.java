package io.samewire.redis.spring;

import io.samewire.redis.client.CommandClient;
import java.util.List;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisCommands;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisGeoCommands;
import org.springframework.data.redis.connection.RedisHashCommands;
import org.springframework.data.redis.connection.RedisHyperLogLogCommands;
import org.springframework.data.redis.connection.RedisKeyCommands;
import org.springframework.data.redis.connection.RedisListCommands;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.connection.RedisServerCommands;
import org.springframework.data.redis.connection.RedisSetCommands;
import org.springframework.data.redis.connection.RedisStreamCommands;
import org.springframework.data.redis.connection.RedisStringCommands;
import org.springframework.data.redis.connection.RedisSubscribedConnectionException;
import org.springframework.data.redis.connection.RedisZSetCommands;
import org.springframework.data.redis.connection.Subscription;

/**
 * A connection in Spring's sense: what one caller does with pipelines, transactions and subscriptions. Commands go over
 * the client's connections, which callers share; from WATCH to EXEC one of these is its own. Not thread-safe.
 */
class SamewireConnection implements RedisConnection {
    final SamewireConnectionFactory factory;
    final Calls calls;
    private ChannelSubscription subscription;

    SamewireConnection(SamewireConnectionFactory factory, CommandClient client) {
        this.factory = factory;
        this.calls = new Calls(client);
    }

    // --- groups of commands

    @Override
    public RedisCommands commands() {
        return this;
    }

    @Override
    public RedisGeoCommands geoCommands() {
        return new GeoCommands(calls);
    }

    @Override
    public RedisHashCommands hashCommands() {
        return new HashCommands(calls);
    }

    @Override
    public RedisHyperLogLogCommands hyperLogLogCommands() {
        return new HyperLogLogCommands(calls);
    }

    @Override
    public RedisKeyCommands keyCommands() {
        return new KeyCommands(calls);
    }

    @Override
    public RedisListCommands listCommands() {
        return new ListCommands(calls);
    }

    @Override
    public RedisScriptingCommands scriptingCommands() {
        return new ScriptingCommands(calls);
    }

    @Override
    public RedisServerCommands serverCommands() {
        return new ServerCommands(calls);
    }

    @Override
    public RedisSetCommands setCommands() {
        return new SetCommands(calls);
    }

    @Override
    public RedisStreamCommands streamCommands() {
        return new StreamCommands(calls);
    }

    @Override
    public RedisStringCommands stringCommands() {
        return new StringCommands(calls);
    }

    @Override
    public RedisZSetCommands zSetCommands() {
        return new SortedSetCommands(calls);
    }

    // --- commands of the connection

    @Override
    public Object execute(String name, byte[]... arguments) {
        return calls.call(Readings.ANY, name, List.of((Object[]) arguments));
    }

    @Override
    public void select(int database) {
        calls.use(factory.client(database));
    }

    @Override
    public byte[] echo(byte[] message) {
        return calls.call(Readings.BYTES, "ECHO", message);
    }

    @Override
    public String ping() {
        return calls.call(Readings.STRING, "PING");
    }

    // --- transactions and pipelines

    @Override
    public void multi() {
        calls.multi();
    }

    @Override
    public List<Object> exec() {
        return calls.exec();
    }

    @Override
    public void discard() {
        calls.discard();
    }

    @Override
    public void watch(byte[]... keys) {
        calls.watch(keys);
    }

    @Override
    public void unwatch() {
        calls.unwatch();
    }

    @Override
    public boolean isQueueing() {
        return calls.isQueueing();
    }

    @Override
    public boolean isPipelined() {
        return calls.isPipelined();
    }

    @Override
    public void openPipeline() {
        calls.openPipeline();
    }

    @Override
    public List<Object> closePipeline() {
        return calls.closePipeline();
    }

    // --- channels

    @Override
    public Long publish(byte[] channel, byte[] message) {
        return calls.call(Readings.LONG, "PUBLISH", channel, message);
    }

    @Override
    public boolean isSubscribed() {
        return subscription != null && subscription.isAlive();
    }

    @Override
    public Subscription getSubscription() {
        return subscription;
    }

    /** Subscribes, and waits until the subscription ends. */
    @Override
    public void subscribe(MessageListener listener, byte[]... channels) {
        ChannelSubscription made = subscribed(listener);
        try {
            made.subscribe(channels);
        } catch (RuntimeException failed) {
            made.close();
            throw failed;
        }
        made.await();
    }

    /** Subscribes, and waits until the subscription ends. */
    @Override
    public void pSubscribe(MessageListener listener, byte[]... patterns) {
        ChannelSubscription made = subscribed(listener);
        try {
            made.pSubscribe(patterns);
        } catch (RuntimeException failed) {
            made.close();
            throw failed;
        }
        made.await();
    }

    private ChannelSubscription subscribed(MessageListener listener) {
        if (isSubscribed()) {
            throw new RedisSubscribedConnectionException("Connection already subscribed; use the connection"
                + " Subscription to cancel or add new channels");
        }
        calls.expectImmediate("SUBSCRIBE");
        try {
            subscription = new ChannelSubscription(calls.client(), listener);
            return subscription;
        } catch (RuntimeException failed) {
            throw Failures.translate(failed);
        }
    }

    // --- end

    @Override
    public RedisSentinelConnection getSentinelConnection() {
        return factory.getSentinelConnection();
    }

    /** Returns the client, a {@link CommandClient}. */
    @Override
    public Object getNativeConnection() {
        return calls.client();
    }

    @Override
    public boolean isClosed() {
        return calls.isClosed();
    }

    /** Ends a subscription, and drops what is queued. The client stays. */
    @Override
    public void close() {
        ChannelSubscription ended = subscription;
        try {
            if (ended != null) {
                ended.close();
            }
        } finally {
            // It may have a connection that watches keys.
            calls.close();
        }
    }
}
