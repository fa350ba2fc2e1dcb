package io.samewire.spark.types;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Makes the conversions of a type of pack and the type that values of it have in Spark. */
final class Conversions {
    private final Classes classes;

    Conversions(Classes classes) {
        this.classes = classes;
    }

    /**
     * Returns the conversion of a type that is not an option.
     *
     * @throws Misfit {@code schema_mismatch} if values of Spark's type do not become values of pack's
     */
    Conversion of(SchemaType type, DataType spark) {
        if (type instanceof SchemaType.Scalar scalar) {
            checkScalar(scalar.kind, spark);
            return ScalarConversions.of(scalar.kind, spark instanceof DecimalType decimal ? decimal : null);
        } else if (type instanceof SchemaType.EnumOf symbols) {
            check(spark, SparkTypes.of(symbols));
            return symbols(symbols);
        } else if (type instanceof SchemaType.Ref ref) {
            return of(ref.item, spark);
        } else if (type instanceof SchemaType.ListOf list) {
            return elements(list.item, spark, false);
        } else if (type instanceof SchemaType.SetOf set) {
            return elements(set.item, spark, true);
        } else if (type instanceof SchemaType.MapOf map) {
            return map(map, spark);
        } else if (type instanceof SchemaType.Union union) {
            return union(union, spark);
        }
        return struct(type, spark);
    }

    private static Misfit mismatch(String text) {
        return new Misfit(Code.SCHEMA_MISMATCH, text);
    }

    private static void check(DataType spark, DataType expected) {
        if (!spark.catalogString().equals(expected.catalogString())) {
            throw mismatch("the column is " + spark.catalogString() + ", and this type is " + expected.catalogString()
                + " in Spark: cast it");
        }
    }

    private static void checkScalar(Kind kind, DataType spark) {
        boolean decimal = kind == Kind.DECIMAL || kind == Kind.U64 || kind == Kind.BIGINT;
        if (!decimal || !(spark instanceof DecimalType)) {
            check(spark, SparkTypes.of(new SchemaType.Scalar(kind)));
        }
    }

    private Conversion part(String step, SchemaType type, DataType spark) {
        try {
            return of(SparkTypes.bare(type), spark);
        } catch (Misfit misfit) {
            throw misfit.under(step);
        }
    }

    private Conversion symbols(SchemaType.EnumOf type) {
        Object[] constants = classes.of(type).getEnumConstants();
        UTF8String[] texts = type.symbols.stream().map(UTF8String::fromString).toArray(UTF8String[]::new);
        Map<UTF8String, Object> byText = new HashMap<>();
        for (int i = 0; i < texts.length; i++) {
            byText.put(texts[i], constants[i]);
        }
        return new Conversion() {
            @Override
            public Object toSpark(Object value) {
                return texts[((Enum<?>) value).ordinal()];
            }

            @Override
            public Object toPack(Object value) {
                Object found = byText.get(value);
                if (found == null) {
                    throw Misfit.value(ScalarConversions.shortened(value.toString()) + " is not a symbol of "
                        + type.name);
                }
                return found;
            }
        };
    }

    private Conversion elements(SchemaType item, DataType spark, boolean set) {
        if (!(spark instanceof ArrayType array)) {
            throw mismatch("the column is " + spark.catalogString() + ", and this type is an array in Spark");
        }
        Conversion inner = part(Path.element(0), item, array.elementType());
        boolean optional = item instanceof SchemaType.Option;
        return new Conversion() {
            @Override
            public Object toSpark(Object value) {
                java.util.Collection<?> items = (java.util.Collection<?>) value;
                Object[] made = new Object[items.size()];
                int at = 0;
                try {
                    for (Object one : items) {
                        made[at] = Conversion.outward(inner, one);
                        at++;
                    }
                } catch (Misfit misfit) {
                    throw misfit.under(Path.element(at));
                }
                return new GenericArrayData(made);
            }

            @Override
            public Object toPack(Object value) {
                List<Object> made = read((ArrayData) value, array.elementType(), inner, optional, Path::element);
                if (!set) {
                    return made;
                }
                Set<Object> keys = new LinkedHashSet<>(made);
                if (keys.size() != made.size()) {
                    throw Misfit.value("an element stands twice, and this is a set: use array_distinct");
                }
                return keys;
            }
        };
    }

    /** The step of an element, a key or a value. */
    private interface Step {
        String of(int index);
    }

    private static List<Object> read(ArrayData array, DataType type, Conversion inner, boolean optional, Step step) {
        int size = array.numElements();
        List<Object> made = new ArrayList<>(size);
        int at = 0;
        try {
            for (; at < size; at++) {
                made.add(Conversion.inward(inner, optional, array.isNullAt(at) ? null : array.get(at, type)));
            }
        } catch (Misfit misfit) {
            throw misfit.under(step.of(at));
        }
        return made;
    }

    private Conversion map(SchemaType.MapOf type, DataType spark) {
        if (!(spark instanceof MapType map)) {
            throw mismatch("the column is " + spark.catalogString() + ", and this type is a map in Spark");
        }
        Conversion key = part(Path.key(0), type.key, map.keyType());
        Conversion inner = part(Path.value(0), type.value, map.valueType());
        boolean optional = type.value instanceof SchemaType.Option;
        return new Conversion() {
            @Override
            public Object toSpark(Object value) {
                Map<?, ?> entries = (Map<?, ?>) value;
                Object[] keys = new Object[entries.size()];
                Object[] values = new Object[entries.size()];
                int at = 0;
                String step = "";
                try {
                    for (Map.Entry<?, ?> entry : entries.entrySet()) {
                        step = Path.key(at);
                        keys[at] = key.toSpark(entry.getKey());
                        step = Path.value(at);
                        values[at] = Conversion.outward(inner, entry.getValue());
                        at++;
                    }
                } catch (Misfit misfit) {
                    throw misfit.under(step);
                }
                return new ArrayBasedMapData(new GenericArrayData(keys), new GenericArrayData(values));
            }

            @Override
            public Object toPack(Object value) {
                MapData entries = (MapData) value;
                List<Object> keys = read(entries.keyArray(), map.keyType(), key, false, Path::key);
                List<Object> values = read(entries.valueArray(), map.valueType(), inner, optional, Path::value);
                Map<Object, Object> made = new LinkedHashMap<>();
                for (int i = 0; i < keys.size(); i++) {
                    made.put(keys.get(i), values.get(i));
                }
                if (made.size() != keys.size()) {
                    throw Misfit.value("a key stands twice");
                }
                return made;
            }
        };
    }

    private static StructType columns(DataType spark) {
        if (spark instanceof StructType struct) {
            return struct;
        }
        throw mismatch("the column is " + spark.catalogString() + ", and this type is a struct in Spark");
    }

    private static Object column(InternalRow row, int at, DataType type) {
        return row.isNullAt(at) ? null : row.get(at, type);
    }

    private Conversion union(SchemaType.Union type, DataType spark) {
        StructType columns = columns(spark);
        int size = type.members.size();
        if (columns.length() != size) {
            throw mismatch("the column has " + columns.length() + " fields, and the union " + size + " members");
        }
        Conversion[] members = new Conversion[size];
        Map<Class<?>, Integer> numbers = new HashMap<>();
        for (int i = 0; i < size; i++) {
            SchemaType.Struct member = type.members.get(i);
            if (!columns.fields()[i].name().equals(member.name)) {
                throw mismatch("the field " + columns.fields()[i].name() + " stands where the union has "
                    + member.name);
            }
            members[i] = part(Path.field(member.name), member, columns.fields()[i].dataType());
            numbers.put(classes.of(member), i);
        }
        return new Conversion() {
            @Override
            public Object toSpark(Object value) {
                int number = numbers.get(value.getClass());
                Object[] made = new Object[size];
                made[number] = members[number].toSpark(value);
                return new GenericInternalRow(made);
            }

            @Override
            public Object toPack(Object value) {
                InternalRow row = (InternalRow) value;
                int found = -1;
                for (int i = 0; i < size; i++) {
                    if (!row.isNullAt(i)) {
                        if (found >= 0) {
                            throw Misfit.value("two members of a union are not null, " + type.members.get(found).name
                                + " and " + type.members.get(i).name);
                        }
                        found = i;
                    }
                }
                if (found < 0) {
                    throw Misfit.value("all members of a union are null, and one has to be there");
                }
                return members[found].toPack(row.get(found, columns.fields()[found].dataType()));
            }
        };
    }

    /** A struct or tuple. Columns are matched by their names; one that is not there is null. */
    private Conversion struct(SchemaType type, DataType spark) {
        StructType columns = columns(spark);
        List<SchemaType.Field> fields = fields(type);
        Conversion[] parts = new Conversion[fields.size()];
        int[] places = new int[parts.length];
        boolean[] optional = new boolean[parts.length];
        DataType[] types = new DataType[parts.length];
        List<String> missing = new ArrayList<>(List.of(columns.fieldNames()));
        for (int i = 0; i < parts.length; i++) {
            SchemaType.Field field = fields.get(i);
            places[i] = List.of(columns.fieldNames()).indexOf(field.name());
            optional[i] = field.type() instanceof SchemaType.Option;
            if (places[i] >= 0) {
                missing.remove(field.name());
                types[i] = columns.fields()[places[i]].dataType();
                parts[i] = part(Path.field(field.name()), field.type(), types[i]);
            } else if (!optional[i]) {
                throw mismatch("no column for a field that is not an option: add it").under(Path.field(field.name()));
            }
        }
        if (!missing.isEmpty()) {
            throw mismatch("a column that the type has no field for, and that would be lost: drop it")
                .under(Path.field(missing.get(0)));
        }
        return new StructConversion(classes.maker(type), fields, parts, places, optional, types);
    }

    private static List<SchemaType.Field> fields(SchemaType type) {
        if (type instanceof SchemaType.Struct struct) {
            return struct.fields;
        }
        List<SchemaType.Field> fields = new ArrayList<>();
        for (SchemaType item : ((SchemaType.TupleOf) type).items) {
            fields.add(new SchemaType.Field("_" + (fields.size() + 1), item, false, List.of()));
        }
        return fields;
    }

    private record StructConversion(MethodHandle maker, List<SchemaType.Field> fields, Conversion[] parts,
        int[] places, boolean[] optional, DataType[] types) implements Conversion {
        @Override
        public Object toSpark(Object value) {
            Fields from = (Fields) value;
            Object[] made = new Object[parts.length];
            int at = 0;
            try {
                for (; at < parts.length; at++) {
                    if (places[at] >= 0) {
                        made[places[at]] = Conversion.outward(parts[at], from.get(at));
                    }
                }
            } catch (Misfit misfit) {
                throw misfit.under(Path.field(fields.get(at).name()));
            }
            return new GenericInternalRow(made);
        }

        @Override
        public Object toPack(Object value) {
            InternalRow row = (InternalRow) value;
            Fields made = made();
            int at = 0;
            try {
                for (; at < parts.length; at++) {
                    Object found = places[at] < 0 ? null : column(row, places[at], types[at]);
                    made.set(at, Conversion.inward(parts[at], optional[at], found));
                }
            } catch (Misfit misfit) {
                throw misfit.under(Path.field(fields.get(at).name()));
            }
            return made;
        }

        private Fields made() {
            try {
                return (Fields) maker.invokeExact();
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
