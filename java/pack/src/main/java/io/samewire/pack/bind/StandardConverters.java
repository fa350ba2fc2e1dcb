package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Converter;
import java.net.URI;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;

/** Converters for classes of the JDK that have no type of their own in the format. */
final class StandardConverters {
    private static final int NANOSECONDS = 1_000_000;

    private StandardConverters() {}

    /** The converter of a class; null for most. By name, so that no class is loaded that a program does not use. */
    static Converters.Entry of(Class<?> raw) {
        return switch (raw.getName()) {
            case "char", "java.lang.Character" -> entry(new OfCharacter(), Character.class, String.class);
            case "[C" -> entry(new OfCharacters(), char[].class, String.class);
            case "java.net.URI" -> entry(new OfUri(), URI.class, String.class);
            case "java.time.OffsetDateTime" -> entry(new OfOffsetDateTime(), OffsetDateTime.class, Instant.class);
            case "java.util.Date" -> entry(new OfDate(), Date.class, Instant.class);
            default -> null;
        };
    }

    private static Converters.Entry entry(Converter<?, ?> converter, Class<?> type, Class<?> wire) {
        return new Converters.Entry(converter, JavaType.of(type), JavaType.of(wire));
    }

    private static SamewireException mismatch(String text) {
        return new SamewireException(Code.TYPE_MISMATCH, -1, null, text);
    }

    /** A code unit as a text of that length. A surrogate is not a text, and is refused like any lone one. */
    private static final class OfCharacter implements Converter<Character, String> {
        @Override
        public String encode(Character value) {
            return value.toString();
        }

        @Override
        public Character decode(String wire) {
            if (wire.length() != 1) {
                throw mismatch("a char is a text of one UTF-16 code unit, here are " + wire.length());
            }
            return wire.charAt(0);
        }
    }

    /** Code units as a text. */
    private static final class OfCharacters implements Converter<char[], String> {
        @Override
        public String encode(char[] value) {
            return new String(value);
        }

        @Override
        public char[] decode(String wire) {
            return wire.toCharArray();
        }
    }

    /** As a text. */
    private static final class OfUri implements Converter<URI, String> {
        @Override
        public String encode(URI value) {
            return value.toString();
        }

        @Override
        public URI decode(String wire) {
            return URI.create(wire);
        }
    }

    /** As the instant, if it is given in UTC: a timestamp has no offset, and would lose another without a word. */
    private static final class OfOffsetDateTime implements Converter<OffsetDateTime, Instant> {
        @Override
        public Instant encode(OffsetDateTime value) {
            if (!value.getOffset().equals(ZoneOffset.UTC)) {
                throw mismatch("a timestamp has no offset, and " + value + " would lose its own: encode"
                    + " withOffsetSameInstant(ZoneOffset.UTC), or give the codec a converter(OffsetDateTime.class,"
                    + " String.class, OffsetDateTime::toString, OffsetDateTime::parse)");
            }
            return value.toInstant();
        }

        @Override
        public OffsetDateTime decode(Instant wire) {
            return wire.atOffset(ZoneOffset.UTC);
        }
    }

    /** As the instant, to the millisecond. What is finer, as only other classes and languages write it, is refused. */
    private static final class OfDate implements Converter<Date, Instant> {
        @Override
        public Instant encode(Date value) {
            return Instant.ofEpochMilli(value.getTime());
        }

        @Override
        public Date decode(Instant wire) {
            if (wire.getNano() % NANOSECONDS != 0) {
                throw mismatch("a Date has milliseconds, " + wire + " is finer: declare an Instant");
            }
            return new Date(wire.toEpochMilli());
        }
    }
}
