package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import io.samewire.pack.wire.Fault;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.StrictReader;
import io.samewire.pack.wire.Program;
import io.samewire.pack.wire.Reader;
import java.nio.ByteBuffer;

/**
 * Reads messages of one schema as values of one Java type. Thread-safe, and without state between messages: after an
 * error the next call starts afresh.
 *
 * @param <T> the values
 */
public sealed class Decoder<T> permits Codec {
    private final Program program;
    private final MessageRules rules;
    private final Schema writer;

    Decoder(Program program, MessageRules rules, Schema writer) {
        this.program = program;
        this.rules = rules;
        this.writer = writer;
    }

    /** The schema of the messages that this reads. */
    public Schema schema() {
        return writer;
    }

    /**
     * The value of a message.
     *
     * @throws SamewireException as {@code spec/errors.md} has it, with the offset and path of what is wrong
     */
    public T decode(byte[] message) {
        return read(message, 0, message.length);
    }

    /**
     * The value of the message in {@code bytes[from, to)}. Offsets of errors count from {@code from}.
     *
     * @throws SamewireException {@code misuse} if there is no such part; otherwise as for {@link #decode(byte[])}
     */
    public T decode(byte[] bytes, int from, int to) {
        if (from < 0 || to < from || to > bytes.length) {
            throw new SamewireException(Code.MISUSE, -1, null, "no part " + from + " … " + to + " of " + bytes.length
                + " bytes");
        }
        return read(bytes, from, to);
    }

    /**
     * The value of the message that is all that remains of the buffer, which is used up afterwards. A direct buffer is
     * copied first, into an array of the {@linkplain BufferPool#shared() shared pool}.
     *
     * @throws SamewireException as for {@link #decode(byte[])}
     */
    public T decode(ByteBuffer buffer) {
        int length = buffer.remaining();
        if (buffer.hasArray()) {
            int from = buffer.arrayOffset() + buffer.position();
            buffer.position(buffer.limit());
            return read(buffer.array(), from, from + length);
        }
        if (length > rules.limits().frameBytes()) {
            throw new SamewireException(Code.LIMIT_SIZE, 0, "$", "a message of " + length + " bytes");
        }
        BufferPool pool = BufferPool.shared();
        byte[] copy = pool.take(length);
        try {
            buffer.get(copy, 0, length);
            return read(copy, 0, length);
        } finally {
            pool.give(copy);
        }
    }

    @SuppressWarnings("unchecked") // The program was generated from T.
    private T read(byte[] bytes, int from, int to) {
        Reader in = new Reader(bytes, from, to, rules.limits());
        try {
            in.open(rules.digest(), rules.limits());
            Object value = program.read(in);
            in.close();
            return (T) value;
        } catch (Exception failure) {
            // Checked ones too: a constructor that declares them is called by code that does not.
            throw explained(in, bytes, from, to, failure);
        } catch (StackOverflowError deep) {
            throw tooDeep(deep);
        }
    }

    private static SamewireException tooDeep(StackOverflowError deep) {
        return new SamewireException(Code.LIMIT_DEPTH, 0, Path.ROOT,
            "nested deeper than this thread's stack; lower limits.depth", deep);
    }

    private SamewireException explained(Reader in, byte[] bytes, int from, int to, Exception failure) {
        SamewireException error;
        try {
            error = StrictReader.error(rules, bytes, from, to);
        } catch (StackOverflowError deep) {
            // The walker takes more stack than generated code.
            return tooDeep(deep);
        } catch (RuntimeException raced) {
            // The walker looks at some bytes twice, and somebody else writes to them.
            error = null;
        }
        if (error != null) {
            return error;
        }
        if (in.lacksReservedCells()) {
            return new SamewireException(Code.LIMIT_ITEMS, in.offset(), Path.ROOT,
                "the native types of these values take "
                + "more memory than " + rules.limits().cells() + " cells");
        }
        String text = failure instanceof Fault
            ? "a declared collection takes two keys for one, or the bytes changed meanwhile"
            : "the declared type cannot hold what came: " + failure;
        return new SamewireException(Code.TYPE_MISMATCH, -1, "$", text, failure);
    }
}
