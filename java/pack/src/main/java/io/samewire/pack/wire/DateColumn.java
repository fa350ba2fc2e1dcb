package io.samewire.pack.wire;

import java.time.LocalDate;

/**
 * Writes a column of {@code date} ({@code spec/columns.md} section 2). Dates of a series mostly stand in the month of the
 * one before: then only the day is added, where the days since 1970 of each would take 12 ns.
 */
public final class DateColumn {
    /** Bits of the day of the month, and of the month. */
    private static final int DAY = 5;
    private static final int MONTH = 4;

    private DateColumn() {}

    /** A date as its year, month and day, side by side. */
    public static long parts(LocalDate date) {
        return ((long) date.getYear() << MONTH | date.getMonthValue()) << DAY | date.getDayOfMonth();
    }

    /** Writes dates by their parts, which are changed. */
    public static void write(Writer out, long[] parts, int m) {
        long month = 0;
        long before = 0;
        for (int i = 0; i < m; i++) {
            long date = parts[i];
            if (date >> DAY != month) {
                month = date >> DAY;
                before = LocalDate.of((int) (month >> MONTH), (int) month & (1 << MONTH) - 1, 1).toEpochDay() - 1;
            }
            long days = before + (date & (1 << DAY) - 1);
            if (days < Times.DATE_MIN || days > Times.DATE_MAX) {
                throw Fault.FAULT;
            }
            parts[i] = days;
        }
        IntegerColumns.write(out, parts, m, Integer.SIZE, true);
    }
}
