package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import io.samewire.redis.command.ScanPage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Replies as publishers of {@link Flow}, from {@link CommandClient#reactive}. Nothing is sent before a subscriber asks
 * for it, and each subscription sends anew. Project Reactor takes them by {@code JdkFlowAdapter}, RxJava and Mutiny by
 * {@code FlowAdapters} of Reactive Streams.
 *
 * <p>Subscribers are called on the thread that completes the futures of {@link CommandClient#async}, or on their own in
 * {@code request}, and must not wait there without {@link RedisOptions#withExecutor}; those of messages are called on
 * the listener's thread. What a subscriber throws goes to the thread's handler of uncaught exceptions, and cancels.
 * Thread-safe.
 */
public final class ReactiveClient {
    private final CommandClient client;
    /** The servers of a scan, one after the other. */
    private final Supplier<List<AsyncClient>> scanned;

    ReactiveClient(CommandClient client, Supplier<List<AsyncClient>> scanned) {
        this.client = client;
        this.scanned = scanned;
    }

    private Unclaimed unclaimed() {
        return client.async().unclaimed();
    }

    /**
     * Returns a publisher of the reply to a command, which is sent when a subscriber first requests. It completes
     * behind the reply; without one if the reply is null. It fails with what {@link CommandClient#execute} throws.
     *
     * <p>Cancelling cancels the call as {@link AsyncClient} says: the wait of a blocking command ends on the server. An
     * element that it had popped and that the subscriber does not take any more goes to
     * {@link RedisOptions#withUnclaimed}.
     */
    public <T> Flow.Publisher<T> execute(Command<T> command) {
        return new CommandPublisher<>(command, () -> client.async().execute(command), this::unclaimed);
    }

    /**
     * Does the same, with a time of its own for the call.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if it is not above 0
     */
    public <T> Flow.Publisher<T> execute(Command<T> command, Duration timeout) {
        RedisOptions.positive(timeout);
        return new CommandPublisher<>(command, () -> client.async().execute(command, timeout), this::unclaimed);
    }

    /**
     * Returns a publisher of all that a scan finds, as {@link CommandClient#scan} does. A page is asked for when all
     * elements of the one before it were requested and there is demand for more. It fails with what
     * {@link CommandClient#execute} throws.
     *
     * @param page makes the command for the page at a cursor
     */
    public <T> Flow.Publisher<T> scan(Function<String, ? extends Command<ScanPage<T>>> page) {
        return new ScanPublisher<>(scanned, page, null);
    }

    /**
     * Does the same, with a time of its own for each page.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if it is not above 0
     */
    public <T> Flow.Publisher<T> scan(Function<String, ? extends Command<ScanPage<T>>> page, Duration timeout) {
        RedisOptions.positive(timeout);
        return new ScanPublisher<>(scanned, page, timeout);
    }

    /**
     * Returns a publisher of the messages of channels. Each subscriber has a {@link Subscriber} of its own, with its
     * connection and threads, from the time of its subscription until it cancels.
     *
     * <p>No message is dropped here. Those that were not requested wait: 65,536 messages or 64 MiB at most, then no
     * more are read from the connection, and the server keeps them as far as its {@code client-output-buffer-limit}
     * allows. Beyond that it closes the connection. A lost connection ends the publisher with a
     * {@link ConnectionException}, behind the messages that had come, because others may be missed; Reactor's
     * {@code retry} subscribes again. It fails likewise if the server refuses or the client is closed, and never
     * completes.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if no channel is given
     */
    public Flow.Publisher<Message> subscribe(CharSequence... channels) {
        return new MessagePublisher(client, SubscriptionKind.CHANNEL, channels);
    }

    /** Returns a publisher of the messages of channels that match patterns, as {@link #subscribe} does. */
    public Flow.Publisher<Message> psubscribe(CharSequence... patterns) {
        return new MessagePublisher(client, SubscriptionKind.PATTERN, patterns);
    }

    /** Returns a publisher of the messages of channels of shards, as {@link #subscribe} does. */
    public Flow.Publisher<Message> ssubscribe(CharSequence... channels) {
        return new MessagePublisher(client, SubscriptionKind.SHARD, channels);
    }
}
