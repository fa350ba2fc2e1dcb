package io.samewire.redis.client;

import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.resp.RedisException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A transaction on the node of one slot, used like {@link Transaction}. It follows the slot when that moves; while the
 * slot is on its way, it waits. Close it. Not thread-safe.
 */
public final class ClusterTransaction implements AutoCloseable {
    private final RedisCluster cluster;
    private final Transaction work;
    private int slot = -1;
    private ClusterNode node;
    private boolean watching;

    ClusterTransaction(RedisCluster cluster) {
        this.cluster = cluster;
        this.work = cluster.topology().any().client.transaction();
    }

    private void belongs(Command<?> command) {
        belongs(command.slot(), command.name());
    }

    private void belongs(int other, String what) {
        if (slot >= 0 && other >= 0 && other != slot) {
            throw RedisOptions.misuse(what + " has keys in slot " + other + ", and the transaction is in slot " + slot
                + ": expected one slot; give the keys one hash tag, like {user:1}.name");
        }
    }

    private void settle(int found) {
        slot = found < 0 ? slot : found;
    }

    /** Turns to the node that serves the slot now. */
    private void find(Attempts attempts) {
        node = attempts.node();
        if (node == null) {
            node = slot < 0 ? cluster.topology().any() : cluster.topology().serving(slot, false);
        }
        work.moveTo(node.client);
    }

    /**
     * Has {@link #exec} run nothing if one of these keys is changed before it, as {@link Transaction#watch} does.
     *
     * @throws SamewireException {@code misuse} if commands were added, no key is given, or keys are in several slots
     * @throws ConnectionException if no connection could be made
     */
    public void watch(CharSequence... keys) {
        int found = -1;
        for (CharSequence key : keys) {
            int own = RedisCluster.slot(key);
            belongs(own, "watch");
            if (found >= 0 && own != found) {
                throw RedisOptions.misuse("watch has keys in slots " + found + " and " + own + ": expected one slot;"
                    + " give the keys one hash tag, like {user:1}.name");
            }
            found = own;
        }
        if (watching) {
            noting(() -> {
                work.watch(keys);
                return null;
            });
            return;
        }
        int before = slot;
        settle(found);
        CallTime time = usual();
        Attempts attempts = attempts(true, time);
        while (true) {
            int seen = cluster.topology().round();
            RuntimeException failed;
            node = null;
            try {
                find(attempts);
                work.watch(cluster.part(time, Deadlines.now(), false), keys);
                watching = true;
                return;
            } catch (ConnectionException | RedisException error) {
                failed = error;
            } catch (SamewireException wrong) {
                slot = before;
                throw wrong;
            }
            work.unwatch();
            cluster.follow(attempts, attempts.afterTransaction(failed, node), seen);
        }
    }

    private CallTime usual() {
        return CallTime.ofBatch(cluster.options());
    }

    private Attempts attempts(boolean repeatable, CallTime time) {
        return new Attempts(cluster.topology(), cluster.options().retry, repeatable, time);
    }

    private <T> T noting(java.util.function.Supplier<T> use) {
        try {
            return use.get();
        } catch (ConnectionException | RedisException failed) {
            // The caller begins again; then the map is newer.
            attempts(false, usual()).afterTransaction(failed, node);
            throw failed;
        }
    }

    /**
     * Executes a command now, on the connection that watches; it is no part of the transaction.
     *
     * @throws SamewireException {@code misuse} if nothing is watched, or the command is in another slot
     * @throws ConnectionException if the connection was lost; nothing is watched then
     */
    public <T> T execute(Command<T> command) {
        belongs(command);
        return noting(() -> work.execute(command));
    }

    /**
     * Adds a command to the transaction.
     *
     * @return where its reply will be
     * @throws SamewireException {@code misuse} if it is in another slot than what was added or watched before, or as
     *     {@link Transaction#add}; the transaction stays as it was
     */
    public <T> Result<T> add(Command<T> command) {
        int found = command.slot();
        belongs(found, command.name());
        Result<T> result = work.add(command);
        settle(found);
        return result;
    }

    /**
     * Runs the transaction; it is empty then, and nothing is watched.
     *
     * @return the results in the order of the commands, or empty if a watched key was changed, or may have been: its
     *     connection was lost, or its slot moved. Nothing has run then
     * @throws RedisException if the server refused one of the commands when it was queued: nothing has run
     * @throws ConnectionException if the connection was lost: it may have run if {@link
     *     ConnectionException#mayHaveRun()}
     */
    public Optional<List<Result<?>>> exec() {
        return exec(usual());
    }

    /**
     * Does the same within a time, which covers all that it does.
     *
     * @throws SamewireException as {@link #exec()}; {@code timeout} if the time is over, {@code misuse} if it is not
     *     above 0: the commands stay then
     */
    public Optional<List<Result<?>>> exec(Duration timeout) {
        return exec(CallTime.within(RedisOptions.positive(timeout)));
    }

    private Optional<List<Result<?>>> exec(CallTime time) {
        try {
            return watching ? runWatched(time) : run(time);
        } finally {
            work.end();
            watching = false;
            slot = -1;
        }
    }

    private Optional<List<Result<?>>> runWatched(CallTime time) {
        try {
            return work.attempt(time);
        } catch (RedisException refused) {
            boolean moved = attempts(false, time).afterTransaction(refused, node) == null;
            if (moved) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private Optional<List<Result<?>>> run(CallTime time) {
        Attempts attempts = attempts(false, time);
        while (true) {
            int seen = cluster.topology().round();
            RuntimeException failed;
            node = null;
            try {
                find(attempts);
                return work.attempt(cluster.part(time, Deadlines.now(), false));
            } catch (ConnectionException | RedisException error) {
                failed = error;
            }
            cluster.follow(attempts, attempts.afterTransaction(failed, node), seen);
        }
    }

    /** Drops what was added, and watches nothing any more. */
    @Override
    public void close() {
        work.close();
        watching = false;
        slot = -1;
    }
}
