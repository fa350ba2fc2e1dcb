package io.samewire.redis.client;

import io.samewire.redis.client.Observer.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The observers of a client, in the order in which they were added. A client without any has null in its place. */
final class Observers {
    private final List<Observer> all;
    /** Whether calls are told, too. */
    private final boolean calls;

    private Observers(List<Observer> all, boolean calls) {
        this.all = all;
        this.calls = calls;
    }

    /** Returns these observers, which may be null, and one more. */
    static Observers and(Observers before, Observer more) {
        Stream<Observer> old = before == null ? Stream.empty() : before.all.stream();
        return new Observers(Stream.concat(old, Stream.of(more)).toList(), true);
    }

    /** Returns these for a client within another one, whose calls are not a program's. */
    Observers withoutCalls() {
        return new Observers(all, false);
    }

    /** Makes a call and tells of it. */
    <T> T call(Operation operation, Supplier<T> call) {
        return call(operation, call, value -> null);
    }

    /** Runs a batch and notifies the observers, with the first error among its replies. */
    List<Result<?>> batch(Operation operation, Supplier<List<Result<?>>> call) {
        return call(operation, call, Observers::failure);
    }

    /** Runs a transaction and notifies the observers, with the first error among its replies. */
    Optional<List<Result<?>>> transaction(Operation operation, Supplier<Optional<List<Result<?>>>> call) {
        return call(operation, call, results -> results.map(Observers::failure).orElse(null));
    }

    private static Throwable failure(List<Result<?>> results) {
        for (Result<?> result : results) {
            if (result.failure() != null) {
                return result.failure();
            }
        }
        return null;
    }

    private <T> T call(Operation operation, Supplier<T> call, Function<T, Throwable> failure) {
        if (!calls) {
            return call.get();
        }
        long start = Deadlines.now();
        Object[] tokens = started(operation);
        T value;
        try {
            value = call.get();
        } catch (RuntimeException | Error failed) {
            finished(tokens, operation, start, failed);
            throw failed;
        }
        finished(tokens, operation, start, failure.apply(value));
        return value;
    }

    /** Makes a call of a caller that does not wait, and tells of it. */
    <T> CompletableFuture<T> submit(Operation operation, Supplier<CompletableFuture<T>> call) {
        if (!calls) {
            return call.get();
        }
        long start = Deadlines.now();
        Object[] tokens = started(operation);
        CompletableFuture<T> reply;
        try {
            reply = call.get();
        } catch (RuntimeException | Error failed) {
            finished(tokens, operation, start, failed);
            throw failed;
        }
        // The caller gets the future itself: one that is derived from it would not cancel the call.
        reply.whenComplete((value, failed) -> finished(tokens, operation, start,
            failed instanceof CompletionException around ? around.getCause() : failed));
        return reply;
    }

    private Object[] started(Operation operation) {
        Object[] tokens = new Object[all.size()];
        for (int i = 0; i < tokens.length; i++) {
            try {
                tokens[i] = all.get(i).started(operation);
            } catch (RuntimeException | Error thrown) {
                report(thrown);
            }
        }
        return tokens;
    }

    /** In the opposite order: what an observer began last ends first. */
    private void finished(Object[] tokens, Operation operation, long start, Throwable error) {
        Duration time = Duration.ofNanos(Deadlines.now() - start);
        for (int i = tokens.length - 1; i >= 0; i--) {
            Object token = tokens[i];
            tell(all.get(i), one -> one.finished(token, operation, time, error));
        }
    }

    void repeated(String name, int failures, Throwable error) {
        all.forEach(observer -> tell(observer, one -> one.repeated(name, failures, error)));
    }

    void connected(Address server, long nanos) {
        Duration time = Duration.ofNanos(nanos);
        all.forEach(observer -> tell(observer, one -> one.connected(server, time)));
    }

    void disconnected(Address server, Throwable error) {
        all.forEach(observer -> tell(observer, one -> one.disconnected(server, error)));
    }

    private static void tell(Observer observer, Consumer<Observer> event) {
        try {
            event.accept(observer);
        } catch (RuntimeException | Error thrown) {
            report(thrown);
        }
    }

    private static void report(Throwable thrown) {
        Thread current = Thread.currentThread();
        current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
    }
}
