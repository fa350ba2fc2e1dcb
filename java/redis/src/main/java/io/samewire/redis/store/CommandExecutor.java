package io.samewire.redis.store;

import io.samewire.redis.command.Command;
import io.samewire.redis.command.ScanPage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** What typed values need of a client. Implementations are thread-safe. */
public interface CommandExecutor {
    /** Sends a command and returns its reply. */
    <T> T execute(Command<T> command);

    /**
     * Sends a command without waiting for its reply. Commands that are sent one after the other to the same server run
     * in this order.
     *
     * @return a future of the reply, which may be completed by a thread that must not wait
     */
    <T> CompletableFuture<T> submit(Command<T> command);

    /**
     * Sends commands together and returns their replies in order; throws the first error once all replies are there.
     */
    <T> List<T> executeAll(List<? extends Command<? extends T>> commands);

    /** Returns all that a scan finds; {@code page} makes the command for the page at a cursor. */
    <T> Stream<T> scan(Function<String, ? extends Command<ScanPage<T>>> page);

    /** Returns whether one command may have keys of several slots, which a cluster refuses. */
    boolean mixesSlots();

    /**
     * Subscribes to a channel; returns when the server has confirmed it. Payloads go to {@code listener} on a thread of
     * its own, one after the other.
     *
     * @param sharded whether the channel is that of {@code SPUBLISH}
     * @return what ends the subscription
     */
    Subscription subscribe(CharSequence channel, boolean sharded, Consumer<byte[]> listener);
}
