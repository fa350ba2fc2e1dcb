package io.samewire.pack.table;

import io.samewire.pack.columns.Column;
import io.samewire.pack.columns.ValueColumn;
import io.samewire.pack.wire.Reader;
import java.util.function.Function;

/** Values that are an object each. */
final class ValueBuilder extends ColumnBuilder {
    private final String kind;
    private final Function<Reader, Object> read;
    private final Growing values = new Growing(Object.class, null);

    ValueBuilder(String kind, Function<Reader, Object> read) {
        this.kind = kind;
        this.read = read;
    }

    @Override
    void slot(Reader in) {
        Object value = read.apply(in);
        int at = values.extend(1);
        ((Object[]) values.array)[at] = value;
    }

    @Override
    void column(Reader in, int m) {
        in.need(m);
        row(in, m);
    }

    @Override
    void nothing() {
        values.appendNothing();
    }

    @Override
    void spread(boolean[] set, int present) {
        values.spread(set, present);
    }

    @Override
    Column finish(boolean[] validity) {
        return new ValueColumn(kind, (Object[]) values.finish(), validity);
    }

    @Override
    Object key(int index) {
        return ((Object[]) values.array)[index];
    }
}
