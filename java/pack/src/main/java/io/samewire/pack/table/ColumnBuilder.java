package io.samewire.pack.table;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.columns.Column;
import io.samewire.pack.wire.Fault;
import io.samewire.pack.wire.Reader;
import java.util.function.Supplier;

/**
 * Collects the values of one column of a message. As the reader that it takes them from, it finds no errors but throws
 * {@link Fault}, and charges as decoding does: what one accepts, the other does. It allocates for no value before its
 * bytes are known to be there.
 */
abstract class ColumnBuilder {
    /** How many columns these are: what a null of a struct has room for. */
    int columns() {
        return 1;
    }

    /** Appends the value of a slot. */
    abstract void slot(Reader in);

    /** Appends the values of a column of the format ({@code spec/columns.md}), at least one. */
    abstract void column(Reader in, int m);

    /** Appends a null. */
    abstract void nothing();

    /** Puts nulls between the last {@code present} values: these are those that are set. */
    abstract void spread(boolean[] set, int present);

    /** Returns the column. The builder is not used again. */
    abstract Column finish(boolean[] validity);

    /** Appends the values of a row of one type ({@code spec/pack.md} section 8), as the elements of a list. */
    void row(Reader in, int n) {
        for (int i = 0; i < n; i++) {
            slot(in);
        }
    }

    /** Appends the value of a slot that has a flag. */
    void flagged(Reader in, boolean set) {
        slot(in);
    }

    /** A value that may be a key, as a set has it. */
    Object key(int index) {
        throw Fault.FAULT;
    }

    /** The error of what decoding accepts, and columns have no room for. */
    static SamewireException noRoom(Reader in, Supplier<String> path, String text) {
        return new SamewireException(Code.LIMIT_ITEMS, in.offset(), path.get(), text);
    }

    /** Throws unless {@code more} elements have offsets behind {@code length} others. */
    static void checkOffset(Reader in, long length, long more, Supplier<String> path) {
        if (length + more > Integer.MAX_VALUE - 8) {
            throw noRoom(in, path, "a column has at most " + (Integer.MAX_VALUE - 8) + " elements or bytes");
        }
    }
}
