package io.samewire.spark.types;

import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import io.samewire.pack.Schema;
import io.samewire.pack.schema.CanonicalText;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.schema.SchemaType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;

/** The schema that follows from columns of Spark's. */
public final class SchemaTexts {
    /** The names that are taken. */
    private final Set<String> names = new HashSet<>();
    /** The structs and enums of columns that were read from a record file. */
    private final Map<String, SchemaType> defined = new HashMap<>();

    private SchemaTexts() {}

    /**
     * Returns a schema whose records have the columns of a table. A column that was read from a record file has the
     * type that it had there, unless its type in Spark is another now.
     *
     * @throws SamewireException {@code unsupported} with the path of a column that pack has no type for
     */
    public static Schema of(String name, StructType table) {
        try {
            return Schema.parse(text(new SchemaTexts().struct(name, table)));
        } catch (Misfit misfit) {
            throw misfit.error();
        }
    }

    /**
     * Returns the schema of one column.
     *
     * @throws SamewireException {@code unsupported} with the path of a part that pack has no type for
     */
    public static Schema of(String name, DataType type) {
        try {
            return Schema.parse(text(new SchemaTexts().type(name, type)));
        } catch (Misfit misfit) {
            throw misfit.error();
        }
    }

    static String text(SchemaType type) {
        return CanonicalText.print(type);
    }

    private SchemaType.Struct struct(String name, StructType type) {
        if (type.fields().length == 0) {
            throw Misfit.type("a record without columns: select at least one");
        }
        String unique = name;
        for (int number = 2; !names.add(unique); number++) {
            unique = name + number;
        }
        List<SchemaType.Field> fields = new ArrayList<>();
        for (StructField field : type.fields()) {
            SchemaType told = told(field);
            SchemaType item = told != null ? told : part(Path.field(field.name()), field.name(), field.dataType(),
                field.nullable());
            fields.add(new SchemaType.Field(field.name(), item, false, List.of()));
        }
        return new SchemaType.Struct(unique, fields);
    }

    /** The type that a column was read from, or null. Its structs keep their names, if no other has them. */
    private SchemaType told(StructField field) {
        Metadata metadata = field.metadata();
        if (!metadata.contains(SparkTypes.METADATA)) {
            return null;
        }
        SchemaType type = SchemaParser.parse(metadata.getString(SparkTypes.METADATA));
        if (!SparkTypes.of(type).catalogString().equals(field.dataType().catalogString())) {
            return null;
        }
        Map<String, String> own = new HashMap<>();
        collect(type, own);
        for (Map.Entry<String, String> definition : own.entrySet()) {
            SchemaType known = defined.get(definition.getKey());
            if (known == null ? names.contains(definition.getKey()) : !text(known).equals(definition.getValue())) {
                return null;
            }
        }
        SchemaType kept = shared(type);
        // A join, or a condition, may have put nulls into the column.
        return field.nullable() && !(kept instanceof SchemaType.Option) ? new SchemaType.Option(kept) : kept;
    }

    private static String nameOf(SchemaType type) {
        return type instanceof SchemaType.Struct struct ? struct.name
            : type instanceof SchemaType.EnumOf symbols ? symbols.name : null;
    }

    private static void collect(SchemaType type, Map<String, String> found) {
        if (nameOf(type) != null) {
            found.put(nameOf(type), text(type));
        }
        for (SchemaType part : type.parts()) {
            collect(part, found);
        }
    }

    /** The type with the structs and enums that other columns have defined already in place of its own. */
    private SchemaType shared(SchemaType type) {
        String name = nameOf(type);
        if (name != null) {
            SchemaType known = defined.get(name);
            if (known != null) {
                return known;
            }
            names.add(name);
            defined.put(name, type);
        }
        if (type instanceof SchemaType.Option option) {
            option.item = shared(option.item);
        } else if (type instanceof SchemaType.ListOf list) {
            list.item = shared(list.item);
        } else if (type instanceof SchemaType.SetOf set) {
            set.item = shared(set.item);
        } else if (type instanceof SchemaType.Ref ref) {
            ref.item = shared(ref.item);
        } else if (type instanceof SchemaType.MapOf map) {
            map.key = shared(map.key);
            map.value = shared(map.value);
        } else if (type instanceof SchemaType.TupleOf tuple) {
            return new SchemaType.TupleOf(new ArrayList<>(tuple.items.stream().map(this::shared).toList()));
        } else if (type instanceof SchemaType.Union union) {
            return new SchemaType.Union(new ArrayList<>(union.members.stream()
                .map(member -> (SchemaType.Struct) shared(member)).toList()));
        } else if (type instanceof SchemaType.Struct struct) {
            struct.fields.replaceAll(field -> new SchemaType.Field(field.name(), shared(field.type()),
                field.defaulted(), field.aliases()));
        }
        return type;
    }

    private SchemaType part(String step, String name, DataType type, boolean nullable) {
        try {
            SchemaType item = type(name, type);
            return nullable ? new SchemaType.Option(item) : item;
        } catch (Misfit misfit) {
            throw misfit.under(step);
        }
    }

    private SchemaType type(String name, DataType type) {
        if (type instanceof StructType struct) {
            return struct(name, struct);
        } else if (type instanceof ArrayType array) {
            return new SchemaType.ListOf(part(Path.element(0), name, array.elementType(), array.containsNull()));
        } else if (type instanceof MapType map) {
            SchemaType key = part(Path.key(0), name + "_key", map.keyType(), false);
            if (!(key instanceof SchemaType.Scalar scalar) || !scalar.kind.isKey()) {
                throw Misfit.type("keys of " + map.keyType().catalogString() + ": pack has keys of integers, strings,"
                    + " booleans and times");
            }
            return new SchemaType.MapOf(key, part(Path.value(0), name, map.valueType(), map.valueContainsNull()));
        }
        Kind kind = kind(type);
        if (kind == null) {
            throw Misfit.type("pack has no type for " + type.catalogString() + ": cast the column to one that it has");
        }
        return new SchemaType.Scalar(kind);
    }

    private static Kind kind(DataType type) {
        return type instanceof BooleanType ? Kind.BOOL
            : type instanceof ByteType ? Kind.I8
            : type instanceof ShortType ? Kind.I16
            : type instanceof IntegerType ? Kind.I32
            : type instanceof LongType ? Kind.I64
            : type instanceof FloatType ? Kind.F32
            : type instanceof DoubleType ? Kind.F64
            : type instanceof DecimalType ? Kind.DECIMAL
            : type instanceof StringType ? Kind.STRING
            : type instanceof BinaryType ? Kind.BYTES
            : type instanceof DateType ? Kind.DATE
            : type instanceof TimestampType ? Kind.TIMESTAMP
            : type instanceof DayTimeIntervalType ? Kind.DURATION
            : null;
    }
}
