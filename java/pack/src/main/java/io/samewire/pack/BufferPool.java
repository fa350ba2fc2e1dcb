package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Buffers that are used again, heap and direct, in sizes that are powers of two from 256 bytes to 64 MiB. Thread-safe.
 * What is kept is bounded in bytes; what comes back beyond that is left to the collector. Buffers are handed out with
 * whatever they held before.
 */
public final class BufferPool {
    /**
     * What a pool has done.
     *
     * @param taken how often a buffer was asked for
     * @param misses how often none was there, so that one was allocated
     * @param allocatedBytes bytes of all those
     * @param given how often a buffer came back
     * @param dropped how many of those were not kept
     * @param keptBytes bytes of the buffers that lie in the pool now
     */
    public record Statistics(long taken, long misses, long allocatedBytes, long given, long dropped, long keptBytes) {}

    private static final int LEAST_SHIFT = 8;
    private static final int MOST_SHIFT = 26;
    private static final long SHARED_BYTES = 16 << 20;
    private static final BufferPool SHARED = new BufferPool(SHARED_BYTES);

    private final Shelf<byte[]>[] heap;
    private final Shelf<ByteBuffer>[] direct;
    private final long mostBytes;
    private final AtomicLong kept = new AtomicLong();
    private final LongAdder taken = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder allocated = new LongAdder();
    private final LongAdder given = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private volatile boolean enabled = true;

    /** Buffers of one size; the last one given is the first one taken. */
    private static final class Shelf<B> {
        /**
         * Among so many a buffer that comes back is looked for: to go through all that may lie there would take long.
         */
        private static final int LOOKED_AT = 16;
        private final ArrayList<B> buffers = new ArrayList<>();

        synchronized B take() {
            return buffers.isEmpty() ? null : buffers.remove(buffers.size() - 1);
        }

        /** False if the buffer was found there. */
        synchronized boolean put(B buffer) {
            int end = buffers.size();
            for (int i = Math.max(0, end - LOOKED_AT); i < end; i++) {
                if (buffers.get(i) == buffer) {
                    return false;
                }
            }
            buffers.add(buffer);
            return true;
        }
    }

    /**
     * A pool that keeps at most so many bytes.
     *
     * @param mostBytes bound on what lies in the pool, heap and direct together; 0 keeps nothing
     * @throws SamewireException {@code misuse} for a bound below zero
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // Arrays of a generic class.
    public BufferPool(long mostBytes) {
        this.mostBytes = positive(mostBytes);
        this.heap = new Shelf[MOST_SHIFT + 1];
        this.direct = new Shelf[MOST_SHIFT + 1];
        for (int shift = LEAST_SHIFT; shift <= MOST_SHIFT; shift++) {
            heap[shift] = new Shelf<>();
            direct[shift] = new Shelf<>();
        }
    }

    /** The pool of this library's own copies; 16 MiB. */
    public static BufferPool shared() {
        return SHARED;
    }

    /** Turns the pool on, or off: then every buffer is new and none is kept. On by default. */
    public void enabled(boolean on) {
        enabled = on;
        if (!on) {
            clear();
        }
    }

    private static long positive(long bytes) {
        if (bytes < 0) {
            throw new SamewireException(Code.MISUSE, -1, null, "a pool or a buffer of " + bytes + " bytes");
        }
        return bytes;
    }

    private static int shift(int bytes) {
        positive(bytes);
        return Math.max(LEAST_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(bytes, 1) - 1));
    }

    /**
     * An array of at least so many bytes.
     *
     * @throws SamewireException {@code misuse} for a number below zero
     */
    public byte[] take(int bytes) {
        int shift = shift(bytes);
        byte[] found = shift > MOST_SHIFT || !enabled ? null : heap[shift].take();
        count(found != null, shift, bytes);
        return found != null ? found : new byte[size(shift, bytes)];
    }

    /**
     * A direct buffer of at least so many bytes, cleared, in big-endian order.
     *
     * @throws SamewireException {@code misuse} for a number below zero
     */
    public ByteBuffer takeDirect(int bytes) {
        int shift = shift(bytes);
        ByteBuffer found = shift > MOST_SHIFT || !enabled ? null : direct[shift].take();
        count(found != null, shift, bytes);
        return found != null ? found : ByteBuffer.allocateDirect(size(shift, bytes));
    }

    private static int size(int shift, int bytes) {
        return shift > MOST_SHIFT ? bytes : 1 << shift;
    }

    private void count(boolean hit, int shift, int bytes) {
        taken.increment();
        if (hit) {
            kept.addAndGet(-(1L << shift));
        } else {
            misses.increment();
            allocated.add(size(shift, bytes));
        }
    }

    /**
     * Takes an array back, which must not be used any more. Arrays of other sizes than the pool's own are dropped.
     *
     * @throws SamewireException {@code misuse} for an array that lies in the pool already, among the last 16 of its
     *     size that came back: two would share it. Once it is handed out again, nobody can tell who gives it.
     */
    public void give(byte[] buffer) {
        if (keeps(buffer.length)) {
            put(heap, buffer, buffer.length);
        }
    }

    /**
     * Takes a direct buffer back, which must not be used any more. Buffers of other sizes than the pool's own are
     * dropped.
     *
     * @throws SamewireException {@code misuse} as for an array
     */
    public void give(ByteBuffer buffer) {
        if (buffer.isDirect() && !buffer.isReadOnly() && keeps(buffer.capacity())) {
            put(direct, buffer.clear().order(java.nio.ByteOrder.BIG_ENDIAN), buffer.capacity());
        }
    }

    private boolean keeps(int bytes) {
        given.increment();
        int shift = shift(bytes);
        boolean own = enabled && shift <= MOST_SHIFT && bytes == 1 << shift;
        if (own && kept.addAndGet(bytes) > mostBytes) {
            kept.addAndGet(-bytes);
            own = false;
        }
        if (!own) {
            dropped.increment();
        }
        return own;
    }

    private <B> void put(Shelf<B>[] shelves, B buffer, int bytes) {
        if (!shelves[shift(bytes)].put(buffer)) {
            kept.addAndGet(-bytes);
            given.decrement();
            throw new SamewireException(Code.MISUSE, -1, null, "a buffer of " + bytes + " bytes given back twice");
        }
    }

    /** Lets go of all that lies in the pool. */
    public void clear() {
        for (int shift = LEAST_SHIFT; shift <= MOST_SHIFT; shift++) {
            while (heap[shift].take() != null || direct[shift].take() != null) {
                kept.addAndGet(-(1L << shift));
            }
        }
    }

    /** What the pool has done so far. */
    public Statistics statistics() {
        return new Statistics(taken.sum(), misses.sum(), allocated.sum(), given.sum(), dropped.sum(), kept.get());
    }
}
