package io.samewire.pack.table;

import io.samewire.pack.columns.Column;
import io.samewire.pack.columns.ListColumn;
import io.samewire.pack.columns.MapColumn;
import io.samewire.pack.columns.SetColumn;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.Fault;
import io.samewire.pack.wire.IntegerColumns;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.RowForm;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/** Lists, sets and maps. A table is a list, of which only the elements are given out. */
final class ContainerBuilder extends ColumnBuilder {
    private final SchemaType type;
    /** The elements, or the keys of a map. */
    private final ColumnBuilder first;
    /** The values of a map; null for others. */
    private final ColumnBuilder values;
    /** Cells of an element. */
    private final int cells;
    /** Whether its elements, or the values of a map, may be columns. */
    private final boolean columnar;
    private final Supplier<String> path;
    private final Ends ends = new Ends();

    ContainerBuilder(SchemaType type, ColumnBuilder first, ColumnBuilder values, int cells, boolean columnar,
        Supplier<String> path) {
        this.type = type;
        this.first = first;
        this.values = values;
        this.cells = cells;
        this.columnar = columnar;
        this.path = path;
    }

    @Override
    void slot(Reader in) {
        in.charge(Cells.CONTAINER);
        int n = in.u32();
        if (n < 0) {
            n = elementColumns(in, n);
        } else if (values == null) {
            in.claimRow(n, RowForm.of(type.parts().get(0)), cells);
            first.row(in, n);
        } else {
            SchemaType.MapOf map = (SchemaType.MapOf) type;
            in.claimEntries(n, RowForm.of(map.key), RowForm.of(map.value), cells);
            first.row(in, n);
            values.row(in, n);
        }
        checkOffset(in, ends.last(), n, path);
        ends.push(ends.last() + n);
        checkDistinct(1);
    }

    private int elementColumns(Reader in, int marked) {
        if (!columnar) {
            throw Fault.FAULT;
        }
        int n = in.columnarCount(marked, values == null ? 1 : 2, cells);
        columnsOf(in, n);
        return n;
    }

    private void columnsOf(Reader in, int n) {
        int mark = in.mark();
        first.column(in, n);
        in.release(mark);
        if (values != null) {
            values.column(in, n);
            in.release(mark);
        }
    }

    @Override
    void column(Reader in, int m) {
        long[] bounds = IntegerColumns.readBounds(in, m, values == null ? 1 : 2, cells);
        int total = (int) bounds[m];
        checkOffset(in, ends.last(), total, path);
        ends.pushBounds(bounds, m);
        if (total > 0) {
            columnsOf(in, total);
        }
        checkDistinct(m);
    }

    /** Finds a repeated key in one of the last {@code m} sets or maps. */
    private void checkDistinct(int m) {
        if (type instanceof SchemaType.ListOf) {
            return;
        }
        for (int i = ends.length() - m; i < ends.length(); i++) {
            Set<Object> seen = new HashSet<>();
            for (int k = ends.startOf(i); k < ends.startOf(i + 1); k++) {
                if (!seen.add(first.key(k))) {
                    throw Fault.FAULT;
                }
            }
        }
    }

    @Override
    void nothing() {
        ends.push(ends.last());
    }

    @Override
    void spread(boolean[] set, int present) {
        ends.spread(set, present);
    }

    @Override
    Column finish(boolean[] validity) {
        int[] offsets = ends.offsets();
        if (values != null) {
            return new MapColumn(offsets, first.finish(null), values.finish(null), validity);
        }
        return type instanceof SchemaType.SetOf ? new SetColumn(offsets, first.finish(null), validity)
            : new ListColumn(offsets, first.finish(null), validity);
    }

    /** The column of the elements. */
    Column elements() {
        return first.finish(null);
    }
}
