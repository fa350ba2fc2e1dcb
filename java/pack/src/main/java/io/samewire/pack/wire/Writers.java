package io.samewire.pack.wire;

import java.util.ArrayDeque;

/**
 * A few writers, kept for whoever asks; their number does not grow with the number of threads. A thread that comes first to
 * its place keeps a writer of its own there, which it takes without any synchronisation, since nobody else does. Others share
 * the rest, one at a time. Who finds nothing free, as someone further up its own stack may have it, gets a new writer.
 */
final class Writers {
    private static final int PLACES = 32;
    private static final int MOST_SHARED = 16;
    /** Read without a lock: the owner of a writer is final, and all else of it concerns nobody but its owner. */
    private static final Writer[] OWNED = new Writer[PLACES];
    private static final ArrayDeque<Writer> SHARED = new ArrayDeque<>();

    private Writers() {}

    static Writer take() {
        Thread thread = Thread.currentThread();
        int place = (int) thread.getId() & PLACES - 1;
        Writer own = OWNED[place];
        if (own != null && own.owner == thread && !own.busy) {
            own.busy = true;
            return own;
        }
        return taken(thread, place);
    }

    private static Writer taken(Thread thread, int place) {
        synchronized (SHARED) {
            Writer own = OWNED[place];
            if (own == null || !own.owner.isAlive()) {
                Writer made = new Writer(thread);
                made.busy = true;
                OWNED[place] = made;
                return made;
            }
            Writer shared = SHARED.pollLast();
            return shared != null ? shared : new Writer(null);
        }
    }

    static void give(Writer writer) {
        writer.end();
        if (writer.owner != null) {
            writer.busy = false;
            return;
        }
        synchronized (SHARED) {
            if (SHARED.size() < MOST_SHARED) {
                SHARED.addLast(writer);
            }
        }
    }
}
