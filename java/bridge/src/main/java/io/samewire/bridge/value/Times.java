package io.samewire.bridge.value;

import java.lang.reflect.InvocationTargetException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;

/**
 * Converts between times of {@code java.time}, as which a client's times cross, and the older classes.
 *
 * <p>An instant becomes a {@link Date} by {@link Date#from}: the fraction of a millisecond, which a Date cannot hold,
 * is dropped. The classes of {@code java.sql} are local dates and times, like their texts: they are converted to and
 * from {@code LocalDate}, {@code LocalTime} and {@code LocalDateTime}. They are accessed by name, since a runtime may
 * not have that module.
 */
public final class Times {
    private static final String SQL = "java.sql.";
    private static final long MILLIS = 1000;
    private static final int NANOS_OF_MILLI = 1_000_000;

    private Times() {}

    /** Returns the preference of a class for converting a time: 0 is the best; -1 if it cannot be converted to it. */
    public static int preference(Class<?> from, Class<?> to) {
        if (from == Instant.class) {
            return to == Date.class ? 0 : to == OffsetDateTime.class ? 1 : to == ZonedDateTime.class ? 2
                : isSql(to, "Timestamp") ? 3 : -1;
        }
        return from == LocalDateTime.class && isSql(to, "Timestamp") || from == LocalDate.class && isSql(to, "Date")
            || from == LocalTime.class && isSql(to, "Time") ? 0 : -1;
    }

    private static boolean isSql(Class<?> type, String name) {
        return type.getName().startsWith(SQL) && type.getName().substring(SQL.length()).equals(name);
    }

    /** Converts a time to a class for which {@link #preference} is not negative; null for another class. */
    static Object converted(Object time, Class<?> type) {
        if (preference(time.getClass(), type) < 0) {
            return null;
        } else if (type == Date.class) {
            return Date.from((Instant) time);
        } else if (type == OffsetDateTime.class) {
            return ((Instant) time).atOffset(ZoneOffset.UTC);
        } else if (type == ZonedDateTime.class) {
            return ((Instant) time).atZone(ZoneOffset.UTC);
        } else if (time instanceof Instant) {
            return call(type, "from", Instant.class, null, time);
        }
        Object made = call(type, "valueOf", time.getClass(), null, time);
        if (time instanceof LocalTime) {
            // `Time.valueOf` drops the milliseconds, which a Time can hold.
            Date whole = (Date) made;
            whole.setTime(whole.getTime() + ((LocalTime) time).getNano() / NANOS_OF_MILLI);
        }
        return made;
    }

    /**
     * Converts a time of an older class to {@code java.time}: a Date to an Instant, those of {@code java.sql} to local
     * times. A value of any other class, also of a subclass, is returned unchanged.
     */
    public static Object value(Object time) {
        if (!(time instanceof Date)) {
            return time;
        }
        Class<?> type = time.getClass();
        if (type == Date.class) {
            return ((Date) time).toInstant();
        } else if (isSql(type, "Timestamp")) {
            return call(type, "toLocalDateTime", null, time, null);
        } else if (isSql(type, "Date")) {
            return call(type, "toLocalDate", null, time, null);
        } else if (isSql(type, "Time")) {
            LocalTime whole = ((LocalTime) call(type, "toLocalTime", null, time, null)).withNano(0);
            return whole.plusNanos(Math.floorMod(((Date) time).getTime(), MILLIS) * NANOS_OF_MILLI);
        }
        return time;
    }

    private static Object call(Class<?> owner, String method, Class<?> parameter, Object target, Object argument) {
        try {
            return parameter == null ? owner.getMethod(method).invoke(target)
                : owner.getMethod(method, parameter).invoke(target, argument);
        } catch (InvocationTargetException outside) {
            throw Mismatch.of(argument == null ? target : argument, owner, ": " + outside.getCause().getMessage());
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
