package io.samewire.pack.wire;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;

/** Dates, times, timestamps and durations ({@code spec/pack.md} sections 1, 4 and 8). */
public final class Times {
    static final int DATE_MIN = -719_162;
    static final int DATE_MAX = 2_932_896;
    private static final int YEAR_MIN = 1;
    private static final int YEAR_MAX = 9999;
    private static final int MARCH = 3;
    /** The days from the last of February of the year 0 to 1970. */
    private static final int MARCH_OF_YEAR_0 = 719_469;
    static final long TIME_MAX = 86_399_999_999_999L;
    static final long SECONDS_MIN = DATE_MIN * 86_400L;
    static final long SECONDS_MAX = DATE_MAX * 86_400L + 86_399;
    private static final int BILLION = 1_000_000_000;
    private static final int MILLION = 1_000_000;
    private static final int THOUSAND = 1_000;

    private Times() {}

    /** {@code date}. */
    public static LocalDate readDate(Reader in) {
        return LocalDate.ofEpochDay(readDays(in));
    }

    /** {@code date}, in days since 1970. */
    public static int readDays(Reader in) {
        int days = in.i32();
        if (days < DATE_MIN || days > DATE_MAX) {
            throw Fault.FAULT;
        }
        return days;
    }

    /** {@code time}. */
    public static LocalTime readTime(Reader in) {
        return LocalTime.ofNanoOfDay(readNanosOfDay(in));
    }

    /** {@code time}, in nanoseconds since midnight. */
    public static long readNanosOfDay(Reader in) {
        long nanos = in.u64();
        if (nanos < 0 || nanos > TIME_MAX) {
            throw Fault.FAULT;
        }
        return nanos;
    }

    /** {@code timestamp}. */
    public static Instant readInstant(Reader in) {
        long seconds = in.i64();
        if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) {
            throw Fault.FAULT;
        }
        return Instant.ofEpochSecond(seconds, nanos(in.u32()));
    }

    /** {@code duration}. */
    public static Duration readDuration(Reader in) {
        long seconds = in.i64();
        return Duration.ofSeconds(seconds, nanos(in.u32()));
    }

    /** Nanoseconds of a fraction; a fault if it is none. */
    private static int nanos(int raw) {
        if (raw == 0) {
            return 0;
        }
        int n = raw >>> 2;
        int unit = switch (raw & 3) {
            case 0 -> 1;
            case 1 -> THOUSAND;
            case 2 -> MILLION;
            default -> throw Fault.FAULT;
        };
        if (n == 0 || n >= BILLION / unit) {
            throw Fault.FAULT;
        }
        return n * unit;
    }

    /** {@code date}. */
    public static void writeDate(Writer out, LocalDate date) {
        out.i32((int) days(date));
    }

    /** The days of a {@code date} since 1970. */
    public static long days(LocalDate date) {
        return days(date.getYear(), date.getMonthValue(), date.getDayOfMonth());
    }

    /**
     * The days of a date since 1970. {@link LocalDate#toEpochDay} branches on the month and on leap years, which cannot
     * be foreseen: records with a date took 6 % more time to encode.
     */
    static int days(int year, int month, int day) {
        if (year < YEAR_MIN || year > YEAR_MAX) {
            throw Fault.FAULT;
        }
        // Years and months from March on: the leap day ends a year.
        int before = month - MARCH >> Integer.SIZE - 1;
        int from = year + before;
        int century = from / 100;
        int months = month - MARCH - 12 * before;
        return 365 * from + (from >> 2) - century + (century >> 2) + (153 * months + 2) / 5 + day - MARCH_OF_YEAR_0;
    }

    /** {@code time}. */
    public static void writeTime(Writer out, LocalTime time) {
        out.u64(time.toNanoOfDay());
    }

    /** {@code timestamp}. */
    public static void writeInstant(Writer out, Instant instant) {
        long seconds = instant.getEpochSecond();
        if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) {
            throw Fault.FAULT;
        }
        secondsAndFraction(out, seconds, instant.getNano());
    }

    /** {@code duration}. */
    public static void writeDuration(Writer out, Duration duration) {
        secondsAndFraction(out, duration.getSeconds(), duration.getNano());
    }

    private static void secondsAndFraction(Writer out, long seconds, int nanos) {
        out.i64(seconds);
        if (nanos % MILLION == 0) {
            out.u32(nanos == 0 ? 0 : nanos / MILLION << 2 | 2);
        } else if (nanos % THOUSAND == 0) {
            out.u32(nanos / THOUSAND << 2 | 1);
        } else {
            out.u32(nanos << 2);
        }
    }
}
