package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future that refuses to be waited for on the thread that reads replies, which would wait for itself for ever. What
 * is made of it by {@code thenApply} and the like does the same.
 */
class GuardedFuture<T> extends CompletableFuture<T> {
    /** The thread that reads the replies of a shared connection, and completes its calls. */
    static final class Reader extends Thread {
        Reader(Runnable work, String name) {
            super(work, name);
            setDaemon(true);
        }
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new GuardedFuture<>();
    }

    private void guard() {
        if (Thread.currentThread() instanceof Reader && !isDone()) {
            throw new SamewireException(Code.MISUSE, -1, null, "this thread reads the replies: it cannot wait for one."
                + " Chain with thenCompose, or give the client an executor: RedisOptions.withExecutor");
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        guard();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        guard();
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        guard();
        return super.join();
    }
}
