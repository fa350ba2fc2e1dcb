package io.samewire.pack.wire;

import java.time.LocalDate;

/**
 * A column of {@code date} ({@code spec/columns.md} section 2) that has been read. Dates of a series mostly stand in
 * the month of the one before: then only the day of the month is found, where a conversion of days since 1970 takes
 * 12 ns or more, either way.
 */
public final class DateColumn {
    /** Bits of the day of the month, and of the month. */
    private static final int DAY = 5;
    private static final int MONTH = 4;
    /** What every month has. */
    private static final int SURE_DAYS = 28;

    private final long[] days;
    /** The month of the last date whose month was found, and the day that it begins with. */
    private long first = Long.MAX_VALUE;
    private int year;
    private int month;

    private DateColumn(long[] days) {
        this.days = days;
    }

    /** The dates of a column. */
    public static DateColumn read(Reader in, int m) {
        return new DateColumn(IntegerColumns.readDates(in, m));
    }

    /** Date {@code i}. */
    public LocalDate date(int i) {
        long day = days[i] - first;
        return Long.compareUnsigned(day, SURE_DAYS) < 0 ? LocalDate.of(year, month, (int) day + 1) : elsewhere(days[i]);
    }

    private LocalDate elsewhere(long day) {
        LocalDate date = LocalDate.ofEpochDay(day);
        first = day + 1 - date.getDayOfMonth();
        year = date.getYear();
        month = date.getMonthValue();
        return date;
    }

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
                before = Times.days((int) (month >> MONTH), (int) month & (1 << MONTH) - 1, 1) - 1;
            }
            parts[i] = before + (date & (1 << DAY) - 1);
        }
        IntegerColumns.write(out, parts, m, Integer.SIZE, true);
    }
}
