package io.samewire.spark.types;

import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The type of Spark's that holds the values of a type of pack. */
public final class SparkTypes {
    /** The key of a column's metadata under which stands the pack type that it was read from. */
    static final String METADATA = "samewire.type";
    /** The name of the one column of a table whose records are not structs. */
    public static final String VALUE = "value";
    /** Digits of the decimals that hold any number of {@code u64}. */
    static final int U64_DIGITS = 20;

    private static final int MOST_DIGITS = 38;
    private static final int DEFAULT_SCALE = 18;

    private final Set<SchemaType> open = Collections.newSetFromMap(new IdentityHashMap<>());

    private SparkTypes() {}

    /**
     * Returns the type for values of a type of pack.
     *
     * @throws SamewireException {@code unsupported} with the path of a part that Spark has no type for
     */
    public static DataType of(SchemaType type) {
        try {
            return new SparkTypes().dataType(bare(type));
        } catch (Misfit misfit) {
            throw misfit.error();
        }
    }

    /**
     * Returns the columns of a table of records. Each says in its metadata which type it was read from.
     *
     * @throws SamewireException {@code unsupported} with the path of a part that Spark has no type for
     */
    public static StructType table(SchemaType record) {
        DataType type = of(record);
        if (record instanceof SchemaType.Struct struct) {
            StructField[] fields = ((StructType) type).fields();
            for (int i = 0; i < fields.length; i++) {
                SchemaType declared = struct.fields.get(i).type();
                fields[i] = new StructField(fields[i].name(), fields[i].dataType(), fields[i].nullable(),
                    told(declared));
            }
            return new StructType(fields);
        }
        boolean nullable = record instanceof SchemaType.Option;
        return new StructType(new StructField[] {new StructField(VALUE, type, nullable, told(record))});
    }

    private static Metadata told(SchemaType type) {
        return new MetadataBuilder().putString(METADATA, SchemaTexts.text(type)).build();
    }

    static SchemaType bare(SchemaType type) {
        return type instanceof SchemaType.Option option ? option.item : type;
    }

    private DataType dataType(SchemaType type) {
        if (type instanceof SchemaType.Scalar scalar) {
            return scalar(scalar.kind);
        } else if (type instanceof SchemaType.EnumOf) {
            return DataTypes.StringType;
        } else if (type instanceof SchemaType.ListOf list) {
            return array(list.item);
        } else if (type instanceof SchemaType.SetOf set) {
            return array(set.item);
        } else if (type instanceof SchemaType.MapOf map) {
            return DataTypes.createMapType(part(Path.key(0), map.key), part(Path.value(0), map.value),
                map.value instanceof SchemaType.Option);
        } else if (type instanceof SchemaType.Ref ref) {
            return dataType(ref.item);
        }
        if (!open.add(type)) {
            throw Misfit.type("Spark has no types that contain themselves, as " + name(type) + " does");
        }
        DataType made = type instanceof SchemaType.Struct struct ? struct(struct)
            : type instanceof SchemaType.TupleOf tuple ? tuple(tuple) : union((SchemaType.Union) type);
        open.remove(type);
        return made;
    }

    private static String name(SchemaType type) {
        return type instanceof SchemaType.Struct struct ? struct.name : "this one";
    }

    private DataType part(String step, SchemaType type) {
        try {
            return dataType(bare(type));
        } catch (Misfit misfit) {
            throw misfit.under(step);
        }
    }

    private DataType array(SchemaType item) {
        return DataTypes.createArrayType(part(Path.element(0), item), item instanceof SchemaType.Option);
    }

    private StructField field(String name, SchemaType type) {
        return new StructField(name, part(Path.field(name), type), type instanceof SchemaType.Option, Metadata.empty());
    }

    private DataType struct(SchemaType.Struct struct) {
        List<StructField> fields = new ArrayList<>();
        for (SchemaType.Field field : struct.fields) {
            fields.add(field(field.name(), field.type()));
        }
        return new StructType(fields.toArray(new StructField[0]));
    }

    private DataType tuple(SchemaType.TupleOf tuple) {
        List<StructField> fields = new ArrayList<>();
        for (int i = 0; i < tuple.items.size(); i++) {
            fields.add(field("_" + (i + 1), tuple.items.get(i)));
        }
        return new StructType(fields.toArray(new StructField[0]));
    }

    /** One column for each member, of which one is not null. */
    private DataType union(SchemaType.Union union) {
        List<StructField> fields = new ArrayList<>();
        for (SchemaType.Struct member : union.members) {
            fields.add(new StructField(member.name, part(Path.field(member.name), member), true, Metadata.empty()));
        }
        return new StructType(fields.toArray(new StructField[0]));
    }

    private static DataType scalar(Kind kind) {
        return switch (kind) {
            case BOOL -> DataTypes.BooleanType;
            case I8 -> DataTypes.ByteType;
            case I16, U8 -> DataTypes.ShortType;
            case I32, U16 -> DataTypes.IntegerType;
            case I64, U32, TIME -> DataTypes.LongType;
            case U64 -> DataTypes.createDecimalType(U64_DIGITS, 0);
            case BIGINT -> DataTypes.createDecimalType(MOST_DIGITS, 0);
            case DECIMAL -> DataTypes.createDecimalType(MOST_DIGITS, DEFAULT_SCALE);
            case F32 -> DataTypes.FloatType;
            case F64 -> DataTypes.DoubleType;
            case STRING, UUID -> DataTypes.StringType;
            case BYTES -> DataTypes.BinaryType;
            case DATE -> DataTypes.DateType;
            case TIMESTAMP -> DataTypes.TimestampType;
            case DURATION -> DataTypes.createDayTimeIntervalType(DayTimeIntervalType.DAY(),
                DayTimeIntervalType.SECOND());
            case ANY -> throw Misfit.type("Spark has no type for any: give the field the type of its values");
        };
    }
}
