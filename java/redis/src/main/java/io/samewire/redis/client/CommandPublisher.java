package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Supplier;

/** Publishes the reply to a command, which each subscriber has sent anew. */
final class CommandPublisher<T> implements Flow.Publisher<T> {
    private final Supplier<AsyncClient> client;
    private final Command<T> command;
    /** Null for the usual time. */
    private final Duration timeout;

    CommandPublisher(Supplier<AsyncClient> client, Command<T> command, Duration timeout) {
        this.client = client;
        this.command = java.util.Objects.requireNonNull(command);
        this.timeout = timeout;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        new Reply(subscriber).begin();
    }

    private final class Reply extends Demand<T> {
        private AsyncClient async;
        private CompletableFuture<T> call;
        /** Whether the subscriber was called with what became of the call. */
        private boolean taken;

        Reply(Flow.Subscriber<? super T> subscriber) {
            super(subscriber);
        }

        @Override
        void advance() {
            if (call == null && isRequested()) {
                try {
                    async = client.get();
                    call = timeout == null ? async.execute(command) : async.execute(command, timeout);
                } catch (RuntimeException | Error refused) {
                    fail(refused);
                    return;
                }
                call.whenComplete((value, failure) -> note());
            }
            if (call == null || !call.isDone()) {
                return;
            }
            taken = true;
            if (call.isCompletedExceptionally()) {
                fail(Call.failure(call.handle((none, failure) -> failure).join()));
                return;
            }
            T value = call.join();
            if (value != null) {
                publish(value);
            }
            if (!isOver()) {
                complete();
            }
        }

        @Override
        void release() {
            if (call != null && !taken && !call.cancel(false) && !call.isCompletedExceptionally()) {
                // The reply came first, and the subscriber does not take it.
                async.unclaimed().reply(command, call.join());
            }
        }
    }
}
