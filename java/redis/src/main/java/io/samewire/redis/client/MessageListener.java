package io.samewire.redis.client;

/** Takes what a {@link Subscriber} hears, on a thread of its own, one call after the other. It may take its time. */
@FunctionalInterface
public interface MessageListener {
    /** Takes a message. What it throws goes to the thread's handler of uncaught exceptions; the next message comes. */
    void message(Message message);

    /** The connection was lost, and is being made again: messages of the time until {@link #restored} are lost. */
    default void lost(RuntimeException why) { }

    /** Everything is subscribed to again. */
    default void restored() { }

    /** The server ended a subscription to a channel, since its slot went to another node of the cluster. */
    default void ended(io.samewire.redis.command.Bytes channel) { }
}
