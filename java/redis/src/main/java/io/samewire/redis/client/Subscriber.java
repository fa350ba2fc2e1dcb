package io.samewire.redis.client;

import io.samewire.redis.resp.RedisException;
import java.time.Duration;

/**
 * Hears what is published, on connections of its own: with RESP3 by pushes, with RESP2 likewise. When a connection is
 * lost it is made again, without end, and everything is subscribed to again; messages of the time between are lost.
 * Thread-safe; close it.
 *
 * <p>Each method waits for the server's confirmation, for as long as {@link RedisOptions#withCommandTimeout} says or
 * {@link #within} gives it. It throws {@link RedisException} if the server refuses, and {@link ConnectionException} if
 * the confirmation does not come in time or the subscriber is closed.
 */
public abstract sealed class Subscriber implements AutoCloseable permits ServerSubscriber, ClusterSubscriber,
        TimedSubscriber {
    private static final long USUAL = 0;

    Subscriber() { }

    /** Subscribes to channels. */
    public final void subscribe(CharSequence... channels) {
        change(SubscriptionKind.CHANNEL, true, USUAL, channels);
    }

    /** Ends subscriptions of channels; of all if none is named. */
    public final void unsubscribe(CharSequence... channels) {
        change(SubscriptionKind.CHANNEL, false, USUAL, channels);
    }

    /** Subscribes to patterns like {@code news.*}. */
    public final void psubscribe(CharSequence... patterns) {
        change(SubscriptionKind.PATTERN, true, USUAL, patterns);
    }

    /** Ends subscriptions of patterns; of all if none is named. */
    public final void punsubscribe(CharSequence... patterns) {
        change(SubscriptionKind.PATTERN, false, USUAL, patterns);
    }

    /** Subscribes to channels of shards, which {@code SPUBLISH} reaches; on a cluster they may be in several slots. */
    public final void ssubscribe(CharSequence... channels) {
        change(SubscriptionKind.SHARD, true, USUAL, channels);
    }

    /** Ends subscriptions of channels of shards; of all if none is named. */
    public final void sunsubscribe(CharSequence... channels) {
        change(SubscriptionKind.SHARD, false, USUAL, channels);
    }

    /**
     * Returns the same subscriber, whose methods wait for so long: {@code
     * subscriber.within(Duration.ofSeconds(2)).subscribe("news")}.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if the time is not above 0
     */
    public final Subscriber within(Duration timeout) {
        return new TimedSubscriber(this, RedisOptions.positive(timeout));
    }

    /**
     * Subscribes, or ends subscriptions, and waits for the server's confirmation.
     *
     * @param nanos how long; 0 for the usual time
     */
    abstract void change(SubscriptionKind kind, boolean subscribes, long nanos, CharSequence... names);

    /** Ends all subscriptions. The message that is being listened to is the last one. */
    @Override
    public abstract void close();
}
