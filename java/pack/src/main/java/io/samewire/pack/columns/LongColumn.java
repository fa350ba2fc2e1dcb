package io.samewire.pack.columns;

import io.samewire.pack.wire.Boxing;

/**
 * Integers of 64 bits.
 *
 * @param kind {@code i64}, or {@code u64}, whose bits these are
 * @param values the numbers; 0 where one is null
 * @param validity whether each is present, of an option; else null
 */
public record LongColumn(String kind, long[] values, boolean[] validity) implements Column {
    @Override
    public int length() {
        return values.length;
    }

    @Override
    public Object present(int index) {
        return kind.equals("u64") ? (Object) Boxing.unsigned(values[index]) : (Object) values[index];
    }
}
