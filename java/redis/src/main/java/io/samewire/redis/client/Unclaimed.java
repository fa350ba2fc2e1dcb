package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.Reply;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Takes replies for which no caller waits any more: nothing that a command took from the server is lost silently. */
final class Unclaimed {
    /** What is refused before it is sent. */
    private static final Set<Code> BEFORE = Set.of(Code.MISUSE, Code.LIMIT_ITEMS, Code.LIMIT_SIZE);

    private final RedisOptions options;
    /** Runs what the program gives, on threads that may wait. */
    private final Executor threads;

    Unclaimed(RedisOptions options, Executor threads) {
        this.options = options;
        this.threads = threads;
    }

    /** A reply came for which no caller waits any more. Those of commands that neither wait nor take are dropped. */
    void reply(Command<?> command, Object value) {
        if (isNothing(value) || command.blockingMillis() < 0 && !command.takes()) {
            return;
        } else if (options.unclaimed != null) {
            run(() -> options.unclaimed.accept(command, value));
        } else if (command.takes()) {
            report(command.name() + " has taken a value or an element for a future that was done already (cancelled,"
                + " or out of time): it is dropped. RedisOptions.withUnclaimed takes such replies; commands that move"
                + " an element, and XREADGROUP without NOACK, keep it on the server", null);
        }
    }

    /** No reply came to a call that may have run, and whose future was done. */
    void inDoubt(Command<?> command, CompletableFuture<?> call, Throwable why) {
        if (!isTold(call)) {
            unheard(command, why);
        }
    }

    /** A call that may have run has failed, and nobody heard of it. */
    void unheard(Command<?> command, Throwable why) {
        if (!command.takes()) {
            return;
        } else if (options.inDoubt != null) {
            run(() -> options.inDoubt.accept(command, why));
        } else {
            report(command.name() + " may have taken a value or an element for a future that was done already"
                + " (cancelled): no reply tells. RedisOptions.withInDoubt hears of it; commands that move an element,"
                + " and XREADGROUP without NOACK, keep it on the server. " + why.getMessage(), why);
        }
    }

    /** Whether the future has told its caller that the command may have run. */
    private static boolean isTold(CompletableFuture<?> call) {
        return call.isCompletedExceptionally() && !call.isCancelled()
            && Call.failure(call.handle((none, failure) -> failure).join()) instanceof ConnectionException lost
            && lost.mayHaveRun();
    }

    /** Whether the server may have run a command, of which no reply tells, although it failed with this. */
    static boolean mayHaveRun(Throwable failure) {
        if (failure instanceof ConnectionException lost) {
            return lost.mayHaveRun();
        }
        return !(failure instanceof RedisException || failure instanceof CancellationException
            || failure instanceof SamewireException refused && BEFORE.contains(refused.code()));
    }

    private void run(Runnable taker) {
        threads.execute(() -> {
            try {
                taker.run();
            } catch (RuntimeException | Error thrown) {
                uncaught(thrown);
            }
        });
    }

    private void report(String text, Throwable why) {
        threads.execute(() -> uncaught(new SamewireException(Code.CLOSED, -1, null, text, why)));
    }

    private static void uncaught(Throwable thrown) {
        Thread current = Thread.currentThread();
        current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
    }

    private static boolean isNothing(Object value) {
        return value == null || value instanceof Reply.Null
            || value instanceof Optional<?> one && (one.isEmpty() || isNothing(one.get()))
            || value instanceof Collection<?> many && many.stream().allMatch(Unclaimed::isNothing)
            || value instanceof Map<?, ?> map && map.isEmpty()
            || value instanceof Reply.Array array && isNothing(array.elements());
    }
}
