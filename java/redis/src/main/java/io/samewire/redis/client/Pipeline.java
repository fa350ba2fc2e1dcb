package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.time.Duration;
import java.util.List;

/**
 * Commands that are sent together by {@link #execute}. Other clients' commands may run between them; for a transaction
 * there is {@link CommandClient#transaction}. On a cluster each command goes to its node. Not thread-safe.
 */
public abstract sealed class Pipeline permits ServerPipeline, ClusterPipeline {
    Pipeline() { }

    /**
     * Adds a command.
     *
     * @return where its reply will be
     * @throws io.samewire.core.SamewireException {@code misuse} if it changes the connection, on a cluster also if it
     *     waits for other clients or has keys in several slots and cannot be split; and what is wrong with its
     *     arguments. The pipeline stays as it was
     */
    public abstract <T> Result<T> add(Command<T> command);

    /** Returns how many commands wait. */
    public abstract int size();

    /**
     * Sends the commands, and waits for all replies; the pipeline is empty then. An error of the server is the result
     * of its command, and thrown by {@link Result#get} alone.
     *
     * @return the results in the order of the commands
     * @throws ConnectionException if the connection to a single server was lost, and one of the commands cannot be
     *     repeated: {@link ConnectionException#mayHaveRun()} tells of them as a whole. Results that had come stay. On a
     *     cluster the loss of a node is the result of its commands
     */
    public abstract List<Result<?>> execute();

    /**
     * Does the same within a time, which covers all that it does.
     *
     * @throws io.samewire.core.SamewireException as {@link #execute()}; {@code timeout} if the time is over, on a
     *     cluster as the result of each command that has no reply by then; {@code misuse} if it is not above 0
     */
    public abstract List<Result<?>> execute(Duration timeout);

    /** How many commands wait. */
    @Override
    public final String toString() {
        return "a pipeline of " + size() + " commands";
    }
}
