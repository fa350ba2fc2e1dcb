package io.samewire.pack.columns;

/**
 * Integers of 8 bits.
 *
 * @param kind {@code i8}, or {@code u8}, whose bits these are
 * @param values the numbers; 0 where one is null
 * @param validity whether each is present, of an option; else null
 */
public record ByteColumn(String kind, byte[] values, boolean[] validity) implements Column {
    @Override
    public int length() {
        return values.length;
    }

    @Override
    public Object present(int index) {
        return kind.equals("u8") ? (Object) (short) Byte.toUnsignedInt(values[index]) : (Object) values[index];
    }
}
