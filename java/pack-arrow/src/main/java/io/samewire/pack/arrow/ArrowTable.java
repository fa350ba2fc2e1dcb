package io.samewire.pack.arrow;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.columns.StructColumn;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.util.AutoCloseables;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The columns of a message as a table of Arrow, in the types that Python's {@code codec.table} has ({@code
 * spec/tables.md} section 1). Symbols of enums are dictionaries.
 *
 * <pre>{@code
 * try (ArrowTable orders = ArrowTable.of(codec.columns(message), allocator);
 *         ArrowStreamWriter writer = new ArrowStreamWriter(orders.root(), orders.dictionaries(), out)) {
 *     writer.writeBatch();
 * }
 * }</pre>
 *
 * <p>It owns its memory, which {@link #close} gives back to the allocator.
 */
public final class ArrowTable implements AutoCloseable {
    private final VectorSchemaRoot root;
    private final DictionaryProvider.MapDictionaryProvider dictionaries;
    private final List<Dictionary> owned;

    private ArrowTable(VectorSchemaRoot root, List<Dictionary> owned) {
        this.root = root;
        this.owned = owned;
        this.dictionaries = new DictionaryProvider.MapDictionaryProvider(owned.toArray(new Dictionary[0]));
    }

    /**
     * Copies columns into a table, with times in microseconds.
     *
     * @throws SamewireException as {@link #of(StructColumn, BufferAllocator, TimeUnit)}
     */
    public static ArrowTable of(StructColumn columns, BufferAllocator allocator) {
        return of(columns, allocator, TimeUnit.MICROSECOND);
    }

    /**
     * Copies columns into a table.
     *
     * @param unit of times, timestamps and durations: {@code MICROSECOND} or {@code NANOSECOND}
     * @throws SamewireException {@code unsupported} with the path for {@code any}, {@code ref}, unions and structs that
     *     contain themselves; {@code type_mismatch} for a time between two units or beyond 64 bits of them, a {@code
     *     bigint} of more than 38 digits, and a decimal with more than 20 digits before or 18 behind its point; {@code
     *     limit_items} for a column of texts with more than 2^31 − 1 bytes; {@code misuse} for another unit
     */
    public static ArrowTable of(StructColumn columns, BufferAllocator allocator, TimeUnit unit) {
        if (unit != TimeUnit.MICROSECOND && unit != TimeUnit.NANOSECOND) {
            throw new SamewireException(Code.MISUSE, -1, null, "expected MICROSECOND or NANOSECOND, got " + unit);
        }
        ArrowFields fields = new ArrowFields(allocator, unit);
        ArrowBuffers buffers = new ArrowBuffers(allocator, unit);
        List<AutoCloseable> made = new ArrayList<>();
        made.add(buffers);
        made.add(fields);
        try {
            List<Field> children = new ArrayList<>();
            columns.columns().forEach((name, column) -> children.add(fields.of(name, column, ArrowFields.path(name))));
            columns.columns().forEach((name, column) -> buffers.add(column, ArrowFields.path(name)));
            VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(children), allocator);
            made.add(root);
            try (ArrowRecordBatch batch = buffers.batch(columns.length())) {
                new VectorLoader(root).load(batch);
            }
            buffers.close();
            return new ArrowTable(root, fields.dictionaries());
        } catch (RuntimeException | Error error) {
            AutoCloseables.close(error, made);
            throw error;
        }
    }

    /** Returns the vectors. */
    public VectorSchemaRoot root() {
        return root;
    }

    /** Returns the symbols of enums. */
    public DictionaryProvider dictionaries() {
        return dictionaries;
    }

    @Override
    public void close() {
        root.close();
        owned.forEach(dictionary -> dictionary.getVector().close());
    }
}
