package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;

/**
 * What a command of a pipeline or transaction will have replied.
 *
 * @param <T> the type of the reply
 */
public final class Result<T> {
    private static final int MOST_SHOWN = 200;

    private final Command<T> command;
    /** Where the command ends among those that are sent with it. */
    final int end;
    private T value;
    private RuntimeException failure;
    private boolean done;

    Result(Command<T> command, int end) {
        this.command = command;
        this.end = end;
    }

    Command<T> command() {
        return command;
    }

    /** Returns whether the reply is there. */
    public boolean isDone() {
        return done;
    }

    /**
     * Returns the reply.
     *
     * @throws RedisException if it is an error
     * @throws SamewireException {@code type_mismatch} or {@code bad_utf8} if it could not be read; {@code misuse} if it
     *     is not there
     */
    public T get() {
        if (!done) {
            throw new SamewireException(Code.MISUSE, -1, null, "there is no reply: expected execute() or exec() to have"
                + " returned, and a transaction to have run");
        } else if (failure != null) {
            throw failure;
        }
        return value;
    }

    /** Returns why there is no value, or null if there is one. */
    public RuntimeException failure() {
        return failure;
    }

    /** Returns whether the server refused a command since it is reading its data into memory. */
    static boolean isLoading(RuntimeException failure) {
        return failure instanceof RedisException error && error.text().startsWith("LOADING ");
    }

    /** Takes the reply at the reader. */
    void take(ReplyReader reply, boolean isError) {
        done = true;
        value = null;
        try {
            if (isError) {
                failure = reply.readError().to(command.name());
            } else {
                value = command.read(reply);
            }
        } catch (RuntimeException unreadable) {
            failure = unreadable;
        } catch (Error broken) {
            // The other results of the pipeline have replies.
            failure = new IllegalStateException(broken);
        }
    }

    /** Takes a reply that may not be complete, and returns whether it could be read. */
    boolean takeDirectly(ReplyReader reply) {
        try {
            value = command.read(reply);
            done = true;
            return true;
        } catch (RuntimeException | Error unread) {
            return false;
        }
    }

    /** Takes a reply, or a failure, that was read elsewhere. */
    void settle(T reply, RuntimeException why) {
        done = true;
        value = reply;
        failure = why;
    }

    /** The command, and what has become of it: the value, shortened, or why there is none. */
    @Override
    public String toString() {
        String state = !done ? "no reply yet" : failure != null ? failure.getMessage() : shortened();
        return command.name() + ": " + state;
    }

    private String shortened() {
        String text = String.valueOf(value);
        return text.length() <= MOST_SHOWN ? text
            : text.substring(0, MOST_SHOWN) + "… (" + text.length() + " characters)";
    }

    void reset() {
        done = false;
        value = null;
        failure = null;
    }
}
