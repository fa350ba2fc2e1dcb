package io.samewire.pack.wire;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;

/**
 * A pool of a few writers; their number does not grow with the number of threads. The first thread to use a slot of the
 * pool owns a writer there, which it takes without synchronization, since no other thread does. A slot whose thread has
 * ended goes to the next one. Other threads share the remaining writers, one at a time. If none is free, as for a
 * nested call of the owner, a new writer is made. Owners are weakly referenced, since a thread can keep a whole
 * application reachable. Virtual threads are treated alike.
 */
final class WriterPool {
    private static final int PLACES = 32;
    private static final int MOST_SHARED = 16;
    /**
     * Read without a lock: only a thread itself makes itself the owner, so a thread that finds itself here has put
     * itself here, and no other thread touches the rest of the writer.
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
                // Thread.isAlive() returning false happens after all actions of the thread, so its writer is visible
                // here.
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
