package io.samewire.pack.columns;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Timestamps, since 1970-01-01T00:00:00Z, or durations: as whole numbers of one unit, the one that the message has them
 * in. Messages in rows have the coarsest unit that is exact for all.
 *
 * @param kind {@code timestamp} or {@code duration}
 * @param unit the unit of {@code values}: {@code SECONDS}, {@code MILLIS}, {@code MICROS} or {@code NANOS}
 * @param values the times in that unit; 0 where one is null
 * @param nanoseconds what is added to seconds, 0 to 999,999,999: only where no unit is exact and within 64 bits for all
 *     times, so that {@code unit} is {@code SECONDS}. Otherwise null.
 * @param validity whether each is present, of an option; else null
 */
public record InstantColumn(String kind, ChronoUnit unit, long[] values, int[] nanoseconds, boolean[] validity)
    implements Column {
    private static final long BILLION = 1_000_000_000;
    private static final double MILLION = 1e6;

    @Override
    public int length() {
        return values.length;
    }

    /** Returns the times in milliseconds, rounded to doubles; NaN where one is null. */
    public double[] toMilliseconds() {
        double[] milliseconds = new double[values.length];
        for (int i = 0; i < milliseconds.length; i++) {
            if (validity != null && !validity[i]) {
                milliseconds[i] = Double.NaN;
            } else {
                milliseconds[i] = switch (unit) {
                    case SECONDS -> nanoseconds == null ? values[i] * 1e3 : withNanoseconds(i);
                    case MILLIS -> values[i];
                    case MICROS -> values[i] / 1e3;
                    default -> values[i] / MILLION;
                };
            }
        }
        return milliseconds;
    }

    /** Near 1970 the whole is small, and the sum of two doubles would lose what it has of nanoseconds. */
    private double withNanoseconds(int index) {
        long seconds = values[index];
        boolean isSmall = Math.abs(seconds) < BILLION;
        return isSmall ? (seconds * BILLION + nanoseconds[index]) / MILLION
            : seconds * 1e3 + nanoseconds[index] / MILLION;
    }

    @Override
    public Object present(int index) {
        long inSecond = BILLION / unit.getDuration().toNanos();
        long seconds = Math.floorDiv(values[index], inSecond);
        long rest = Math.floorMod(values[index], inSecond) * (BILLION / inSecond);
        long nanos = rest + (nanoseconds == null ? 0 : nanoseconds[index]);
        return kind.equals("timestamp") ? Instant.ofEpochSecond(seconds, nanos) : Duration.ofSeconds(seconds, nanos);
    }
}
