package io.samewire.redis.client;

/** A subscriber whose calls have a time of their own. */
final class TimedSubscriber extends Subscriber {
    private final Subscriber subscriber;
    private final long nanos;

    TimedSubscriber(Subscriber subscriber, long nanos) {
        this.subscriber = subscriber;
        this.nanos = nanos;
    }

    @Override
    void change(SubscriptionKind kind, boolean subscribes, long usual, CharSequence... names) {
        subscriber.change(kind, subscribes, usual == 0 ? nanos : usual, names);
    }

    @Override
    void drain(CallTime time) {
        subscriber.drain(time);
    }

    @Override
    public void close() {
        subscriber.close();
    }
}
