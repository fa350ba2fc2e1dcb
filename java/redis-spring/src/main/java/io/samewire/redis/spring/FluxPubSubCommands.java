package io.samewire.redis.spring;

import static io.samewire.redis.spring.Buffers.bytes;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.reactivestreams.Publisher;
import org.springframework.data.redis.connection.ReactivePubSubCommands;
import org.springframework.data.redis.connection.ReactiveSubscription;
import org.springframework.data.redis.connection.ReactiveSubscription.ChannelMessage;
import org.springframework.data.redis.connection.SubscriptionListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reactive commands of channels. */
final class FluxPubSubCommands implements ReactivePubSubCommands {
    private final ReactiveCalls calls;
    /** Those of the whole factory that are not over. */
    private final Set<FluxSubscription> all;
    /** Those of this connection that are not over. */
    private final Set<FluxSubscription> subscriptions = ConcurrentHashMap.newKeySet();

    FluxPubSubCommands(ReactiveCalls calls, Set<FluxSubscription> all) {
        this.calls = calls;
        this.all = all;
    }

    /** Returns a subscription, which connects when it is first subscribed to something. */
    @Override
    public Mono<ReactiveSubscription> createSubscription(SubscriptionListener listener) {
        return Mono.fromSupplier(() -> {
            FluxSubscription made = new FluxSubscription(calls, listener, ended -> {
                subscriptions.remove(ended);
                all.remove(ended);
            });
            subscriptions.add(made);
            all.add(made);
            return made;
        });
    }

    @Override
    public Flux<Long> publish(Publisher<ChannelMessage<ByteBuffer, ByteBuffer>> messages) {
        return Flux.from(messages).flatMap(one -> calls.mono(to ->
            to.call(Readings.LONG, "PUBLISH", bytes(one.getChannel()), bytes(one.getMessage()))));
    }

    @Override
    public Mono<Void> subscribe(ByteBuffer... channels) {
        return refused();
    }

    @Override
    public Mono<Void> pSubscribe(ByteBuffer... patterns) {
        return refused();
    }

    /** Nobody would get the messages. */
    private static Mono<Void> refused() {
        return Mono.error(() -> new UnsupportedOperationException("SUBSCRIBE without a subscription, which would get"
            + " the messages: use createSubscription and its subscribe"));
    }

    /** Ends all subscriptions. */
    Mono<Void> close() {
        return Mono.defer(() -> Flux.fromIterable(List.copyOf(subscriptions)).concatMapDelayError(
            FluxSubscription::cancel).then());
    }
}
