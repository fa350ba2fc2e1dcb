package io.samewire.pack.columns;

/**
 * Integers of 16 bits.
 *
 * @param kind {@code i16}, or {@code u16}, whose bits these are
 * @param values the numbers; 0 where one is null
 * @param validity whether each is present, of an option; else null
 */
public record ShortColumn(String kind, short[] values, boolean[] validity) implements Column {
    @Override
    public int length() {
        return values.length;
    }

    @Override
    public Object present(int index) {
        return kind.equals("u16") ? (Object) Short.toUnsignedInt(values[index]) : (Object) values[index];
    }
}
