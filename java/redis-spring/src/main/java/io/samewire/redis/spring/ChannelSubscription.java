package io.samewire.redis.spring;

import io.samewire.redis.client.CommandClient;
import io.samewire.redis.client.Subscriber;
import io.samewire.redis.command.Bytes;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
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
        tell(listener::onChannelSubscribed, count(), channels);
    }

    @Override
    protected void doPsubscribe(byte[]... patterns) {
        translating(() -> subscriber.psubscribe(names(patterns)));
        tell(listener::onPatternSubscribed, count(), patterns);
    }

    @Override
    protected void doUnsubscribe(boolean all, byte[]... channels) {
        translating(() -> subscriber.unsubscribe(names(channels)));
        tell(listener::onChannelUnsubscribed, count(), channels);
    }

    @Override
    protected void doPUnsubscribe(boolean all, byte[]... patterns) {
        translating(() -> subscriber.punsubscribe(names(patterns)));
        tell(listener::onPatternUnsubscribed, count(), patterns);
    }

    private long count() {
        return getChannels().size() + getPatterns().size();
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
        byte[][] channels = getChannels().toArray(byte[][]::new);
        byte[][] patterns = getPatterns().toArray(byte[][]::new);
        subscriber.close();
        tell(listener::onChannelUnsubscribed, 0, channels);
        tell(listener::onPatternUnsubscribed, 0, patterns);
        confirmations.add(END);
    }

    private void tell(BiConsumer<byte[], Long> event, long count, byte[]... names) {
        confirmations.add(() -> {
            for (byte[] one : names) {
                event.accept(one, count);
            }
        });
    }

    /** Tells the listener of confirmations until the subscription ends; an interrupt ends it. */
    void await() {
        try {
            for (Runnable told = confirmations.take(); told != END; told = confirmations.take()) {
                told.run();
            }
        } catch (InterruptedException stopped) {
            close();
            Thread.currentThread().interrupt();
        }
    }
}
