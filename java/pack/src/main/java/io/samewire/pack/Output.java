package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.wire.MessageWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A growing buffer that messages are appended to, and that can be emptied and used again: for bulk data several times
 * as fast as a new array for each message. Not thread-safe.
 */
public final class Output implements AutoCloseable {
    private static final int FIRST = 1024;

    private final BufferPool pool;
    private final MessageWriter.Target target;

    /** An empty output. */
    public Output() {
        this(FIRST);
    }

    /**
     * An empty output with room for {@code capacity} bytes.
     *
     * @throws SamewireException {@code misuse} for a capacity below zero
     */
    public Output(int capacity) {
        this(null, capacity);
    }

    /**
     * An empty output whose array comes from a pool (none if that is null) and goes there when it is closed, unless it
     * had to grow.
     *
     * @throws SamewireException {@code misuse} for a capacity below zero
     */
    public Output(BufferPool pool, int capacity) {
        if (capacity < 0) {
            throw new SamewireException(Code.MISUSE, -1, null, "a capacity of " + capacity + " bytes");
        }
        this.pool = pool;
        this.target = new MessageWriter.Target(pool == null ? new byte[capacity] : pool.take(capacity), 0);
    }

    /**
     * Where messages go; refused to calls from within the value that is being written, whose bytes they would
     * overwrite.
     */
    MessageWriter.Target target() {
        if (target.busy) {
            throw new SamewireException(Code.MISUSE, -1, null,
                "a message is being written to this output; use another one");
        }
        return target;
    }

    /** Bytes written since the output was last emptied. */
    public int length() {
        return target.length;
    }

    /** The array behind it: bytes 0 … {@link #length()} are written; it is another one after it had to grow. */
    public byte[] array() {
        return target.array;
    }

    /** Empties the output, which keeps its array. */
    public void clear() {
        target().length = 0;
    }

    /** A copy of what was written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(target.array, target.length);
    }

    /** A view of what was written, for as long as nothing else is. */
    public ByteBuffer toByteBuffer() {
        return ByteBuffer.wrap(target.array, 0, target.length).asReadOnlyBuffer();
    }

    /** Writes what was written to a stream. */
    public void writeTo(OutputStream stream) throws IOException {
        stream.write(target.array, 0, target.length);
    }

    /** Gives the array back to its pool; the output is empty, and usable, afterwards. */
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
