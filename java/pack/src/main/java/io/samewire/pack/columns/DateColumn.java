package io.samewire.pack.columns;

import java.time.LocalDate;

/**
 * Dates.
 *
 * @param values days since 1970-01-01; 0 where one is null
 * @param validity whether each is present, of an option; else null
 */
public record DateColumn(int[] values, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "date";
    }

    @Override
    public int length() {
        return values.length;
    }

    @Override
    public Object present(int index) {
        return LocalDate.ofEpochDay(values[index]);
    }
}
