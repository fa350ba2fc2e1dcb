package io.samewire.redis.spring;

import io.samewire.redis.client.CommandClient;
import io.samewire.redis.client.Subscriber;
import io.samewire.redis.command.Bytes;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.springframework.data.redis.connection.DefaultMessage;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.connection.util.AbstractSubscription;

/**
 * A subscription of one connection of Spring, on connections of its own. When these are lost they are made again, and
 * all is subscribed to again: the listener notices nothing but that messages of that time are missing.
 */
final class ChannelSubscription extends AbstractSubscription {
    private static final Runnable END = () -> { };

    private final Subscriber subscriber;
    private final SubscriptionListener listener;
    /** Told by the thread that waits for the end: what a listener does then must not find itself called again. */
    private final BlockingQueue<Runnable> confirmations = new LinkedBlockingQueue<>();
    // What the listener was told of.
    private final Set<Bytes> channels = new HashSet<>();
    private final Set<Bytes> patterns = new HashSet<>();

    ChannelSubscription(CommandClient client, MessageListener to) {
        super(to);
        listener = to instanceof SubscriptionListener told ? told : SubscriptionListener.NO_OP_SUBSCRIPTION_LISTENER;
        subscriber = client.subscriber(message -> to.onMessage(new DefaultMessage(message.channel().toByteArray(),
            message.payload().toByteArray()), message.pattern().map(Bytes::toByteArray).orElse(null)));
    }

    private static Bytes[] names(byte[]... names) {
        Bytes[] found = new Bytes[names.length];
        for (int i = 0; i < names.length; i++) {
            found[i] = Bytes.of(names[i]);
        }
        return found;
    }

    @Override
    protected void doSubscribe(byte[]... channels) {
        translating(() -> subscriber.subscribe(names(channels)));
        tell(this.channels::add, listener::onChannelSubscribed, channels);
    }

    @Override
    protected void doPsubscribe(byte[]... patterns) {
        translating(() -> subscriber.psubscribe(names(patterns)));
        tell(this.patterns::add, listener::onPatternSubscribed, patterns);
    }

    @Override
    protected void doUnsubscribe(boolean all, byte[]... channels) {
        translating(() -> subscriber.unsubscribe(names(channels)));
        tell(this.channels::remove, listener::onChannelUnsubscribed, channels);
    }

    @Override
    protected void doPUnsubscribe(boolean all, byte[]... patterns) {
        translating(() -> subscriber.punsubscribe(names(patterns)));
        tell(this.patterns::remove, listener::onPatternUnsubscribed, patterns);
    }

    private static void translating(Runnable change) {
        try {
            change.run();
        } catch (RuntimeException failed) {
            throw Failures.translate(failed);
        }
    }

    @Override
    protected void doClose() {
        byte[][] ended = getChannels().toArray(byte[][]::new);
        byte[][] endedPatterns = getPatterns().toArray(byte[][]::new);
        subscriber.close();
        tell(channels::remove, listener::onChannelUnsubscribed, ended);
        tell(patterns::remove, listener::onPatternUnsubscribed, endedPatterns);
        confirmations.add(END);
    }

    /** With each name comes how many channels and patterns there are with it or without it, as the server counts. */
    private void tell(Consumer<Bytes> change, BiConsumer<byte[], Long> event, byte[]... names) {
        for (byte[] one : names) {
            confirmations.add(() -> {
                change.accept(Bytes.of(one));
                event.accept(one, (long) channels.size() + patterns.size());
            });
        }
    }

    /** What a listener throws must not leave its caller, while the subscription goes on. */
    private static void tell(Runnable told) {
        try {
            told.run();
        } catch (RuntimeException thrown) {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        }
    }

    /** Tells the listener of confirmations until the subscription ends; an interrupt ends it. */
    void await() {
        try {
            for (Runnable told = confirmations.take(); told != END; told = confirmations.take()) {
                tell(told);
            }
        } catch (InterruptedException stopped) {
            close();
            Thread.currentThread().interrupt();
        }
    }
}
