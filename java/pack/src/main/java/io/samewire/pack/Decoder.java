package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import io.samewire.pack.columns.StructColumn;
import io.samewire.pack.table.TableReader;
import io.samewire.pack.wire.Fault;
import io.samewire.pack.wire.ForeignFormat;
import io.samewire.pack.wire.Header;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.StrictReader;
import io.samewire.pack.wire.Program;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.Traced;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * Decodes messages of one schema as values of one Java type. Safe for use by many threads, and without state between
 * messages: an error does not affect the next call.
 *
 * @param <T> the values
 */
public sealed class Decoder<T> permits Codec {
    private final Program program;
    /** Makes the program that finds what a native type does not accept; null where there are no native types. */
    private final Supplier<Program> tracing;
    /** That program, made for the first message that needs it: it takes milliseconds. */
    private Program traced;
    private final MessageRules rules;
    private final Schema writer;
    private final boolean digestRequired;
    /** Reads columns, made when the first are asked for. */
    private TableReader table;

    Decoder(Program program, Supplier<Program> tracing, MessageRules rules, Schema writer, boolean digestRequired) {
        this.program = program;
        this.tracing = tracing;
        this.rules = rules;
        this.writer = writer;
        this.digestRequired = digestRequired;
    }

    /** Returns the schema of the messages that this decodes. */
    public Schema schema() {
        return writer;
    }

    /**
     * Returns the value of a message.
     *
     * @throws SamewireException a code of {@code spec/errors.md}, with the offset and path of the first error
     */
    public T decode(byte[] message) {
        return read(message, 0, message.length);
    }

    /**
     * Returns the value of the message in {@code bytes[from, to)}. Offsets of errors count from {@code from}.
     *
     * @throws SamewireException {@code misuse} if the range is outside the array; otherwise as {@link #decode(byte[])}
     */
    public T decode(byte[] bytes, int from, int to) {
        checkRange(bytes, from, to);
        return read(bytes, from, to);
    }

    private static void checkRange(byte[] bytes, int from, int to) {
        if (from < 0 || to < from || to > bytes.length) {
            throw new SamewireException(Code.MISUSE, -1, null, "range " + from + " to " + to + " is outside the "
                + bytes.length + " bytes");
        }
    }

    /**
     * Returns the value of the message that fills the rest of the buffer, and moves the buffer's position to its limit.
     * A direct buffer is first copied into an array of the {@linkplain BufferPool#shared() shared pool}.
     *
     * @throws SamewireException as {@link #decode(byte[])}
     */
    public T decode(ByteBuffer buffer) {
        int length = buffer.remaining();
        if (buffer.hasArray()) {
            int from = buffer.arrayOffset() + buffer.position();
            buffer.position(buffer.limit());
            return read(buffer.array(), from, from + length);
        }
        if (length > rules.limits().frameBytes()) {
            throw new SamewireException(Code.LIMIT_SIZE, 0, "$",
                "a message of " + length + " bytes, limits.frameBytes is " + rules.limits().frameBytes()
                    + ": raise it for data that you trust");
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

    /**
     * Returns the columns of a message of a list of structs, of any profile, without an object for each row: the values
     * of one field stand together, numbers in arrays of primitives.
     *
     * <pre>{@code
     * StructColumn orders = codec.columns(message);
     * double[] prices = orders.column("price", DoubleColumn.class).values();
     * }</pre>
     *
     * <p>{@code spec/tables.md} section 6 says what each type becomes. The columns are those of the message's schema
     * ({@link #schema()}): Java types, converters and defaults play no part, and they share nothing with the message.
     * Where a null struct stands, its columns have room for it, which the limit {@code cells} bounds.
     *
     * @throws SamewireException as {@link #decode(byte[])}; {@code limit_items} where columns need more room than the
     *     limits allow; {@code unsupported} for another type than a list of a struct that does not contain itself, and
     *     for more than 65,536 columns
     */
    public StructColumn columns(byte[] message) {
        return readColumns(message, 0, message.length);
    }

    /**
     * Returns the columns of the message in {@code bytes[from, to)}. Offsets of errors count from {@code from}.
     *
     * @throws SamewireException {@code misuse} if the range is outside the array; otherwise as {@link #columns(byte[])}
     */
    public StructColumn columns(byte[] bytes, int from, int to) {
        checkRange(bytes, from, to);
        return readColumns(bytes, from, to);
    }

    private StructColumn readColumns(byte[] bytes, int from, int to) {
        TableReader reader = table();
        checkDigest(bytes, from, to);
        Reader in = new Reader(bytes, from, to, rules.limits());
        try {
            in.open(rules.digest(), rules.limits());
            StructColumn columns = reader.read(in);
            in.close();
            return columns;
        } catch (SamewireException noRoom) {
            throw noRoom;
        } catch (RuntimeException failure) {
            SamewireException error = strictError(bytes, from, to);
            if (error == null && in.lacksReservedCells()) {
                error = lacksCells(in);
            }
            throw error != null ? error : new SamewireException(Code.MALFORMED, 0, Path.ROOT,
                "the bytes changed while they were read", failure);
        } catch (StackOverflowError deep) {
            throw tooDeep(deep);
        }
    }

    private synchronized TableReader table() {
        if (table == null) {
            try {
                table = new TableReader(rules);
            } catch (StackOverflowError deep) {
                throw new SamewireException(Code.UNSUPPORTED, -1, Path.ROOT,
                    "structs inside one another deeper than this thread's stack", deep);
            }
        }
        return table;
    }

    private void checkDigest(byte[] bytes, int from, int to) {
        if (digestRequired && Header.lacksDigest(bytes, from, to) && to - from <= rules.limits().frameBytes()) {
            throw new SamewireException(Code.SCHEMA_MISMATCH, 0, Path.ROOT,
                "the message carries no digest of its schema, and this codec requires one: write it with a codec built"
                    + " with digest(true)");
        }
    }

    @SuppressWarnings("unchecked") // The program was generated from T.
    private T read(byte[] bytes, int from, int to) {
        checkDigest(bytes, from, to);
        Reader in = new Reader(bytes, from, to, rules.limits());
        try {
            in.open(rules.digest(), rules.limits());
            Object value = program.read(in);
            in.close();
            return (T) value;
        } catch (Exception failure) {
            // Generated code calls constructors that may throw checked exceptions.
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
        SamewireException error = strictError(bytes, from, to);
        if (error != null) {
            return error;
        }
        if (in.lacksReservedCells()) {
            return lacksCells(in);
        }
        String text = failure instanceof Fault
            ? "a native collection treats two keys as equal, or the bytes changed meanwhile"
            : "the native type does not accept the value: " + Traced.cause(failure);
        return new SamewireException(Code.TYPE_MISMATCH, -1, path(bytes, from, to), text, Traced.cause(failure));
    }

    /** The error of a message, or null if the strict reader finds none. */
    private SamewireException strictError(byte[] bytes, int from, int to) {
        SamewireException error;
        try {
            error = StrictReader.error(rules, bytes, from, to);
        } catch (StackOverflowError deep) {
            // The strict reader needs more stack than generated code.
            return tooDeep(deep);
        } catch (RuntimeException raced) {
            // The strict reader reads some bytes twice, and another thread may write to them.
            return null;
        }
        if (error == null) {
            return null;
        }
        String text = ForeignFormat.told(error.text(), bytes, from, to);
        return new SamewireException(error.code(), error.at(), error.path(), text, error.getCause());
    }

    private SamewireException lacksCells(Reader in) {
        return new SamewireException(Code.LIMIT_ITEMS, in.offset(), Path.ROOT,
            "the native types of these values take more memory than " + rules.limits().cells() + " cells");
    }

    /** Where a native type does not accept a value: what throws again while the message is decoded with traces. */
    private String path(byte[] bytes, int from, int to) {
        if (tracing == null) {
            return Path.ROOT;
        }
        try {
            Reader in = new Reader(bytes, from, to, rules.limits());
            in.open(rules.digest(), rules.limits());
            traced().read(in);
        } catch (Exception thrown) {
            return Traced.path(thrown);
        } catch (StackOverflowError deep) {
            return Path.ROOT;
        }
        return Path.ROOT;
    }

    private synchronized Program traced() {
        if (traced == null) {
            traced = tracing.get();
        }
        return traced;
    }
}
