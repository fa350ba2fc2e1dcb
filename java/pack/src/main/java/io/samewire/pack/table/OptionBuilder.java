package io.samewire.pack.table;

import io.samewire.pack.columns.Column;
import io.samewire.pack.wire.Reader;
import java.util.Arrays;
import java.util.function.Supplier;

/** Options of anything. */
final class OptionBuilder extends ColumnBuilder {
    /**
     * What the nulls of structs take in one message, which no value pays for: at most the limit {@code cells}, besides
     * what values take. Counted apart, so that everything else is charged as in decoding.
     */
    static final class Room {
        private final long most;
        private long taken;

        Room(long most) {
            this.most = most;
        }
    }

    private final ColumnBuilder item;
    private final Supplier<String> path;
    private final Room room;
    /** Cells of a struct or tuple that is present; 0 for others. */
    private final int cells;
    /** What one that is null has room for; 0 for others. */
    private final int nothingCells;
    private final Growing validity = new Growing(boolean.class, false);

    /** An option of an item; {@code cells} are those of a struct or tuple, and -1 stands for others. */
    OptionBuilder(ColumnBuilder item, int cells, Supplier<String> path, Room room) {
        this.item = item;
        this.path = path;
        this.room = room;
        this.cells = Math.max(cells, 0);
        this.nothingCells = cells < 0 ? 0 : item.columns();
    }

    @Override
    int columns() {
        return item.columns();
    }

    /** The value of an option that is present. */
    @Override
    void slot(Reader in) {
        in.charge(cells);
        item.slot(in);
        push(true);
    }

    private void push(boolean set) {
        int at = validity.extend(1);
        ((boolean[]) validity.array)[at] = set;
    }

    @Override
    void flagged(Reader in, boolean set) {
        if (set) {
            slot(in);
            return;
        }
        takeRoom(in, 1);
        nothing();
    }

    @Override
    void row(Reader in, int n) {
        int flags = in.flagRow(n);
        for (int i = 0; i < n; i++) {
            flagged(in, in.flag(flags, i));
        }
    }

    @Override
    void column(Reader in, int m) {
        int from = validity.length;
        int present = BoolBuilder.flags(in, validity, m);
        in.charge(present, cells);
        takeRoom(in, m - present);
        if (present > 0) {
            item.column(in, present);
        }
        if (present < m) {
            item.spread(Arrays.copyOfRange((boolean[]) validity.array, from, from + m), present);
        }
    }

    private void takeRoom(Reader in, int nulls) {
        room.taken += (long) nulls * nothingCells;
        if (room.taken > room.most) {
            throw noRoom(in, path, "nulls of structs take more memory in columns than the limit cells");
        }
    }

    @Override
    void nothing() {
        push(false);
        item.nothing();
    }

    @Override
    void spread(boolean[] set, int present) {
        validity.spread(set, present);
        item.spread(set, present);
    }

    @Override
    Column finish(boolean[] none) {
        return item.finish((boolean[]) validity.finish());
    }
}
