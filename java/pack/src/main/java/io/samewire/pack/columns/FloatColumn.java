package io.samewire.pack.columns;

/**
 * Floats of 4 bytes.
 *
 * @param values the numbers; NaN where one is null
 * @param validity whether each is present, of an option; else null
 */
public record FloatColumn(float[] values, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "f32";
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
