package io.samewire.pack.table;

import io.samewire.pack.columns.Column;
import io.samewire.pack.columns.EnumColumn;
import io.samewire.pack.wire.IntegerColumns;
import io.samewire.pack.wire.Reader;
import java.util.List;

/** Symbols of an enum. */
final class EnumBuilder extends ColumnBuilder {
    static final int NO_CODE = -1;

    private final List<String> symbols;
    private final Growing codes = new Growing(int.class, NO_CODE);

    EnumBuilder(List<String> symbols) {
        this.symbols = symbols;
    }

    @Override
    void slot(Reader in) {
        int code = in.index(symbols.size());
        int at = codes.extend(1);
        ((int[]) codes.array)[at] = code;
    }

    @Override
    void column(Reader in, int m) {
        appendIndices(codes, 0, IntegerColumns.readIndices(in, m, symbols.size()), m);
    }

    /** Appends indices, each plus {@code first}. */
    static void appendIndices(Growing codes, int first, long[] indices, int m) {
        int from = codes.extend(m);
        int[] array = (int[]) codes.array;
        for (int i = 0; i < m; i++) {
            array[from + i] = first + (int) indices[i];
        }
    }

    @Override
    void nothing() {
        codes.appendNothing();
    }

    @Override
    void spread(boolean[] set, int present) {
        codes.spread(set, present);
    }

    @Override
    Column finish(boolean[] validity) {
        return new EnumColumn(symbols, (int[]) codes.finish(), validity);
    }

    @Override
    Object key(int index) {
        return ((int[]) codes.array)[index];
    }
}
