package io.samewire.bridge.operations;

import io.samewire.bridge.value.Times;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Date;

/** Converts times for Python's {@code datetime}: the part below a microsecond is dropped. */
public final class PythonTimes {
    private PythonTimes() {}

    /**
     * Converts a time to one of Python's classes.
     *
     * @param kind {@code datetime}, {@code time} or {@code timedelta}
     * @throws SamewireException {@code type_mismatch} if the value is not such a time
     */
    public static Object of(Object value, String kind) {
        Object found = Times.value(value);
        Object time = kind.equals("datetime") ? dateTime(found)
            : kind.equals("time") && found instanceof LocalTime ? ((LocalTime) found).truncatedTo(ChronoUnit.MICROS)
            : kind.equals("timedelta") && value instanceof Duration
            ? ((Duration) value).truncatedTo(ChronoUnit.MICROS) : null;
        if (time == null && value != null) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, null, "a value of " + value.getClass().getName()
                + " is no " + kind + " of Python's");
        }
        return time;
    }

    private static Object dateTime(Object value) {
        if (value instanceof LocalDateTime) {
            return ((LocalDateTime) value).truncatedTo(ChronoUnit.MICROS);
        }
        Instant instant = value instanceof Instant ? (Instant) value
            : value instanceof ZonedDateTime ? ((ZonedDateTime) value).toInstant()
            : value instanceof OffsetDateTime ? ((OffsetDateTime) value).toInstant()
            : value instanceof Date ? ((Date) value).toInstant() : null;
        return instant == null ? null : instant.truncatedTo(ChronoUnit.MICROS);
    }
}
