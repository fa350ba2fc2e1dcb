package io.samewire.pack.wire;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A few writers, kept for whoever asks; their number does not grow with the number of threads. A thread that comes first to
 * its place keeps a writer of its own there, which it takes without any synchronisation, since nobody else does. Others share
 * the rest, one at a time. Who finds nothing free, as someone further up its own stack may have it, gets a new writer.
 */
final class Writers {
    private static final int PLACES = 32;
    private static final AtomicReferenceArray<Writer> OWNED = new AtomicReferenceArray<>(PLACES);
    private static final AtomicReferenceArray<Writer> SHARED = new AtomicReferenceArray<>(PLACES);

    private Writers() {}

    static Writer take() {
        Thread thread = Thread.currentThread();
        int place = (int) thread.getId() & PLACES - 1;
        Writer own = OWNED.getPlain(place);
        if (own != null && own.owner == thread && !own.busy) {
            own.busy = true;
            return own;
        }
        return taken(thread, place, own);
    }

    private static Writer taken(Thread thread, int place, Writer own) {
        if (own == null || !own.owner.isAlive()) {
            Writer made = new Writer(thread);
            if (OWNED.compareAndSet(place, own, made)) {
                made.busy = true;
                return made;
            }
        }
        Writer shared = SHARED.getAndSet(place, null);
        return shared != null ? shared : new Writer(null);
    }

    static void give(Writer writer) {
        writer.end();
        if (writer.owner != null) {
            writer.busy = false;
        } else {
            SHARED.setRelease((int) Thread.currentThread().getId() & PLACES - 1, writer);
        }
    }
}
