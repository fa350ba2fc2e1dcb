package io.samewire.spark.types;

import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.schema.SchemaType;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A schema with the fields alone that a query needs, which pack resolves with the file's. */
public final class Pruned {
    private Pruned() {}

    /** Returns the columns of a table that a query gets for those that it requires: the same, with their metadata. */
    public static StructType columns(String schema, StructType required) {
        if (required.isEmpty()) {
            return required;
        }
        return SparkTypes.table(pruned(SchemaParser.parse(schema), required));
    }

    /** Returns the schema text of records that have these columns. */
    public static String schema(String schema, StructType columns) {
        return SchemaTexts.text(pruned(SchemaParser.parse(schema), columns));
    }

    /** Columns are pruned whole: a struct that stands in two of them can have its fields only once. */
    private static SchemaType pruned(SchemaType type, StructType required) {
        if (!(type instanceof SchemaType.Struct struct)) {
            return type;
        }
        List<SchemaType.Field> fields = new ArrayList<>();
        for (StructField column : required.fields()) {
            SchemaType.Field field = struct.field(column.name());
            fields.add(new SchemaType.Field(field.name(), field.type(), field.defaulted(),
                field.aliases()));
        }
        return new SchemaType.Struct(struct.name, fields);
    }
}
