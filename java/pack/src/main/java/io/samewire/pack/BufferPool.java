package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A pool of heap and direct buffers, whose sizes are powers of two from 256 bytes to 64 MiB. Thread-safe. The bytes in
 * the pool are bounded: buffers given back beyond that are left to the collector. Buffers are not cleared.
 */
public final class BufferPool {
    /**
     * Counts of a pool since it was created.
     *
     * @param taken buffers taken
     * @param misses buffers taken that had to be allocated
     * @param allocatedBytes bytes of those
     * @param given buffers given back
     * @param dropped buffers given back that were not kept
     * @param keptBytes bytes of the buffers in the pool now
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
         * How many of the last buffers are searched for one that is given back twice: a search of all would be slow.
         */
        private static final int LOOKED_AT = 16;
        private final ArrayList<B> buffers = new ArrayList<>();

        synchronized B take() {
            return buffers.isEmpty() ? null : buffers.remove(buffers.size() - 1);
        }

        /** Returns false if the buffer is in the pool already. */
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
     * Creates a pool.
     *
     * @param mostBytes the most bytes in the pool, heap and direct together; 0 keeps nothing
     * @throws SamewireException {@code misuse} if it is negative
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

    /** Returns the pool that this library uses itself, of 16 MiB. */
    public static BufferPool shared() {
        return SHARED;
    }

    /** Enables or disables the pool. A disabled pool allocates every buffer and keeps none. Enabled by default. */
    public void enabled(boolean on) {
        enabled = on;
        if (!on) {
            clear();
        }
    }

    private static long positive(long bytes) {
        if (bytes < 0) {
            throw new SamewireException(Code.MISUSE, -1, null, "a size in bytes must not be negative: " + bytes);
        }
        return bytes;
    }

    private static int shift(int bytes) {
        positive(bytes);
        return Math.max(LEAST_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(bytes, 1) - 1));
    }

    /**
     * Takes an array of at least {@code bytes} bytes.
     *
     * @throws SamewireException {@code misuse} if the number is negative
     */
    public byte[] take(int bytes) {
        int shift = shift(bytes);
        byte[] found = shift > MOST_SHIFT || !enabled ? null : heap[shift].take();
        count(found != null, shift, bytes);
        return found != null ? found : new byte[size(shift, bytes)];
    }

    /**
     * Takes a direct buffer of at least {@code bytes} bytes, with position 0 and in big-endian order.
     *
     * @throws SamewireException {@code misuse} if the number is negative
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
     * Gives an array back. The caller must not use it any more. Arrays of other sizes than the pool's are dropped.
     *
     * @throws SamewireException {@code misuse} if the array is among the last 16 of its size that were given back. An
     *     array that is given back twice and taken in between is not detected.
     */
    public void give(byte[] buffer) {
        if (keeps(buffer.length)) {
            put(heap, buffer, buffer.length);
        }
    }

    /**
     * Gives a direct buffer back. The caller must not use it any more. Buffers of other sizes than the pool's are
     * dropped.
     *
     * @throws SamewireException {@code misuse} as {@link #give(byte[])}
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
            throw new SamewireException(Code.MISUSE, -1, null, "a buffer of " + bytes + " bytes is given back twice");
        }
    }

    /** Removes all buffers from the pool. */
    public void clear() {
        for (int shift = LEAST_SHIFT; shift <= MOST_SHIFT; shift++) {
            while (heap[shift].take() != null || direct[shift].take() != null) {
                kept.addAndGet(-(1L << shift));
            }
        }
    }

    /** Returns the counts of this pool. */
    public Statistics statistics() {
        return new Statistics(taken.sum(), misses.sum(), allocated.sum(), given.sum(), dropped.sum(), kept.get());
    }
}
