package io.samewire.pack.columns;

/**
 * Floats of 8 bytes.
 *
 * @param values the numbers; NaN where one is null
 * @param validity whether each is present, of an option; else null
 */
public record DoubleColumn(double[] values, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "f64";
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
