package io.samewire.pack.table;

import io.samewire.pack.columns.Column;
import io.samewire.pack.columns.InstantColumn;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.TimeColumn;
import io.samewire.pack.wire.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Timestamps or durations. They are kept in the unit of the one column that they come from; else, from rows and from
 * columns of several units, as seconds and nanoseconds, of which the coarsest unit is found at the end.
 */
final class InstantBuilder extends ColumnBuilder {
    private static final ChronoUnit[] UNITS = {ChronoUnit.SECONDS, ChronoUnit.MILLIS, ChronoUnit.MICROS,
        ChronoUnit.NANOS};
    private static final long[] IN_SECOND = {1, 1_000, 1_000_000, 1_000_000_000};
    private static final long BILLION = 1_000_000_000;
    private static final int UNKNOWN = -1;

    private final boolean calendar;
    private final Growing values = new Growing(long.class, 0L);
    /** What is added to each value, which is seconds then; null while all have one unit. */
    private Growing nanoseconds;
    /** The index of the unit; {@link #UNKNOWN} while there are only nulls, which are 0 in every unit. */
    private int unit = UNKNOWN;

    InstantBuilder(boolean calendar) {
        this.calendar = calendar;
    }

    @Override
    void slot(Reader in) {
        if (calendar) {
            Instant time = Times.readInstant(in);
            push(time.getEpochSecond(), time.getNano());
        } else {
            Duration time = Times.readDuration(in);
            push(time.getSeconds(), time.getNano());
        }
    }

    private void push(long seconds, int nanos) {
        split();
        int at = values.extend(1);
        nanoseconds.extend(1);
        ((long[]) values.array)[at] = seconds;
        ((int[]) nanoseconds.array)[at] = nanos;
    }

    @Override
    void column(Reader in, int m) {
        TimeColumn column = calendar ? TimeColumn.readInstants(in, m) : TimeColumn.readDurations(in, m);
        int found = column.unit();
        long[] times = column.times();
        long[] parts = column.nanoseconds();
        if (parts == null && nanoseconds == null && (unit == UNKNOWN || unit == found)) {
            unit = found;
            values.append(times, m);
            return;
        }
        split();
        int from = values.extend(m);
        nanoseconds.extend(m);
        for (int i = 0; i < m; i++) {
            put(from + i, times[i], parts == null ? found : 0);
            if (parts != null) {
                ((int[]) nanoseconds.array)[from + i] = (int) parts[i];
            }
        }
    }

    /** Makes seconds and nanoseconds of what there is. */
    private void split() {
        if (nanoseconds != null) {
            return;
        }
        nanoseconds = new Growing(int.class, 0);
        nanoseconds.extend(values.length);
        for (int i = 0; i < values.length; i++) {
            put(i, ((long[]) values.array)[i], Math.max(unit, 0));
        }
        unit = 0;
    }

    /** Puts a count of a unit as seconds, rounded down, and nanoseconds. */
    private void put(int at, long count, int of) {
        ((long[]) values.array)[at] = Math.floorDiv(count, IN_SECOND[of]);
        ((int[]) nanoseconds.array)[at] = (int) (Math.floorMod(count, IN_SECOND[of]) * (BILLION / IN_SECOND[of]));
    }

    @Override
    void nothing() {
        values.appendNothing();
        if (nanoseconds != null) {
            nanoseconds.appendNothing();
        }
    }

    @Override
    void spread(boolean[] set, int present) {
        values.spread(set, present);
        if (nanoseconds != null) {
            nanoseconds.spread(set, present);
        }
    }

    @Override
    Column finish(boolean[] validity) {
        String kind = calendar ? "timestamp" : "duration";
        long[] times = (long[]) values.finish();
        if (nanoseconds == null) {
            return new InstantColumn(kind, UNITS[Math.max(unit, 0)], times, null, validity);
        }
        int[] parts = (int[]) nanoseconds.finish();
        int coarsest = coarsest(parts);
        long[] whole = scaled(times, parts, IN_SECOND[coarsest]);
        return whole == null ? new InstantColumn(kind, ChronoUnit.SECONDS, times, parts, validity)
            : new InstantColumn(kind, UNITS[coarsest], whole, null, validity);
    }

    /** The coarsest unit that is exact for these nanoseconds. */
    private static int coarsest(int[] parts) {
        int unit = 0;
        for (int part : parts) {
            while (part % (BILLION / IN_SECOND[unit]) != 0) {
                unit++;
            }
        }
        return unit;
    }

    /** Seconds and nanoseconds as one number of a unit; null if 64 bits do not hold them all. */
    private static long[] scaled(long[] seconds, int[] parts, long inSecond) {
        long[] whole = new long[seconds.length];
        for (int i = 0; i < whole.length; i++) {
            long more = parts[i] / (BILLION / inSecond);
            // Towards zero first, or what fits as a sum would not fit as a product.
            long towards = seconds[i] < 0 ? 1 : 0;
            long product = (seconds[i] + towards) * inSecond;
            long rest = more - towards * inSecond;
            long sum = product + rest;
            boolean fits = Math.multiplyHigh(seconds[i] + towards, inSecond) == product >> 63
                && ((product ^ sum) & (rest ^ sum)) >= 0;
            if (!fits) {
                return null;
            }
            whole[i] = sum;
        }
        return whole;
    }

    @Override
    Object key(int index) {
        long time = ((long[]) values.array)[index];
        long inSecond = IN_SECOND[Math.max(unit, 0)];
        long rest = nanoseconds != null ? ((int[]) nanoseconds.array)[index]
            : Math.floorMod(time, inSecond) * (BILLION / inSecond);
        return Duration.ofSeconds(Math.floorDiv(time, inSecond), rest);
    }
}
