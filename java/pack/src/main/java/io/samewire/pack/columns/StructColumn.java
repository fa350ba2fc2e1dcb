package io.samewire.pack.columns;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Structs: a column for each field. A table is one.
 *
 * @param length how many structs there are, null ones as well
 * @param columns the columns by the names of their fields, in the schema's order
 * @param validity whether each is present, of an option; else null
 */
public record StructColumn(int length, Map<String, Column> columns, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "struct";
    }

    /**
     * Returns the column of a field.
     *
     * @throws SamewireException {@code misuse} if there is no such field
     */
    public Column column(String name) {
        Column column = columns.get(name);
        if (column == null) {
            throw new SamewireException(Code.MISUSE, -1, null,
                "there is no field " + name + ", only " + String.join(", ", columns.keySet()));
        }
        return column;
    }

    /**
     * Returns the column of a field as what it must be: {@code orders.column("price", DoubleColumn.class).values()}.
     *
     * @throws SamewireException {@code misuse} if there is no such field, or if its column is another one
     */
    public <C extends Column> C column(String name, Class<C> type) {
        Column column = column(name);
        if (!type.isInstance(column)) {
            throw new SamewireException(Code.MISUSE, -1, null, "the column of " + name + " is a "
                + column.getClass().getSimpleName() + " (" + column.kind() + "), not a " + type.getSimpleName());
        }
        return type.cast(column);
    }

    @Override
    public Object present(int index) {
        Map<String, Object> row = new LinkedHashMap<>();
        columns.forEach((name, column) -> row.put(name, column.get(index)));
        return row;
    }
}
