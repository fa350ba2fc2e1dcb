package io.samewire.redis.client;

import io.samewire.redis.resp.RequestWriter;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Writers of pipelines that are over, for those that begin: 1,000 SETs would otherwise allocate and copy 128 KB while
 * their array grows. Thread-safe.
 */
final class SpareWriters {
    private static final int SLOTS = 8;

    private final AtomicReferenceArray<RequestWriter> spare = new AtomicReferenceArray<>(SLOTS);

    private static int slot() {
        return (int) Thread.currentThread().getId() & SLOTS - 1;
    }

    /** Returns an empty writer. */
    RequestWriter take() {
        RequestWriter found = spare.getAndSet(slot(), null);
        return found == null ? new RequestWriter() : found;
    }

    /** Takes a writer that nobody uses any more. */
    void give(RequestWriter writer) {
        writer.reset();
        spare.set(slot(), writer);
    }
}
