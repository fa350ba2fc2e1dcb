package io.samewire.pack.wire;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;

/**
 * A few writers, kept for whoever asks; their number does not grow with the number of threads. A thread that comes
 * first to its place keeps a writer of its own there, which it takes without any synchronisation, since nobody else
 * does; a place whose thread has ended goes to the next one. Others share the rest, one at a time. Who finds nothing
 * free, as someone further up its own stack may have it, gets a new writer. Threads are referred to weakly, for what a
 * thread holds may be a whole application.
 */
final class WriterPool {
    private static final int PLACES = 32;
    private static final int MOST_SHARED = 16;
    /**
     * Read without a lock: only the thread itself ever makes an owner of it, so that whoever finds itself there has put
     * it there, and all else of a writer concerns nobody but its owner.
     */
    private static final Writer[] OWNED = new Writer[PLACES];
    private static final ArrayDeque<Writer> SHARED = new ArrayDeque<>();

    private WriterPool() {}

    static Writer take() {
        Thread thread = Thread.currentThread();
        int place = (int) thread.getId() & PLACES - 1;
        Writer own = OWNED[place];
        if (own != null && own.owner.refersTo(thread) && !own.busy) {
            own.busy = true;
            return own;
        }
        return taken(thread, place);
    }

    private static Writer taken(Thread thread, int place) {
        synchronized (SHARED) {
            Writer own = OWNED[place];
            Thread owner = own == null ? null : own.owner.get();
            if (owner == null || !owner.isAlive()) {
                // Whoever sees that a thread has ended sees all that it did: its writer is as it left it.
                Writer next = owner == null || own.busy ? new Writer() : own;
                next.owner = new WeakReference<>(thread);
                next.busy = true;
                OWNED[place] = next;
                return next;
            }
            Writer shared = SHARED.pollLast();
            return shared != null ? shared : new Writer();
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
