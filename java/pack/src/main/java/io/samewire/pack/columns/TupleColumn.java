package io.samewire.pack.columns;

import java.util.ArrayList;
import java.util.List;

/**
 * Tuples: a column for each part.
 *
 * @param length how many tuples there are, null ones as well
 * @param columns the columns of the parts
 * @param validity whether each is present, of an option; else null
 */
public record TupleColumn(int length, List<Column> columns, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "tuple";
    }

    @Override
    public Object present(int index) {
        List<Object> tuple = new ArrayList<>();
        for (Column column : columns) {
            tuple.add(column.get(index));
        }
        return tuple;
    }
}
