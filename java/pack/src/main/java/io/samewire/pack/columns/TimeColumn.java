package io.samewire.pack.columns;

import java.time.LocalTime;

/**
 * Times of day.
 *
 * @param values nanoseconds since midnight; 0 where one is null
 * @param validity whether each is present, of an option; else null
 */
public record TimeColumn(long[] values, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "time";
    }

    @Override
    public int length() {
        return values.length;
    }

    @Override
    public Object present(int index) {
        return LocalTime.ofNanoOfDay(values[index]);
    }
}
