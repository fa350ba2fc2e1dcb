package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.wire.MessageWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A growing buffer that messages are appended to, and that can be cleared and used again. For bulk data this is several
 * times as fast as a new array for each message. Not thread-safe.
 */
public final class Output implements AutoCloseable {
    private static final int FIRST = 1024;

    private final BufferPool pool;
    private final MessageWriter.Target target;

    /** Creates an empty output. */
    public Output() {
        this(FIRST);
    }

    /**
     * Creates an empty output with a capacity of {@code capacity} bytes.
     *
     * @throws SamewireException {@code misuse} for a capacity below zero
     */
    public Output(int capacity) {
        this(null, capacity);
    }

    /**
     * Creates an empty output whose array comes from a pool and returns there when the output is closed, unless it
     * grew. Without a pool if {@code pool} is null.
     *
     * @throws SamewireException {@code misuse} for a capacity below zero
     */
    public Output(BufferPool pool, int capacity) {
        if (capacity < 0) {
            throw new SamewireException(Code.MISUSE, -1, null, "the capacity must not be negative: " + capacity);
        }
        this.pool = pool;
        this.target = new MessageWriter.Target(pool == null ? new byte[capacity] : pool.take(capacity), 0);
    }

    /**
     * Returns the target of messages. Throws if a message is being written to it: an accessor of that value would
     * overwrite its bytes.
     */
    MessageWriter.Target target() {
        if (target.busy) {
            throw new SamewireException(Code.MISUSE, -1, null,
                "a message is being written to this output; use another one");
        }
        return target;
    }

    /** Returns the number of bytes written since the output was last cleared. */
    public int length() {
        return target.length;
    }

    /** Returns the array, whose first {@link #length()} bytes are written. It is replaced when the output grows. */
    public byte[] array() {
        return target.array;
    }

    /** Clears the output. The array is kept. */
    public void clear() {
        target().length = 0;
    }

    /** Returns a copy of the bytes written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(target.array, target.length);
    }

    /** Returns a read-only view of the bytes written, valid until the next write. */
    public ByteBuffer toByteBuffer() {
        return ByteBuffer.wrap(target.array, 0, target.length).asReadOnlyBuffer();
    }

    /** Writes the bytes written so far to a stream. */
    public void writeTo(OutputStream stream) throws IOException {
        stream.write(target.array, 0, target.length);
    }

    /** Returns the array to its pool. The output is empty afterwards and can still be used. */
    @Override
    public void close() {
        MessageWriter.Target own = target();
        if (pool != null && own.array.length > 0) {
            pool.give(own.array);
            own.array = new byte[0];
        }
        own.length = 0;
    }
}
