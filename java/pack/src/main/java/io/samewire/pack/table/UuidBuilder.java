package io.samewire.pack.table;

import io.samewire.pack.columns.Column;
import io.samewire.pack.columns.UuidColumn;
import io.samewire.pack.wire.BigNumbers;
import io.samewire.pack.wire.RawColumns;
import io.samewire.pack.wire.Reader;
import java.util.UUID;

/** UUIDs. */
final class UuidBuilder extends ColumnBuilder {
    private final Growing high = new Growing(long.class, 0L);
    private final Growing low = new Growing(long.class, 0L);

    @Override
    void slot(Reader in) {
        push(BigNumbers.readUuid(in));
    }

    @Override
    void column(Reader in, int m) {
        int begin = RawColumns.take(in, m, 2 * Long.BYTES);
        for (int i = 0; i < m; i++) {
            push(RawColumns.uuid(in, begin, i));
        }
    }

    private void push(UUID value) {
        int at = high.extend(1);
        low.extend(1);
        ((long[]) high.array)[at] = value.getMostSignificantBits();
        ((long[]) low.array)[at] = value.getLeastSignificantBits();
    }

    @Override
    void nothing() {
        high.appendNothing();
        low.appendNothing();
    }

    @Override
    void spread(boolean[] set, int present) {
        high.spread(set, present);
        low.spread(set, present);
    }

    @Override
    Column finish(boolean[] validity) {
        return new UuidColumn((long[]) high.finish(), (long[]) low.finish(), validity);
    }

    @Override
    Object key(int index) {
        return new UUID(((long[]) high.array)[index], ((long[]) low.array)[index]);
    }
}
