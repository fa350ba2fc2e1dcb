package io.samewire.redis.client;

import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Commands that run one after the other, without others between them, or not at all if a watched key was changed. After
 * {@link #watch} commands may be executed at once, to read what the transaction depends on. On a cluster all keys must
 * be in one slot. Close it: until then it may hold a connection. Not thread-safe.
 *
 * <pre>{@code
 * try (Transaction work = client.transaction()) {
 *     work.watch("balance");
 *     long balance = Long.parseLong(work.execute(Strings.get("balance")).orElse("0"));
 *     Result<Long> left = work.add(Strings.decrby("balance", 10));
 *     if (balance < 10 || work.exec().isEmpty()) { ... }
 * }
 * }</pre>
 */
public abstract sealed class Transaction implements AutoCloseable permits ServerTransaction, ClusterTransaction {
    Transaction() { }

    /**
     * Has {@link #exec} run nothing if one of these keys is changed before it. Together with earlier ones.
     *
     * @throws SamewireException {@code misuse} if commands were added, no key is given, or keys are in several slots of
     *     a cluster
     * @throws ConnectionException if no connection could be made, or it was lost; nothing is watched then
     */
    public abstract void watch(CharSequence... keys);

    /**
     * Does the same within a time, which covers all that it does.
     *
     * @throws SamewireException as {@link #watch(CharSequence...)}; {@code timeout} if the time is over, {@code misuse}
     *     if it is not above 0
     */
    public abstract void watch(Duration timeout, CharSequence... keys);

    /**
     * Executes a command now, on the connection that watches; it is not part of the transaction.
     *
     * @throws SamewireException {@code misuse} if nothing is watched, where the client itself executes; or if the
     *     command is in another slot of a cluster
     * @throws ConnectionException if the connection was lost; nothing is watched then
     */
    public abstract <T> T execute(Command<T> command);

    /**
     * Does the same within a time of its own instead of {@link RedisOptions#withCommandTimeout}.
     *
     * @throws SamewireException as {@link #execute(Command)}; {@code timeout} if the time is over, {@code misuse} if it
     *     is not above 0
     */
    public abstract <T> T execute(Command<T> command, Duration timeout);

    /**
     * Adds a command to the transaction.
     *
     * @return where its reply will be
     * @throws SamewireException {@code misuse} if it changes the connection, or is in another slot of a cluster than
     *     what was added or watched before; and what is wrong with its arguments. The transaction stays as it was
     */
    public abstract <T> Result<T> add(Command<T> command);

    /**
     * Runs the transaction; it is empty then, and nothing is watched.
     *
     * @return the results in the order of the commands, or empty if a watched key was changed, or may have been: its
     *     connection was lost before, or its slot moved. Nothing has run then
     * @throws RedisException if the server refused one of the commands when it was queued: nothing has run
     * @throws ConnectionException if the connection was lost: it may have run if {@link
     *     ConnectionException#mayHaveRun()}
     */
    public abstract Optional<List<Result<?>>> exec();

    /**
     * Does the same within a time, which covers all that it does.
     *
     * @throws SamewireException as {@link #exec()}; {@code timeout} if the time is over, {@code misuse} if it is not
     *     above 0: the commands stay then
     */
    public abstract Optional<List<Result<?>>> exec(Duration timeout);

    /** Returns whether keys are watched: not any more once their connection was lost. */
    public abstract boolean isWatching();

    /** Returns how many commands were added. */
    public abstract int size();

    /** Drops what was added, and watches nothing any more. */
    @Override
    public abstract void close();

    /** How many commands were added. */
    @Override
    public final String toString() {
        return "a transaction of " + size() + " commands";
    }
}
