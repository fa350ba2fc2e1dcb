package io.samewire.redis.spring;

import io.samewire.redis.client.MessageListener;
import io.samewire.redis.client.Subscriber;
import io.samewire.redis.command.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.springframework.data.redis.connection.ReactiveSubscription;
import org.springframework.data.redis.connection.SubscriptionListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/**
 * A subscription on a connection of its own, which is made again when it is lost: receivers notice nothing but that
 * messages of that time are missing. A message is taken when there is a receiver and each one has requested it. Until
 * then messages wait in the client, as {@link io.samewire.redis.client.ReactiveClient#subscribe} says.
 */
final class FluxSubscription implements ReactiveSubscription, MessageListener {
    /** Subscribes to names, or ends their subscription, and waits for the server. */
    private interface Change {
        void on(Subscriber subscriber, CharSequence... names);
    }

    private final ReactiveCalls calls;
    private final SubscriptionListener listener;
    private final Consumer<FluxSubscription> onEnd;
    private final ReentrantLock lock = new ReentrantLock();
    /** A receiver came, went or requested, or the subscription is over. */
    private final Condition changed = lock.newCondition();
    // Guarded by `lock`.
    private final List<FluxSink<Message<ByteBuffer, ByteBuffer>>> receivers = new ArrayList<>();
    private final Set<Bytes> channels = new HashSet<>();
    private final Set<Bytes> patterns = new HashSet<>();
    private boolean over;
    /** Null until it is subscribed to something. Held while it is made: one connection is enough. */
    private Subscriber subscriber;
    private final ReentrantLock making = new ReentrantLock();

    FluxSubscription(ReactiveCalls calls, SubscriptionListener listener, Consumer<FluxSubscription> onEnd) {
        this.calls = calls;
        this.listener = listener;
        this.onEnd = onEnd;
    }

    // --- subscribing

    @Override
    public Mono<Void> subscribe(ByteBuffer... channels) {
        return change(Subscriber::subscribe, this.channels, true, listener::onChannelSubscribed, channels);
    }

    @Override
    public Mono<Void> pSubscribe(ByteBuffer... patterns) {
        return change(Subscriber::psubscribe, this.patterns, true, listener::onPatternSubscribed, patterns);
    }

    @Override
    public Mono<Void> unsubscribe() {
        return Mono.defer(() -> unsubscribe(getChannels().toArray(ByteBuffer[]::new)));
    }

    @Override
    public Mono<Void> unsubscribe(ByteBuffer... channels) {
        return change(Subscriber::unsubscribe, this.channels, false, listener::onChannelUnsubscribed, channels);
    }

    @Override
    public Mono<Void> pUnsubscribe() {
        return Mono.defer(() -> pUnsubscribe(getPatterns().toArray(ByteBuffer[]::new)));
    }

    @Override
    public Mono<Void> pUnsubscribe(ByteBuffer... patterns) {
        return change(Subscriber::punsubscribe, this.patterns, false, listener::onPatternUnsubscribed, patterns);
    }

    private Mono<Void> change(Change change, Set<Bytes> of, boolean subscribes, BiConsumer<byte[], Long> event,
            ByteBuffer... given) {
        List<Bytes> names = new ArrayList<>();
        for (byte[] one : Buffers.arrays(given)) {
            names.add(Bytes.wrap(one));
        }
        if (names.isEmpty()) {
            return Mono.empty();
        }
        return ReactiveCalls.waiting(() -> {
            change.on(opened(), names.toArray(Bytes[]::new));
            tell(of, subscribes, event, names);
            return null;
        });
    }

    private Subscriber opened() throws Exception {
        making.lock();
        try {
            expectOpen();
            if (subscriber == null) {
                subscriber = calls.client().subscriber(this);
            }
            return subscriber;
        } finally {
            making.unlock();
        }
    }

    private void expectOpen() {
        lock.lock();
        try {
            if (over) {
                throw new IllegalStateException("the subscription was cancelled: create another one");
            }
        } finally {
            lock.unlock();
        }
    }

    /** With each name comes how many channels and patterns there are with it or without it, as the server counts. */
    private void tell(Set<Bytes> of, boolean subscribes, BiConsumer<byte[], Long> event, List<Bytes> names) {
        for (Bytes one : names) {
            long count;
            lock.lock();
            try {
                if (subscribes) {
                    of.add(one);
                } else {
                    of.remove(one);
                }
                count = (long) channels.size() + patterns.size();
            } finally {
                lock.unlock();
            }
            tell(() -> event.accept(one.toByteArray(), count));
        }
    }

    /** What a listener throws must not leave others without what they wait for. */
    private static void tell(Runnable told) {
        try {
            told.run();
        } catch (RuntimeException thrown) {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        }
    }

    @Override
    public Set<ByteBuffer> getChannels() {
        return buffers(channels);
    }

    @Override
    public Set<ByteBuffer> getPatterns() {
        return buffers(patterns);
    }

    private List<Bytes> copy(Set<Bytes> names) {
        lock.lock();
        try {
            return List.copyOf(names);
        } finally {
            lock.unlock();
        }
    }

    private Set<ByteBuffer> buffers(Set<Bytes> names) {
        return copy(names).stream().map(one -> ByteBuffer.wrap(one.toByteArray()))
            .collect(Collectors.toUnmodifiableSet());
    }

    // --- receiving

    @Override
    public Flux<Message<ByteBuffer, ByteBuffer>> receive() {
        return Flux.create(this::receive, FluxSink.OverflowStrategy.ERROR);
    }

    private void receive(FluxSink<Message<ByteBuffer, ByteBuffer>> receiver) {
        boolean late;
        lock.lock();
        try {
            late = over;
            if (!late) {
                receivers.add(receiver);
            }
        } finally {
            lock.unlock();
        }
        if (late) {
            receiver.error(cancelled());
            return;
        }
        receiver.onDispose(() -> note(() -> receivers.remove(receiver)));
        receiver.onRequest(more -> note(() -> { }));
    }

    private static CancellationException cancelled() {
        return new CancellationException("the subscription was cancelled");
    }

    private void note(Runnable what) {
        lock.lock();
        try {
            what.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is requested: so others stay in the client's mailbox. */
    @Override
    public void message(io.samewire.redis.client.Message message) {
        List<FluxSink<Message<ByteBuffer, ByteBuffer>>> takers;
        lock.lock();
        try {
            while (!over && (receivers.isEmpty()
                    || receivers.stream().anyMatch(one -> one.requestedFromDownstream() == 0))) {
                changed.awaitUninterruptibly();
            }
            takers = over ? List.of() : List.copyOf(receivers);
        } finally {
            lock.unlock();
        }
        takers.forEach(one -> one.next(message(message, message.pattern().orElse(null))));
    }

    /** Each receiver has buffers of its own, whose positions it may move. */
    private static Message<ByteBuffer, ByteBuffer> message(io.samewire.redis.client.Message from, Bytes pattern) {
        ByteBuffer channel = ByteBuffer.wrap(from.channel().toByteArray());
        ByteBuffer payload = ByteBuffer.wrap(from.payload().toByteArray());
        return pattern == null ? new ChannelMessage<>(channel, payload)
            : new PatternMessage<>(ByteBuffer.wrap(pattern.toByteArray()), channel, payload);
    }

    // --- end

    /** Ends all subscriptions and the connection; receivers fail with a {@link CancellationException}. */
    @Override
    public Mono<Void> cancel() {
        return ReactiveCalls.waiting(() -> {
            end();
            return null;
        });
    }

    /** Does the same, and returns when it is done. */
    void end() {
        List<FluxSink<Message<ByteBuffer, ByteBuffer>>> ended;
        lock.lock();
        try {
            if (over) {
                return;
            }
            over = true;
            ended = List.copyOf(receivers);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        making.lock();
        try {
            if (subscriber != null) {
                subscriber.close();
            }
        } finally {
            making.unlock();
        }
        onEnd.accept(this);
        tell(channels, false, listener::onChannelUnsubscribed, copy(channels));
        tell(patterns, false, listener::onPatternUnsubscribed, copy(patterns));
        ended.forEach(one -> one.error(cancelled()));
    }
}
