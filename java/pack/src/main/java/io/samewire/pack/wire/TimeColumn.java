package io.samewire.pack.wire;

import java.time.Duration;
import java.time.Instant;

/**
 * A column of {@code timestamp} or {@code duration} ({@code spec/columns.md} section 4) that has been read. Its times
 * become objects where they are used, one by one.
 */
public final class TimeColumn {
    private static final TimeColumn NONE = new TimeColumn(ColumnForm.SECONDS, null, null);
    private static final int MILLION = 1_000_000;
    private static final int THOUSAND = 1_000;
    private static final long[] UNITS_IN_SECOND = {1, THOUSAND, MILLION, ColumnForm.BILLION, 1};

    private final int unit;
    private final long[] times;
    private final long[] nanoseconds;

    private TimeColumn(int unit, long[] times, long[] nanoseconds) {
        this.unit = unit;
        this.times = times;
        this.nanoseconds = nanoseconds;
    }

    /** {@code timestamp}. */
    public static TimeColumn readInstants(Reader in, int m) {
        return read(in, m, true);
    }

    /** {@code duration}. */
    public static TimeColumn readDurations(Reader in, int m) {
        return read(in, m, false);
    }

    private static TimeColumn read(Reader in, int m, boolean calendar) {
        if (m == 0) {
            return NONE;
        }
        int unit = in.u8();
        if (unit < 0 || unit > ColumnForm.SPLIT) {
            throw Fault.FAULT;
        }
        long[] times = IntegerColumns.read(in, m, Long.SIZE, true, least(calendar, unit), most(calendar, unit));
        long[] nanoseconds = null;
        if (unit == ColumnForm.SPLIT) {
            nanoseconds = IntegerColumns.read(in, m, Integer.SIZE, false, 0, ColumnForm.BILLION - 1);
        }
        return new TimeColumn(unit, times, nanoseconds);
    }

    /** The first time that may be in a column of a unit. That of a timestamp lies within the years 1 to 9999. */
    static long least(boolean calendar, int unit) {
        return calendar && unit != ColumnForm.NANOSECONDS ? Times.SECONDS_MIN * UNITS_IN_SECOND[unit] : Long.MIN_VALUE;
    }

    /** The last time that may be in a column of a unit. */
    static long most(boolean calendar, int unit) {
        return calendar && unit != ColumnForm.NANOSECONDS ? (Times.SECONDS_MAX + 1) * UNITS_IN_SECOND[unit] - 1
            : Long.MAX_VALUE;
    }

    /** The unit: 0 to 3 for seconds, milliseconds, microseconds and nanoseconds, 4 for seconds with nanoseconds. */
    public int unit() {
        return unit;
    }

    /** The times in the unit, in an array that may be longer. */
    public long[] times() {
        return times;
    }

    /** The nanoseconds from each second on, in an array that may be longer; null unless the unit is 4. */
    public long[] nanoseconds() {
        return nanoseconds;
    }

    /** Time {@code i} of a column of instants. */
    public Instant instant(int i) {
        long time = times[i];
        return switch (unit) {
            case ColumnForm.SECONDS -> Instant.ofEpochSecond(time);
            case ColumnForm.MILLISECONDS -> Instant.ofEpochMilli(time);
            case ColumnForm.MICROSECONDS -> Instant.ofEpochSecond(Math.floorDiv(time, MILLION),
                Math.floorMod(time, MILLION) * THOUSAND);
            case ColumnForm.NANOSECONDS -> Instant.ofEpochSecond(Math.floorDiv(time, ColumnForm.BILLION),
                Math.floorMod(time, ColumnForm.BILLION));
            default -> Instant.ofEpochSecond(time, nanoseconds[i]);
        };
    }

    /** Time {@code i} of a column of durations. */
    public Duration duration(int i) {
        return unit == ColumnForm.SPLIT ? Duration.ofSeconds(times[i], nanoseconds[i]) : duration(unit, times[i]);
    }

    /** A time in a unit as what has passed since 1970. */
    static Duration duration(int unit, long time) {
        return switch (unit) {
            case ColumnForm.MILLISECONDS -> Duration.ofMillis(time);
            case ColumnForm.MICROSECONDS -> Duration.ofSeconds(Math.floorDiv(time, MILLION),
                Math.floorMod(time, MILLION) * THOUSAND);
            case ColumnForm.NANOSECONDS -> Duration.ofNanos(time);
            default -> Duration.ofSeconds(time);
        };
    }

    /** Puts the seconds and nanoseconds of instant number {@code i}. */
    public static void put(long[] seconds, long[] nanoseconds, int i, Instant time) {
        seconds[i] = time.getEpochSecond();
        nanoseconds[i] = time.getNano();
    }

    /** Puts the seconds and nanoseconds of duration number {@code i}. */
    public static void put(long[] seconds, long[] nanoseconds, int i, Duration time) {
        seconds[i] = time.getSeconds();
        nanoseconds[i] = time.getNano();
    }

    /** Writes instants by their seconds and nanoseconds. The array of seconds is changed. */
    public static void writeInstants(Writer out, long[] seconds, long[] nanoseconds, int m) {
        for (int i = 0; i < m; i++) {
            if (seconds[i] < Times.SECONDS_MIN || seconds[i] > Times.SECONDS_MAX) {
                throw Fault.FAULT;
            }
        }
        write(out, seconds, nanoseconds, m);
    }

    /** Writes durations by their seconds and nanoseconds. The array of seconds is changed. */
    public static void writeDurations(Writer out, long[] seconds, long[] nanoseconds, int m) {
        write(out, seconds, nanoseconds, m);
    }

    private static void write(Writer out, long[] seconds, long[] nanoseconds, int m) {
        if (m == 0) {
            return;
        }
        int unit = unit(nanoseconds, m);
        if (!fits(seconds, nanoseconds, m, unit)) {
            unit = ColumnForm.SPLIT;
        }
        out.u8(unit);
        if (unit == ColumnForm.SPLIT) {
            IntegerColumns.write(out, seconds, m, Long.SIZE, true);
            IntegerColumns.write(out, nanoseconds, m, Integer.SIZE, false);
            return;
        }
        long each = UNITS_IN_SECOND[unit];
        if (each > 1) {
            long size = ColumnForm.BILLION / each;
            for (int i = 0; i < m; i++) {
                // The sum is exact even where the product is not.
                seconds[i] = seconds[i] * each + nanoseconds[i] / size;
            }
        }
        IntegerColumns.write(out, seconds, m, Long.SIZE, true);
    }

    /** The coarsest unit that is exact for all. */
    private static int unit(long[] nanoseconds, int m) {
        int unit = ColumnForm.SECONDS;
        for (int i = 0; i < m; i++) {
            int n = (int) nanoseconds[i];
            if (n != 0) {
                if (unit <= ColumnForm.MILLISECONDS && n % MILLION == 0) {
                    unit = ColumnForm.MILLISECONDS;
                } else if (unit <= ColumnForm.MICROSECONDS && n % THOUSAND == 0) {
                    unit = ColumnForm.MICROSECONDS;
                } else if (n % THOUSAND != 0) {
                    return ColumnForm.NANOSECONDS;
                }
            }
        }
        return unit;
    }

    /** Whether all times are integers of 64 bits in a unit. */
    private static boolean fits(long[] seconds, long[] nanoseconds, int m, int unit) {
        long each = UNITS_IN_SECOND[unit];
        long most = Long.MAX_VALUE / each - 1;
        for (int i = 0; i < m; i++) {
            long s = seconds[i];
            if ((s > most || s < -most) && !fits(s, nanoseconds[i] / (ColumnForm.BILLION / each), each)) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(long seconds, long more, long each) {
        // Towards zero first, or what fits as a sum would not fit as a product.
        long whole = seconds < 0 ? seconds + 1 : seconds;
        long rest = seconds < 0 ? more - each : more;
        long product = whole * each;
        long sum = product + rest;
        return Math.multiplyHigh(whole, each) == product >> 63 && ((product ^ sum) & (rest ^ sum)) >= 0;
    }
}
