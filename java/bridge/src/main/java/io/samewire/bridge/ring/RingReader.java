package io.samewire.bridge.ring;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The reading end of a direction.
 *
 * <p>A malicious peer may change bytes while they are copied: so bytes are copied once, and only the copy is checked.
 */
final class RingReader {
    private ByteBuffer memory;
    private final int words;
    private final int bytes;
    private final int capacity;
    private final int half;
    private long read;
    /** The last position that the peer showed: {@code read <= written <= read + capacity}. */
    private long written;
    private boolean passedHalf;

    /** Creates a reader at the start of a fresh direction, as {@link RingWriter}. */
    RingReader(ByteBuffer memory, int words, int bytes, int capacity) {
        this.memory = memory;
        this.words = words;
        this.bytes = bytes;
        this.capacity = capacity;
        half = capacity / 2;
    }

    /** Drops the memory, which is about to be unmapped: later calls throw. */
    void free() {
        memory = ByteBuffer.allocate(0);
    }

    /** Reads the peer's position, and returns how many bytes are available. */
    private int look() {
        long seen = memory.getLong(words + Layout.WRITTEN);
        VarHandle.acquireFence();
        // A position that runs backwards, or more than a ring ahead, is a negative difference or too large a one.
        long progress = seen - written;
        if (progress < 0 || progress > capacity - (written - read)) {
            throw new SamewireException(Code.MALFORMED, -1, null, "the peer says that it wrote " + seen
                + " bytes to a ring, which lies not between " + written + " and " + (read + capacity));
        }
        written = seen;
        return (int) (seen - read);
    }

    /**
     * Copies as many bytes as are available and fit, and returns how many: 0 if there are none.
     *
     * @throws SamewireException {@code malformed} if the peer's position is impossible
     */
    int tryRead(byte[] into, int at, int length) {
        int there = (int) (written - read);
        if (there == 0) {
            there = look();
            if (there == 0) {
                return 0;
            }
        }
        int count = Math.min(Math.min(there, length), RingTransport.CHUNK);
        int start = (int) read & capacity - 1;
        int first = Math.min(count, capacity - start);
        memory.get(bytes + start, into, at, first);
        if (first < count) {
            memory.get(bytes, into, at + first, count - first);
        }
        // A writer sleeps only while the ring is full, so this end passes a multiple of half a ring before the ring is
        // empty, and checks the writer's sleep word only there: the fence is paid once per half ring, and a woken
        // writer has half a ring to fill.
        passedHalf |= (start & half - 1) + count >= half;
        read += count;
        VarHandle.releaseFence();
        memory.putLong(words + Layout.READ, read);
        return count;
    }

    /** Returns whether the writer sleeps and must be woken, after a read. */
    boolean wakesWriter() {
        if (!passedHalf) {
            return false;
        }
        passedHalf = false;
        VarHandle.fullFence();
        return RingWriter.take(memory, words + Layout.WRITER_SLEEPS);
    }

    /** Returns whether bytes are available. */
    boolean isReady() {
        if (written != read) {
            return true;
        }
        long seen = memory.getLong(words + Layout.WRITTEN);
        VarHandle.acquireFence();
        return seen != read;
    }

    /** Announces that this end is about to sleep, and checks once more: false if bytes are available after all. */
    boolean fallAsleep() {
        memory.putInt(words + Layout.READER_SLEEPS, 1);
        VarHandle.fullFence();
        if (isReady()) {
            wakeUp();
            return false;
        }
        return true;
    }

    /** Announces that this end is awake. */
    void wakeUp() {
        memory.putInt(words + Layout.READER_SLEEPS, 0);
    }
}
