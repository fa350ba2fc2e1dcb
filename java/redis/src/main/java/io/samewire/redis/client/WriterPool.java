package io.samewire.redis.client;

import io.samewire.redis.resp.RequestWriter;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A pool of writers, which finished pipelines give back: 1,000 SETs would otherwise allocate and copy 128 KB while
 * their array grows. Thread-safe.
 */
final class WriterPool {
    private static final int SLOTS = 8;

    private final AtomicReferenceArray<RequestWriter> slots = new AtomicReferenceArray<>(SLOTS);

    private static int slot() {
        return (int) Thread.currentThread().getId() & SLOTS - 1;
    }

    /** Returns an empty writer. */
    RequestWriter take() {
        RequestWriter found = slots.getAndSet(slot(), null);
        return found == null ? new RequestWriter() : found;
    }

    /** Gives a writer back. The caller must not use it any more. */
    void give(RequestWriter writer) {
        writer.reset();
        slots.set(slot(), writer);
    }
}
