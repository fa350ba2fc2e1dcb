package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Commands of a cluster that are sent together by {@link #execute}, each to its node, over the connections of callers
 * that do not wait. What is lost or redirected is judged command by command. Not thread-safe.
 */
public final class ClusterPipeline extends Pipeline {
    /** Commands that are on their way at once: the time for a reply begins as a command is handed over. */
    private static final int WINDOW = 16_384;

    private final RedisCluster cluster;
    private List<Result<?>> results = new ArrayList<>();

    ClusterPipeline(RedisCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public <T> Result<T> add(Command<T> command) {
        cluster.check(command);
        Result<T> result = new Result<>(command, 0);
        results.add(result);
        return result;
    }

    @Override
    public int size() {
        return results.size();
    }

    @Override
    public List<Result<?>> execute() {
        return run(null);
    }

    @Override
    public List<Result<?>> execute(Duration timeout) {
        return run(CallTime.within(RedisOptions.positive(timeout)));
    }

    private List<Result<?>> run(CallTime time) {
        Observers observers = cluster.options().observers;
        return observers == null ? runNow(time)
            : observers.batch(cluster.operation("PIPELINE", results.size()), () -> runNow(time));
    }

    private List<Result<?>> runNow(CallTime time) {
        List<Result<?>> sent = results;
        results = new ArrayList<>();
        for (int from = 0; from < sent.size(); from += WINDOW) {
            List<Result<?>> window = sent.subList(from, Math.min(sent.size(), from + WINDOW));
            List<CompletableFuture<?>> replies = new ArrayList<>(window.size());
            for (Result<?> result : window) {
                replies.add(cluster.submit(result.command(), time == null ? 0 : Math.max(1, time.left()), true));
            }
            for (int i = 0; i < window.size(); i++) {
                settle(window.get(i), replies.get(i));
            }
        }
        return Collections.unmodifiableList(sent);
    }

    @SuppressWarnings("unchecked")
    private static <T> void settle(Result<T> result, CompletableFuture<?> reply) {
        try {
            result.settle((T) Call.await(reply), null);
        } catch (RuntimeException failed) {
            result.settle(null, failed);
        }
    }
}
