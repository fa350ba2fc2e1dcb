package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Supplier;

/** Publishes the reply to a command, which each subscriber has sent anew. */
final class CommandPublisher<T> implements Flow.Publisher<T> {
    private final Command<T> command;
    private final Supplier<CompletableFuture<T>> send;
    private final Supplier<Unclaimed> unclaimed;

    CommandPublisher(Command<T> command, Supplier<CompletableFuture<T>> send, Supplier<Unclaimed> unclaimed) {
        this.command = java.util.Objects.requireNonNull(command);
        this.send = send;
        this.unclaimed = unclaimed;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        new Reply(subscriber).begin();
    }

    private final class Reply extends Demand<T> {
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
                    call = send.get();
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
            if (call == null || taken || call.cancel(false)) {
                return;
            } else if (!call.isCompletedExceptionally()) {
                // The reply came first, and the subscriber does not take it.
                unclaimed.get().reply(command, call.join());
                return;
            }
            RuntimeException failed = Call.failure(call.handle((none, failure) -> failure).join());
            if (Unclaimed.mayHaveRun(failed)) {
                unclaimed.get().unheard(command, failed);
            }
        }
    }
}
