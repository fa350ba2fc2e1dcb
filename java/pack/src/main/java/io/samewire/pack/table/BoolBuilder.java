package io.samewire.pack.table;

import io.samewire.pack.columns.BoolColumn;
import io.samewire.pack.columns.Column;
import io.samewire.pack.wire.Reader;

/** Booleans. */
final class BoolBuilder extends ColumnBuilder {
    private final Growing values = new Growing(boolean.class, false);

    @Override
    void slot(Reader in) {
        flagged(in, in.bool());
    }

    @Override
    void flagged(Reader in, boolean set) {
        int at = values.extend(1);
        ((boolean[]) values.array)[at] = set;
    }

    @Override
    void row(Reader in, int n) {
        flags(in, values, n);
    }

    @Override
    void column(Reader in, int m) {
        flags(in, values, m);
    }

    /** Appends the flags of {@code n} values, which a row and a column have alike; returns how many are set. */
    static int flags(Reader in, Growing to, int n) {
        int flags = in.flagRow(n);
        int from = to.extend(n);
        boolean[] array = (boolean[]) to.array;
        int count = 0;
        for (int i = 0; i < n; i++) {
            boolean set = in.flag(flags, i);
            array[from + i] = set;
            count += set ? 1 : 0;
        }
        return count;
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
        return new BoolColumn((boolean[]) values.finish(), validity);
    }

    @Override
    Object key(int index) {
        return ((boolean[]) values.array)[index];
    }
}
