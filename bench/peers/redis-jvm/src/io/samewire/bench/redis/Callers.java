package io.samewire.bench.redis;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Callers on one connection, each of which waits for its reply before it calls again, without a thread of its own. */
final class Callers {
    static final int AT_ONCE = 1000;
    /** Calls of each caller. */
    static final int CALLS = 10;

    private final Supplier<? extends CompletionStage<String>> call;
    private final CountDownLatch open = new CountDownLatch(AT_ONCE);
    private final AtomicLong right = new AtomicLong();

    private Callers(Supplier<? extends CompletionStage<String>> call) {
        this.call = call;
    }

    /** Starts all of them and waits for the last; returns how many replies were the right ones. */
    static Long run(Supplier<? extends CompletionStage<String>> call) {
        Callers callers = new Callers(call);
        for (int i = 0; i < AT_ONCE; i++) {
            callers.next(CALLS, 0);
        }
        try {
            callers.open.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
        return callers.right.get();
    }

    private void next(int left, int replied) {
        call.get().whenComplete((reply, failure) -> {
            int more = Shape.STORED.equals(reply) ? replied + 1 : replied;
            if (left > 1) {
                next(left - 1, more);
            } else {
                right.addAndGet(more);
                open.countDown();
            }
        });
    }
}
