package io.samewire.redis.store;

/** A subscription that stands until it is closed. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
    /** Ends the subscription. The message that is being listened to is the last one. */
    @Override
    void close();
}
