package io.samewire.pack.columns;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/**
 * The values of one field, or of one part of it, of all rows of a message. {@code spec/tables.md} section 6 says what
 * each type becomes. The arrays are the column's own; they share nothing with the message.
 */
public sealed interface Column permits BoolColumn, ByteColumn, BytesColumn, DateColumn, DecimalColumn, DoubleColumn,
    EnumColumn, FloatColumn, InstantColumn, IntColumn, ListColumn, LongColumn, MapColumn, SetColumn, ShortColumn,
    StructColumn, TextColumn, TimeColumn, TupleColumn, UuidColumn, ValueColumn {

    /**
     * Returns the type of the values: a word of schema text ({@code u8}, {@code string}, {@code list}, …), {@code
     * struct}, {@code enum}, {@code union}, or {@code recursive} for a struct that contains itself.
     */
    String kind();

    /** Returns how many values it has, null ones as well. */
    int length();

    /** Of an option: whether each value is present. Null for other types. */
    boolean[] validity();

    /**
     * Returns one value, as {@link io.samewire.pack.Pack#decoder} has it: unsigned integers as the next wider type,
     * structs as maps. Null where it is absent.
     *
     * @throws SamewireException {@code misuse} unless the index is from 0 to {@link #length()} − 1
     */
    default Object get(int index) {
        if (index < 0 || index >= length()) {
            throw new SamewireException(Code.MISUSE, -1, null,
                "there is no value " + index + " in a column of " + length());
        }
        return validity() != null && !validity()[index] ? null : present(index);
    }

    /** Returns all values: {@link #get} of each. */
    default Object[] toArray() {
        Object[] values = new Object[length()];
        for (int i = 0; i < values.length; i++) {
            values[i] = get(i);
        }
        return values;
    }

    /** Returns one value that is present; of one that is null, what stands in its place. */
    Object present(int index);
}
