package acceptance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Java threads that call Python, and places where threads of Python meet in Java. */
public final class Threads {
    private static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();
    private static int shared;

    private Threads() {
    }

    /** Runs a task in a thread of its own, and returns what it returned. */
    public static <T> T elsewhere(Callable<T> task) throws Exception {
        return several(task, 1).get(0);
    }

    /** Runs a task in several threads at once. */
    public static <T> List<T> several(Callable<T> task, int threads) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> future : pool.invokeAll(Collections.nCopies(threads, task))) {
                results.add(future.get(10, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            pool.shutdown();
        }
    }

    /** Runs a task in a thread that the caller does not wait for. */
    public static CompletableFuture<Object> later(Callable<?> task) {
        CompletableFuture<Object> future = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                future.complete(task.call());
            } catch (Exception e) {
                future.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return future;
    }

    public static Object within(CompletableFuture<?> future, int seconds)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(seconds, TimeUnit.SECONDS);
    }

    @SuppressWarnings("deprecation") // since JDK 19; 17 has no other
    public static long thread() {
        return Thread.currentThread().getId();
    }

    /** Whether a task's own call of {@link #thread()} runs in the thread that runs the task. */
    public static boolean reenters(Callable<? extends Number> task) throws Exception {
        return task.call().longValue() == thread();
    }

    public static void setLocal(Object value) {
        LOCAL.set(value);
    }

    public static Object getLocal() {
        return LOCAL.get();
    }

    public static synchronized int increment() {
        return ++shared;
    }

    /** Waits until a latch opens. */
    public static boolean awaited(CountDownLatch latch, int seconds) throws InterruptedException {
        return latch.await(seconds, TimeUnit.SECONDS);
    }
}
