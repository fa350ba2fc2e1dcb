package io.samewire.pack.table;

import io.samewire.pack.columns.Column;
import io.samewire.pack.columns.StructColumn;
import io.samewire.pack.columns.TupleColumn;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.Reader;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Structs that are not recursive, and tuples: a row of different slots. */
final class RowBuilder extends ColumnBuilder {
    private final SchemaType type;
    private final ColumnBuilder[] parts;
    private final boolean[] flagged;
    private final int flags;
    private final int columns;
    private int length;

    RowBuilder(SchemaType type, ColumnBuilder[] parts) {
        this.type = type;
        this.parts = parts;
        List<SchemaType> types = type.parts();
        this.flagged = new boolean[parts.length];
        int count = 0;
        int sum = 1;
        for (int i = 0; i < parts.length; i++) {
            flagged[i] = types.get(i).flagged();
            count += flagged[i] ? 1 : 0;
            sum += parts[i].columns();
        }
        this.flags = count;
        this.columns = sum;
    }

    @Override
    int columns() {
        return columns;
    }

    @Override
    void slot(Reader in) {
        int at = in.flagRow(flags);
        int next = 0;
        for (int i = 0; i < parts.length; i++) {
            if (flagged[i]) {
                parts[i].flagged(in, in.flag(at, next++));
            } else {
                parts[i].slot(in);
            }
        }
        length++;
    }

    @Override
    void column(Reader in, int m) {
        int mark = in.mark();
        for (ColumnBuilder part : parts) {
            part.column(in, m);
            in.release(mark);
        }
        length += m;
    }

    @Override
    void nothing() {
        for (ColumnBuilder part : parts) {
            part.nothing();
        }
        length++;
    }

    @Override
    void spread(boolean[] set, int present) {
        for (ColumnBuilder part : parts) {
            part.spread(set, present);
        }
        length += set.length - present;
    }

    @Override
    Column finish(boolean[] validity) {
        Column[] made = new Column[parts.length];
        for (int i = 0; i < made.length; i++) {
            made[i] = parts[i].finish(null);
        }
        if (!(type instanceof SchemaType.Struct struct)) {
            return new TupleColumn(length, Collections.unmodifiableList(Arrays.asList(made)), validity);
        }
        Map<String, Column> named = new LinkedHashMap<>();
        for (int i = 0; i < made.length; i++) {
            named.put(struct.fields.get(i).name(), made[i]);
        }
        return new StructColumn(length, Collections.unmodifiableMap(named), validity);
    }
}
