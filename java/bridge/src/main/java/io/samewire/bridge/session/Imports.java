package io.samewire.bridge.session;

import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The client's objects that are referred to here, by number, and the releases of those that are not any more. An object
 * is released after its {@link PeerObject} has been collected: the reference queue is polled when a message is sent,
 * and each second.
 */
final class Imports {
    private static final int FIRST = 16;
    /** The receiver's limits bound a message of releases: further pairs go into further messages. */
    private static final int MOST_PAIRS = 1024;

    /** How often a number has arrived, kept while its object is in use, and then until the release is sent. */
    private static final class Held extends WeakReference<PeerObject> {
        final long number;
        long count;

        Held(PeerObject object, ReferenceQueue<PeerObject> queue) {
            super(object, queue);
            number = object.number();
        }
    }

    private final Session session;
    private final ReferenceQueue<PeerObject> collected = new ReferenceQueue<>();
    private final Map<Long, Held> held = new HashMap<>();

    Imports(Session session) {
        this.session = session;
    }

    /** Adds 1 to the count of a number, and returns its object. */
    synchronized PeerObject arrived(long number) {
        Held present = held.get(number);
        PeerObject object = present == null ? null : present.get();
        if (object == null) {
            // The previous holder is in the queue, or will be, with its own count.
            object = new PeerObject(session, number);
            present = new Held(object, collected);
            held.put(number, present);
        }
        present.count++;
        return object;
    }

    /**
     * Writes a message of releases before others if there are any. Returns whether it did: then there may be more,
     * which do not fit in one message.
     */
    boolean release(Output out) {
        Reference<? extends PeerObject> first = collected.poll();
        if (first == null) {
            return false;
        }
        long[] pairs = new long[2 * FIRST];
        int used = 0;
        synchronized (this) {
            Reference<? extends PeerObject> one = first;
            while (one != null) {
                Held gone = (Held) one;
                held.remove(gone.number, gone);
                if (used == pairs.length) {
                    pairs = Arrays.copyOf(pairs, 2 * used);
                }
                pairs[used++] = gone.number;
                pairs[used++] = gone.count;
                one = used < 2 * MOST_PAIRS ? collected.poll() : null;
            }
        }
        out.begin(Messages.RELEASE);
        out.varint(used / 2);
        for (int i = 0; i < used; i++) {
            out.varint(pairs[i]);
        }
        out.end();
        return true;
    }

    synchronized int size() {
        return held.size();
    }

    synchronized void clear() {
        held.clear();
    }
}
