package io.samewire.spark.types;

import io.samewire.core.SamewireException;
import io.samewire.pack.Codec;
import io.samewire.pack.Pack;
import io.samewire.pack.Schema;
import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.schema.SchemaType;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** A type of pack with its codec, and its values in Spark. Safe for use by many threads. */
public final class PackType {
    /** Types are few, and classes cost milliseconds. */
    private static final int KEPT = 64;
    private static final Map<String, PackType> KNOWN = new LinkedHashMap<>(KEPT, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, PackType> eldest) {
            return size() > KEPT;
        }
    };

    private final SchemaType root;
    private final boolean optional;
    private final boolean record;
    private final DataType spark;
    private final Codec<Object> codec;
    private final Conversion conversion;

    private PackType(SchemaType root, DataType spark) {
        this.root = root;
        this.optional = root instanceof SchemaType.Option;
        this.record = root instanceof SchemaType.Struct;
        this.spark = spark;
        Classes classes = new Classes(root);
        try {
            this.conversion = new Conversions(classes).of(SparkTypes.bare(root), spark);
            this.codec = Pack.builder(classes.holder().getField("f0").getAnnotatedType()).build();
        } catch (Misfit misfit) {
            throw misfit.error();
        } catch (NoSuchFieldException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Returns a type whose values have the Spark type that follows from it.
     *
     * @throws SamewireException {@code unsupported} with the path of a part that Spark has no type for; as {@link
     *     Schema#parse}
     */
    public static PackType of(String schema) {
        return of(schema, SparkTypes.of(SchemaParser.parse(schema)));
    }

    /**
     * Returns a type whose values have a type of Spark's that differs in its decimals, its nulls and the order of its
     * columns at most.
     *
     * @throws SamewireException {@code schema_mismatch} with the path of the first difference; as {@link #of(String)}
     */
    public static PackType of(String schema, DataType spark) {
        String key = schema + "\n" + spark.json();
        synchronized (KNOWN) {
            PackType known = KNOWN.get(key);
            if (known == null) {
                SchemaType root = SchemaParser.parse(schema);
                SparkTypes.of(root);
                known = new PackType(root, spark);
                KNOWN.put(key, known);
            }
            return known;
        }
    }

    /** Returns the codec of the values. */
    public Codec<Object> codec() {
        return codec;
    }

    /** Returns the type that values have in Spark. */
    public DataType spark() {
        return spark;
    }

    /** Returns the columns of a table of such records. */
    public StructType table() {
        return SparkTypes.table(root);
    }

    /**
     * Returns a value of the codec's for Spark.
     *
     * @throws SamewireException {@code type_mismatch} with the path of a value that Spark has no place for
     */
    public Object toSpark(Object value) {
        try {
            return Conversion.outward(conversion, value);
        } catch (Misfit misfit) {
            throw misfit.error();
        }
    }

    /**
     * Returns a value of Spark's for the codec.
     *
     * @throws SamewireException {@code type_mismatch} with the path of a value that is not of this type
     */
    public Object toPack(Object value) {
        try {
            return Conversion.inward(conversion, optional, value);
        } catch (Misfit misfit) {
            throw misfit.error();
        }
    }

    /** Returns the row of a record: its columns, or the one column of a record that is not a struct. */
    public InternalRow row(Object value) {
        Object made = toSpark(value);
        return record ? (InternalRow) made : new GenericInternalRow(new Object[] {made});
    }

    /** Returns the record of a row. */
    public Object record(InternalRow row) {
        return toPack(record ? row : row.isNullAt(0) ? null : row.get(0, spark));
    }
}
