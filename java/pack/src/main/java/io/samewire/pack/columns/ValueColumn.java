package io.samewire.pack.columns;

/**
 * Values that are an object each.
 *
 * @param kind {@code bigint}, {@code any}, {@code union}, {@code ref}, or {@code recursive}: a struct that contains
 *     itself
 * @param values the values, as {@link io.samewire.pack.Pack#decoder} has them; null where one is absent
 * @param validity whether each is present, of an option; else null
 */
public record ValueColumn(String kind, Object[] values, boolean[] validity) implements Column {
    @Override
    public int length() {
        return values.length;
    }

    @Override
    public Object present(int index) {
        return values[index];
    }
}
