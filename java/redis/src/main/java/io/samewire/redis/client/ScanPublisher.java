package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.ScanPage;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.function.Supplier;

/** Publishes what a scan finds; each subscriber has a scan of its own, which goes on as far as it requests. */
final class ScanPublisher<T> implements Flow.Publisher<T> {
    private final Supplier<List<AsyncClient>> servers;
    private final Function<String, ? extends Command<ScanPage<T>>> command;
    /** The time of each page; null for the usual one. */
    private final Duration timeout;

    ScanPublisher(Supplier<List<AsyncClient>> servers, Function<String, ? extends Command<ScanPage<T>>> command,
            Duration timeout) {
        this.servers = servers;
        this.command = java.util.Objects.requireNonNull(command);
        this.timeout = timeout;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        new Pages(subscriber).begin();
    }

    private final class Pages extends Demand<T> {
        /** Those that are left, beginning with the one that is scanned; null before the first page. */
        private List<AsyncClient> left;
        private String cursor = ScanPage.START;
        private Iterator<T> items = Collections.emptyIterator();
        /** The page that was asked for; null if none is. */
        private CompletableFuture<ScanPage<T>> page;

        Pages(Flow.Subscriber<? super T> subscriber) {
            super(subscriber);
        }

        @Override
        void advance() {
            while (true) {
                while (items.hasNext() && isRequested() && !isOver()) {
                    T item = items.next();
                    if (item == null) {
                        fail(new SamewireException(Code.TYPE_MISMATCH, -1, null,
                            "expected the elements of a scan, the server replied null among them"));
                        return;
                    }
                    publish(item);
                }
                if (isOver() || items.hasNext()) {
                    return;
                } else if (left != null && left.isEmpty()) {
                    complete();
                    return;
                } else if (page == null && (!isRequested() || !ask())) {
                    return;
                } else if (!page.isDone()) {
                    return;
                } else if (page.isCompletedExceptionally()) {
                    fail(Call.failure(page.handle((none, failure) -> failure).join()));
                    return;
                }
                ScanPage<T> found = page.join();
                page = null;
                items = found.items().iterator();
                cursor = found.cursor();
                if (found.isLast()) {
                    left = left.subList(1, left.size());
                }
            }
        }

        /** Asks for the next page. Returns whether it could, and is not over. */
        private boolean ask() {
            try {
                left = left == null ? servers.get() : left;
                if (left.isEmpty()) {
                    complete();
                    return false;
                }
                Command<ScanPage<T>> next = command.apply(cursor);
                AsyncClient async = left.get(0);
                page = timeout == null ? async.execute(next) : async.execute(next, timeout);
            } catch (RuntimeException | Error refused) {
                fail(refused);
                return false;
            }
            page.whenComplete((found, failure) -> note());
            return true;
        }

        @Override
        void release() {
            if (page != null) {
                page.cancel(false);
            }
        }
    }
}
