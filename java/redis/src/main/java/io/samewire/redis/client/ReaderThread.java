package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;

/**
 * The thread that reads replies and completes calls, on which what is chained to a future must not wait for another:
 * nobody would read that one's reply, nor any other caller's.
 *
 * <p>Waiting for a {@link CompletableFuture}, also for one that {@code allOf} made, is a managed wait of a fork-join
 * pool: before a thread of the pool blocks, the pool makes another one, and if it may have no more, asks what is to be
 * done. So the pool of this thread alone is asked at each such wait, and refuses it at once. What does not wait costs
 * nothing more than on any other thread.
 */
final class ReaderThread extends ForkJoinWorkerThread {
    /** What stands between this class and who waits. */
    private static final Set<String> BETWEEN = Set.of(ReaderThread.class.getName(), ForkJoinPool.class.getName());

    private ReaderThread(ForkJoinPool pool, String name) {
        super(pool);
        setName(name);
    }

    /** Returns a pool of one such thread, which is a daemon. Shut down, it ends with the work that it was given. */
    static ForkJoinPool pool(String name) {
        return new ForkJoinPool(1, pool -> new ReaderThread(pool, name), null, false, 1, 1, 1,
            ReaderThread::mayBlock, 1, TimeUnit.MINUTES);
    }

    /** Called by the thread that is about to block, when there is none to take its place. */
    private static boolean mayBlock(ForkJoinPool pool) {
        // Futures that are being completed stand further down.
        String waiting = StackWalker.getInstance().walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
            .filter(name -> !BETWEEN.contains(name)).findFirst().orElse(""));
        if (waiting.equals(CompletableFuture.class.getName())) {
            throw new SamewireException(Code.MISUSE, -1, null, "this thread reads the replies of all callers: it cannot"
                + " wait for a future. Chain with thenCompose or thenCombine, or give the client an executor:"
                + " RedisOptions.withExecutor");
        }
        // Locks and queues, of TLS for instance, are waited for as on any thread.
        return true;
    }
}
