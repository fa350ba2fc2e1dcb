package io.samewire.redis.client;

import io.samewire.redis.resp.ReplyReader;
import java.util.function.Predicate;

/** Commands that are encoded already and go out together, and what takes their replies. */
interface Batch {
    /** What it is, for error texts. */
    default String name() {
        return "a pipeline of " + replies() + " commands";
    }

    /** The array that holds the commands from its start on. */
    byte[] bytes();

    /** How many bytes of commands there are. */
    int length();

    /** How many replies are to come. */
    int replies();

    /** Where the command of a reply ends. */
    int end(int index);

    /**
     * Finds out on a connection, within a time, what must be known before the commands are written on it. Returns
     * whether they may be; if not, {@link #isRefused} tells why.
     */
    default boolean prepare(Connection connection, long until) {
        return true;
    }

    /** Called before another attempt: what an earlier one brought is dropped. */
    void begin();

    /**
     * Takes the reply at the buffer's start. What its conversion throws is its caller's, and must not be thrown here.
     */
    void take(int index, ReplyBuffer in);

    /**
     * Reads a reply that may not be complete, and returns whether it could. If not, or if it was not read to its end,
     * {@link #take} follows.
     */
    default boolean takeDirectly(int index, ReplyReader reply) {
        return false;
    }

    /** Called when the connection is lost after so many replies, and of the commands so many bytes were written. */
    void lost(int replied, long written);

    /**
     * Whether the server refused commands for a reason, and all may be sent again: it has run none of the others, or
     * they may be repeated.
     */
    boolean isRefused(Predicate<RuntimeException> reason);

    /** What the server refused a command with first; null for nothing. */
    RuntimeException refusal();

    /** Whether, after {@link #lost}, one of the commands may have run. */
    boolean mayHaveRun();
}
