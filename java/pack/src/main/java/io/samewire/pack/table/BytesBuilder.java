package io.samewire.pack.table;

import io.samewire.pack.columns.BytesColumn;
import io.samewire.pack.columns.Column;
import io.samewire.pack.wire.IntegerColumns;
import io.samewire.pack.wire.Reader;
import java.util.function.Supplier;

/** Byte strings. */
final class BytesBuilder extends ColumnBuilder {
    private final Supplier<String> path;
    private final Ends ends = new Ends();
    private final Growing data = new Growing(byte.class, (byte) 0);

    BytesBuilder(Supplier<String> path) {
        this.path = path;
    }

    @Override
    void slot(Reader in) {
        take(in, in.length());
        ends.push(data.length);
    }

    @Override
    void column(Reader in, int m) {
        long[] bounds = IntegerColumns.readLengthBounds(in, m);
        int before = data.length;
        take(in, bounds[m]);
        for (int i = 1; i <= m; i++) {
            ends.push(before + (int) bounds[i]);
        }
    }

    private void take(Reader in, long size) {
        in.need(size);
        checkOffset(in, data.length, size, path);
        int from = data.extend((int) size);
        in.raw((byte[]) data.array, from, (int) size);
    }

    @Override
    void nothing() {
        ends.push(data.length);
    }

    @Override
    void spread(boolean[] set, int present) {
        ends.spread(set, present);
    }

    @Override
    Column finish(boolean[] validity) {
        return new BytesColumn(ends.offsets(), (byte[]) data.finish(), validity);
    }
}
