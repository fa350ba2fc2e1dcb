package io.samewire.spark.types;

import io.samewire.pack.schema.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.UUID;
import java.util.function.Function;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;

/** Conversions of scalars. What would lose anything is refused. */
final class ScalarConversions {
    private static final long MICROS = 1_000_000;
    private static final int NANOS = 1_000;

    private ScalarConversions() {}

    private record Pair(Function<Object, Object> outward, Function<Object, Object> inward) implements Conversion {
        @Override
        public Object toSpark(Object value) {
            return outward.apply(value);
        }

        @Override
        public Object toPack(Object value) {
            return inward.apply(value);
        }
    }

    private static Conversion pair(Function<Object, Object> outward, Function<Object, Object> inward) {
        return new Pair(outward, inward);
    }

    static Conversion of(Kind kind, DecimalType decimal) {
        return switch (kind) {
            case BOOL, I8, I16, I32, I64, F32, F64, BYTES -> pair(value -> value, value -> value);
            case U8 -> pair(value -> (short) Byte.toUnsignedInt((Byte) value),
                value -> (byte) within((Short) value, (1 << Byte.SIZE) - 1, kind));
            case U16 -> pair(value -> Short.toUnsignedInt((Short) value),
                value -> (short) within((Integer) value, (1 << Short.SIZE) - 1, kind));
            case U32 -> pair(value -> Integer.toUnsignedLong((Integer) value),
                value -> (int) within((Long) value, (1L << Integer.SIZE) - 1, kind));
            case U64 -> pair(value -> decimal(new BigDecimal(unsigned((Long) value)), decimal),
                value -> bits(integer(value, kind), kind));
            case BIGINT -> pair(value -> decimal(new BigDecimal((BigInteger) value), decimal),
                value -> integer(value, kind));
            case DECIMAL -> pair(value -> decimal((BigDecimal) value, decimal),
                value -> ((Decimal) value).toJavaBigDecimal());
            case STRING -> pair(value -> UTF8String.fromString((String) value), ScalarConversions::text);
            case UUID -> pair(value -> UTF8String.fromString(value.toString()),
                value -> uuid(((UTF8String) value).toString()));
            case DATE -> pair(value -> (int) ((LocalDate) value).toEpochDay(),
                value -> LocalDate.ofEpochDay((Integer) value));
            case TIME -> pair(value -> ((LocalTime) value).toNanoOfDay(),
                value -> LocalTime.ofNanoOfDay(within((Long) value, LocalTime.MAX.toNanoOfDay(), kind)));
            case TIMESTAMP -> pair(value -> micros((Instant) value), value -> instant((Long) value));
            case DURATION -> pair(value -> micros((Duration) value), value -> duration((Long) value));
            case ANY -> throw new IllegalStateException("any has no type in Spark");
        };
    }

    private static long within(long value, long most, Kind kind) {
        if (value < 0 || value > most) {
            throw Misfit.value(value + " is out of range for " + kind.word() + " (0 to " + most + ")");
        }
        return value;
    }

    private static BigInteger unsigned(long bits) {
        return new BigInteger(Long.toUnsignedString(bits));
    }

    private static BigInteger integer(Object value, Kind kind) {
        try {
            return ((Decimal) value).toJavaBigDecimal().toBigIntegerExact();
        } catch (ArithmeticException fraction) {
            throw Misfit.value(value + " is not an integer, as " + kind.word() + " is");
        }
    }

    private static long bits(BigInteger value, Kind kind) {
        if (value.signum() < 0 || value.bitLength() > Long.SIZE) {
            throw Misfit.value(value + " is out of range for " + kind.word());
        }
        return value.longValue();
    }

    private static Decimal decimal(BigDecimal value, DecimalType type) {
        BigDecimal scaled;
        try {
            scaled = value.setScale(type.scale(), RoundingMode.UNNECESSARY);
        } catch (ArithmeticException digits) {
            throw Misfit.value(value + " has more than " + type.scale() + " digits after the point, which "
                + type.catalogString() + " has no place for");
        }
        if (scaled.precision() > type.precision()) {
            throw Misfit.value(value + " has more digits than " + type.catalogString());
        }
        return Decimal.apply(scaled, type.precision(), type.scale());
    }

    private static String text(Object value) {
        UTF8String bytes = (UTF8String) value;
        String text = bytes.toString();
        if (text.indexOf('\uFFFD') >= 0 && !UTF8String.fromString(text).equals(bytes)) {
            throw Misfit.value("bytes that are not UTF-8, in a string: cast the column to binary");
        }
        return text;
    }

    private static UUID uuid(String text) {
        try {
            UUID made = UUID.fromString(text);
            if (made.toString().equalsIgnoreCase(text)) {
                return made;
            }
        } catch (IllegalArgumentException other) {
            // Said below.
        }
        throw Misfit.value("expected a uuid of 36 characters, got " + shortened(text));
    }

    static String shortened(String text) {
        return text.length() > 80 ? '"' + text.substring(0, 80) + "…\"" : '"' + text + '"';
    }

    private static long micros(long seconds, int nanos, Object value, String type) {
        if (nanos % NANOS != 0) {
            throw Misfit.value(value + " is finer than a microsecond, which " + type + " of Spark's has no place for");
        }
        try {
            return Math.addExact(Math.multiplyExact(seconds, MICROS), nanos / NANOS);
        } catch (ArithmeticException large) {
            throw Misfit.value(value + " is out of range for an " + type + " of Spark's");
        }
    }

    private static Long micros(Instant value) {
        return micros(value.getEpochSecond(), value.getNano(), value, "a timestamp");
    }

    private static Long micros(Duration value) {
        long seconds = value.getSeconds();
        // The least interval has whole seconds that do not fit, as its fraction is added.
        return seconds < 0 && value.getNano() > 0
            ? Long.valueOf(micros(seconds + 1, value.getNano() - NANOS * (int) MICROS, value, "an interval"))
            : Long.valueOf(micros(seconds, value.getNano(), value, "an interval"));
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * NANOS);
    }

    private static Duration duration(long micros) {
        return Duration.ofSeconds(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * NANOS);
    }
}
