package io.samewire.pack.columns;

/**
 * Booleans.
 *
 * @param values the values; false where one is null
 * @param validity whether each is present, of an option; else null
 */
public record BoolColumn(boolean[] values, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "bool";
    }

    @Override
    public int length() {
        return values.length;
    }

    @Override
    public Object present(int index) {
        return values[index];
    }
}
