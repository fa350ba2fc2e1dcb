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
public final class ClusterTransaction extends Transaction {
    private final RedisCluster cluster;
    private final ServerTransaction work;
    private int slot = -1;
    private ClusterNode node;
    private boolean watching;

    ClusterTransaction(RedisCluster cluster) {
        this.cluster = cluster;
        this.work = new ServerTransaction(cluster.topology().any().client);
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

    @Override
    public void watch(CharSequence... keys) {
        watch(usual(), keys);
    }

    @Override
    public void watch(Duration timeout, CharSequence... keys) {
        watch(CallTime.within(RedisOptions.positive(timeout)), keys);
    }

    private void watch(CallTime time, CharSequence... keys) {
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
                work.watch(time.rest(), keys);
                return null;
            });
            return;
        }
        int before = slot;
        settle(found);
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
        return new Attempts(cluster.topology(), "MULTI", cluster.options().retry, repeatable, time);
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

    @Override
    public <T> T execute(Command<T> command) {
        belongs(command);
        return noting(() -> work.execute(command));
    }

    @Override
    public <T> T execute(Command<T> command, Duration timeout) {
        belongs(command);
        return noting(() -> work.execute(command, timeout));
    }

    @Override
    public <T> Result<T> add(Command<T> command) {
        int found = command.slot();
        belongs(found, command.name());
        Result<T> result = work.add(command);
        settle(found);
        return result;
    }

    @Override
    public Optional<List<Result<?>>> exec() {
        return exec(usual());
    }

    @Override
    public Optional<List<Result<?>>> exec(Duration timeout) {
        return exec(CallTime.within(RedisOptions.positive(timeout)));
    }

    private Optional<List<Result<?>>> exec(CallTime time) {
        Observers observers = cluster.options().observers;
        return observers == null ? execNow(time)
            : observers.transaction(cluster.operation("MULTI", work.size()), () -> execNow(time));
    }

    private Optional<List<Result<?>>> execNow(CallTime time) {
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

    @Override
    public boolean isWatching() {
        return work.isWatching();
    }

    @Override
    public int size() {
        return work.size();
    }

    @Override
    public void close() {
        work.close();
        watching = false;
        slot = -1;
    }
}
