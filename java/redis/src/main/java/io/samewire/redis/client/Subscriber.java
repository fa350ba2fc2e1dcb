package io.samewire.redis.client;

import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Hears what is published, on connections of its own: with RESP3 by pushes, with RESP2 likewise. When a connection is
 * lost it is made again, without end, and everything is subscribed to again; messages of the time between are lost.
 * Thread-safe; close it.
 *
 * <p>The listener is called for each message that came before the server confirmed the end of its subscription, also
 * if that is after {@link #unsubscribe} has returned. {@link #close} drops those that wait for the listener;
 * {@link #drain} waits until it has taken them.
 *
 * <p>Each method waits for the server's confirmation, for as long as {@link RedisOptions#withCommandTimeout} says or
 * {@link #within} gives it. It throws {@link RedisException} if the server refuses, and {@link ConnectionException} if
 * the confirmation does not come in time or the subscriber is closed.
 */
public abstract sealed class Subscriber implements AutoCloseable permits ServerSubscriber, ClusterSubscriber,
        TimedSubscriber {
    private static final long USUAL = 0;

    /** Is completed when it is closed. */
    final CompletableFuture<Void> closing = new CompletableFuture<>();

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

    /**
     * Ends all subscriptions, waits until the listener has taken all messages that had come by then, and closes the
     * subscriber.
     *
     * @param timeout for all of it
     * @throws io.samewire.core.SamewireException {@code misuse} if the time is not above 0, or on the listener's thread
     * @throws ConnectionException {@code timeout} if the time is over, {@code closed} if the subscriber is closed
     *     meanwhile: messages that wait are dropped. The subscriber is closed in any case
     */
    public final void drain(Duration timeout) {
        drain(CallTime.within(RedisOptions.positive(timeout)));
    }

    abstract void drain(CallTime time);

    /** Ends all subscriptions. The message that is being listened to is the last one; those that wait are dropped. */
    @Override
    public abstract void close();
}
