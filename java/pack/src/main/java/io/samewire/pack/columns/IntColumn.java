package io.samewire.pack.columns;

/**
 * Integers of 32 bits.
 *
 * @param kind {@code i32}, or {@code u32}, whose bits these are
 * @param values the numbers; 0 where one is null
 * @param validity whether each is present, of an option; else null
 */
public record IntColumn(String kind, int[] values, boolean[] validity) implements Column {
    @Override
    public int length() {
        return values.length;
    }

    @Override
    public Object present(int index) {
        return kind.equals("u32") ? (Object) Integer.toUnsignedLong(values[index]) : (Object) values[index];
    }
}
