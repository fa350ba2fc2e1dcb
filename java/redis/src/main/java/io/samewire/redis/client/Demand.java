package io.samewire.redis.client;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A subscription that calls its subscriber from one thread at a time, whichever has something for it: the others leave
 * it a note and go on. So no call of a subscriber waits for another, and none is within another, however it requests.
 */
abstract class Demand<T> implements Flow.Subscription {
    private final Flow.Subscriber<? super T> subscriber;
    /** How many notes there are; above 0 while a thread works. Begins at 1: the one that subscribes. */
    private final AtomicInteger notes = new AtomicInteger(1);
    private final AtomicLong requested = new AtomicLong();
    private volatile boolean cancelled;
    private volatile IllegalArgumentException refused;
    /** Whether the subscriber is not called any more. Written by the thread that works. */
    private volatile boolean over;

    Demand(Flow.Subscriber<? super T> subscriber) {
        this.subscriber = java.util.Objects.requireNonNull(subscriber);
    }

    /** Hands itself to the subscriber, and does what that asks for by then. */
    final void begin() {
        subscriber.onSubscribe(this);
        work();
    }

    @Override
    public final void request(long count) {
        if (count > 0) {
            requested.accumulateAndGet(count, (old, more) -> old + more < 0 ? Long.MAX_VALUE : old + more);
        } else if (refused == null) {
            refused = new IllegalArgumentException("expected a request of at least 1 element, found " + count
                + " (Reactive Streams, rule 3.9)");
        }
        note();
    }

    @Override
    public final void cancel() {
        cancelled = true;
        note();
    }

    /** Has {@link #advance} called once more: there is something new. */
    final void note() {
        if (notes.getAndIncrement() == 0) {
            work();
        }
    }

    private void work() {
        int seen = notes.get();
        do {
            step();
            seen = notes.addAndGet(-seen);
        } while (seen != 0);
    }

    private void step() {
        try {
            if (!isOver()) {
                advance();
                isOver();
            }
        } catch (Throwable thrown) {
            // By the subscriber: rule 2.13 says that it is cancelled then. One in Kotlin may throw any exception; it
            // would leave the notes above 0, so that nothing is released any more.
            cancelled = true;
            isOver();
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        }
    }

    /** Returns whether the subscriber is not called any more; ends what it has cancelled. */
    final boolean isOver() {
        if (!over && cancelled) {
            over = true;
            release();
        } else if (!over && refused != null) {
            fail(refused);
        }
        return over;
    }

    /** Returns whether another element may be published. */
    final boolean isRequested() {
        return requested.get() > 0;
    }

    final void publish(T element) {
        if (requested.get() != Long.MAX_VALUE) {
            requested.decrementAndGet();
        }
        subscriber.onNext(element);
    }

    final void complete() {
        over = true;
        release();
        subscriber.onComplete();
    }

    final void fail(Throwable why) {
        over = true;
        release();
        subscriber.onError(why);
    }

    /** Publishes what there is and is requested. Called by one thread at a time, and not any more once it is over. */
    abstract void advance();

    /** Ends all that goes on for the subscriber, once. Called by the thread that works. */
    abstract void release();
}
