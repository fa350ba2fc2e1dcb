package io.samewire.bridge.ring;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The writing end of a direction.
 *
 * <p>Its own position is kept here, and only stored to the memory, never loaded: the peer can write there, too. Words
 * are read and written plainly between fences, since the first use of a {@code VarHandle} takes milliseconds of
 * linking.
 */
final class RingWriter {
    private ByteBuffer memory;
    private final int words;
    private final int bytes;
    private final int capacity;
    private long written;
    /** The last position that the peer showed: {@code written - capacity <= read <= written}. */
    private long read;

    /**
     * Creates a writer at the start of a fresh direction.
     *
     * @param memory all of a ring, little-endian
     * @param words where the words of the direction begin
     * @param bytes where its bytes begin
     * @param capacity how many there are, a power of two
     */
    RingWriter(ByteBuffer memory, int words, int bytes, int capacity) {
        this.memory = memory;
        this.words = words;
        this.bytes = bytes;
        this.capacity = capacity;
    }

    /** Drops the memory, which is about to be unmapped: later calls throw. */
    void free() {
        memory = ByteBuffer.allocate(0);
    }

    /** Reads the peer's position, and returns for how many bytes there is room. */
    private int look() {
        long seen = memory.getLong(words + Layout.READ);
        VarHandle.acquireFence();
        // A position that runs backwards, or past what was written, is a negative difference or too large a one.
        long progress = seen - read;
        if (progress < 0 || progress > written - read) {
            throw new SamewireException(Code.MALFORMED, -1, null, "the peer says that it read " + seen
                + " bytes of a ring, which lies not between " + read + " and " + written);
        }
        read = seen;
        return capacity - (int) (written - seen);
    }

    /**
     * Copies as many bytes as there is room for, and returns how many: 0 if there is none.
     *
     * @throws SamewireException {@code malformed} if the peer's position is impossible
     */
    int tryWrite(byte[] from, int at, int length) {
        int room = capacity - (int) (written - read);
        if (room < length && room < RingTransport.CHUNK) {
            room = look();
            if (room == 0) {
                return 0;
            }
        }
        int count = Math.min(Math.min(room, length), RingTransport.CHUNK);
        int start = (int) written & capacity - 1;
        int first = Math.min(count, capacity - start);
        memory.put(bytes + start, from, at, first);
        if (first < count) {
            memory.put(bytes, from, at + first, count - first);
        }
        written += count;
        VarHandle.releaseFence();
        memory.putLong(words + Layout.WRITTEN, written);
        return count;
    }

    /**
     * Returns whether the reader sleeps and must be woken, after a write. Both sides store their own word before they
     * load the other's: so at least one of the two sees the other's store.
     */
    boolean wakesReader() {
        VarHandle.fullFence();
        return take(memory, words + Layout.READER_SLEEPS);
    }

    /** Returns whether there is room. */
    boolean isReady() {
        long seen = memory.getLong(words + Layout.READ);
        VarHandle.acquireFence();
        return seen != written - capacity;
    }

    /** Announces that this end is about to sleep, and checks once more: false if there is room after all. */
    boolean fallAsleep() {
        memory.putInt(words + Layout.WRITER_SLEEPS, 1);
        VarHandle.fullFence();
        if (isReady()) {
            wakeUp();
            return false;
        }
        return true;
    }

    /** Announces that this end is awake. */
    void wakeUp() {
        memory.putInt(words + Layout.WRITER_SLEEPS, 0);
    }

    /**
     * Clears a set sleep word, and returns whether it was set: then its owner's bell must be rung. If two clear it at
     * once, the bell rings once too often, which is harmless.
     */
    static boolean take(ByteBuffer memory, int word) {
        if (memory.getInt(word) == 0) {
            return false;
        }
        memory.putInt(word, 0);
        return true;
    }
}
