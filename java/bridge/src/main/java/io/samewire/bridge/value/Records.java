package io.samewire.bridge.value;

import io.samewire.bridge.session.Session;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.Codec;
import io.samewire.pack.Decoder;
import io.samewire.pack.Pack;
import java.lang.reflect.AnnotatedType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Values that cross as pack messages: records, times, large numbers. Codecs are made once for each type and schema.
 * Thread-safe. Classes of pack are loaded only for the first such value.
 */
public final class Records {
    private static final Set<Class<?>> SCALARS = Set.of(BigInteger.class, BigDecimal.class, UUID.class,
        LocalDate.class, LocalTime.class, Instant.class, Duration.class);

    private final RecordNames names;
    private final Limits limits;
    private final Kept<String, Natural> naturals = new Kept<>();
    private final Kept<AnnotatedType, Codec<Object>> codecs = new Kept<>();
    private final Kept<Class<?>, Codec<Object>> codecsOfClasses = new Kept<>();
    private final ClassValue<Optional<Encoder>> encoders = new ClassValue<>() {
        @Override
        protected Optional<Encoder> computeValue(Class<?> type) {
            return Optional.ofNullable(made(type));
        }
    };
    private final ClassValue<Optional<Encoder>> listEncoders = new ClassValue<>() {
        @Override
        protected Optional<Encoder> computeValue(Class<?> type) {
            return Optional.ofNullable(madeOfList(type));
        }
    };

    /** The holder of a session's records: its resolver. */
    public interface Holder {
        /** Returns the records of a session. */
        Records records(Session session);
    }

    /** Writes values of one type. */
    static final class Encoder {
        private final Codec<Object> codec;
        private final boolean dateTime;

        Encoder(Codec<Object> codec, boolean dateTime) {
            this.codec = codec;
            this.dateTime = dateTime;
        }

        /** Returns the schema of its messages. */
        String schema() {
            return codec.schema().text();
        }

        /** Returns the message of a value. */
        byte[] encode(Object value) {
            return codec.encode(dateTime ? DateTime.of((LocalDateTime) value) : value);
        }
    }

    /** Reads values of one schema as their natural type. */
    private record Natural(Class<?> raw, Class<?> element, Decoder<Object> decoder) {}

    /** Creates the records that are registered under these names. */
    public Records(Map<String, Class<?>> names, Limits limits) {
        this.names = new RecordNames(names);
        this.limits = limits;
    }

    static Records of(Session session) {
        return ((Holder) session.resolver()).records(session);
    }

    /** Returns whether these are the records of those names. */
    public boolean isOf(Session session) {
        return names.isOf(session.records());
    }

    private Codec<Object> codec(AnnotatedType type) {
        Codec<Object> known = codecs.get(type);
        if (known == null) {
            known = Pack.builder(type).limits(limits).check(false).build();
            codecs.put(type, known, known.schema().text().length());
        }
        return known;
    }

    private Codec<Object> codec(Class<?> type) {
        Codec<Object> known = codecsOfClasses.get(type);
        if (known == null) {
            known = Pack.builder(DeclaredType.of(type)).limits(limits).check(false).build();
            codecsOfClasses.put(type, known, known.schema().text().length());
        }
        return known;
    }

    private Natural natural(String schema) {
        Natural known = naturals.get(schema);
        if (known == null) {
            known = natural(SchemaText.parse(schema), schema);
            naturals.put(schema, known, schema.length());
        }
        return known;
    }

    private Natural natural(SchemaText outline, String schema) {
        AnnotatedType type = NaturalType.type(outline, names);
        Class<?> element = outline.word.equals("list") ? NaturalType.raw(outline.parts.get(0), names) : null;
        try {
            // If a part has no registered class, all structs become maps.
            Decoder<Object> decoder = type == null ? Pack.decoder(schema, limits) : resolved(codec(type), schema);
            return new Natural(NaturalType.raw(outline, names), element, decoder);
        } catch (SamewireException wrong) {
            // The offset is one in the schema: the message around it is valid.
            throw new SamewireException(wrong.code(), -1, null, wrong.getMessage(), wrong);
        }
    }

    private static Decoder<Object> resolved(Codec<Object> codec, String schema) {
        return codec.schema().text().equals(schema) ? codec : codec.resolve(schema);
    }

    /**
     * Returns the class of values of a schema if no narrower type is declared.
     *
     * @throws SamewireException without an offset, if the text is not a schema
     */
    public Class<?> naturalClass(String schema) {
        return natural(schema).raw;
    }

    /** Returns the class of the elements of a list's schema; null if the schema is not a list. */
    public Class<?> naturalElement(String schema) {
        return natural(schema).element;
    }

    /** Returns the value of a message as its natural type. */
    public Object natural(String schema, byte[] message) {
        return decode(natural(schema).decoder, message);
    }

    private static Object decode(Decoder<Object> decoder, byte[] message) {
        Object value;
        try {
            value = decoder.decode(message);
        } catch (SamewireException wrong) {
            // The offset is one in the pack message: the message around it is valid.
            throw new SamewireException(wrong.code(), -1, wrong.path(), wrong.getMessage(), wrong);
        }
        return value instanceof DateTime ? ((DateTime) value).value() : value;
    }

    /** Returns a reader of messages as a parameter's type; null if that does not resolve with the schema. */
    public Reader reader(String schema, Target target) {
        if (target.isOpen() || target.raw().isPrimitive()) {
            return null;
        }
        AnnotatedType type = target.annotated() != null ? target.annotated()
            : target.type() instanceof Class ? DeclaredType.of(target.raw()) : null;
        if (type == null) {
            return null;
        }
        try {
            Decoder<Object> decoder = resolved(codec(type), schema);
            return message -> decode(decoder, message);
        } catch (SamewireException unresolved) {
            return null;
        }
    }

    /** Reads pack messages. */
    public interface Reader {
        /** Returns the value of a message. */
        Object read(byte[] message);
    }

    /** Returns whether values of a schema can be read as a class. */
    public boolean fits(String schema, Class<?> type) {
        if (type.isPrimitive() || type == Object.class || type.isInterface() && !type.isSealed()) {
            return false;
        }
        return reader(schema, Target.of(type)) != null;
    }

    /** Returns the writer of a value that crosses by its own schema; null if it has none. */
    Encoder encoder(Object value) {
        return encoders.get(value.getClass()).orElse(null);
    }

    /** Returns the writer of lists of a record; null if it has no schema. */
    Encoder listEncoder(Class<?> element) {
        return listEncoders.get(element).orElse(null);
    }

    private Encoder made(Class<?> type) {
        if (type == LocalDateTime.class) {
            return new Encoder(codec(DateTime.class), true);
        } else if (!type.isRecord() && !SCALARS.contains(type)) {
            return null;
        }
        try {
            return new Encoder(codec(type), false);
        } catch (SamewireException none) {
            return null;
        }
    }

    private Encoder madeOfList(Class<?> type) {
        try {
            return new Encoder(codec(DeclaredType.of(List.class, DeclaredType.of(type))), false);
        } catch (SamewireException none) {
            return null;
        }
    }

    /**
     * Returns the writer of results for which a schema was requested: of their declared type if that has a schema, else
     * of the natural type of the requested schema.
     *
     * @throws SamewireException {@code misuse} if there is none
     */
    Result result(String asked, Target declared) {
        SchemaText outline = SchemaText.parse(asked);
        AnnotatedType natural = NaturalType.type(outline, names);
        AnnotatedType type = declared.annotated() != null ? declared.annotated() : DeclaredType.of(declared.raw());
        if (!declared.isOpen() && declared.raw() != void.class) {
            try {
                return new Result(codec(type), declared);
            } catch (SamewireException open) {
                if (natural == null) {
                    throw open;
                }
            }
        }
        if (natural == null) {
            throw new SamewireException(Code.MISUSE, -1, null, "the gateway has no record for a part of " + asked
                + ": register it by name");
        }
        return new Result(codec(natural), Target.of(natural));
    }

    /** Returns the writer of values of a class that may be null. */
    Result nullable(Class<?> type) {
        AnnotatedType nullable = DeclaredType.annotated(DeclaredType.of(type), NaturalType.nullable());
        return new Result(codec(nullable), Target.of(type));
    }

    /** The conversion of a result to a pack message. */
    static final class Result {
        private final Codec<Object> codec;
        private final Target target;

        Result(Codec<Object> codec, Target target) {
            this.codec = codec;
            this.target = target;
        }

        String schema() {
            return codec.schema().text();
        }

        byte[] encode(Object value) {
            Object fitting = value instanceof LocalDateTime && target.raw() == DateTime.class
                ? DateTime.of((LocalDateTime) value) : Conversion.convert(value, target);
            return codec.encode(fitting);
        }
    }
}
