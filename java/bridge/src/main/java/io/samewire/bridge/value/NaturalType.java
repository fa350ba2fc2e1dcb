package io.samewire.bridge.value;

import io.samewire.pack.Nullable;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;

/** The natural Java types of schemas: the types of values if no narrower type is declared. */
final class NaturalType {
    @Nullable
    private static final Object NULLABLE = null;

    private NaturalType() {}

    /** Returns the class of values of a schema; records and enums are those registered by name. */
    static Class<?> raw(SchemaText schema, RecordNames names) {
        switch (schema.word) {
            case "list":
                return ArrayList.class;
            case "set":
                return LinkedHashSet.class;
            case "map":
                return LinkedHashMap.class;
            case "option":
            case "ref":
                return raw(schema.parts.get(0), names);
            case "tuple":
                return schema.isDateTime() ? LocalDateTime.class : List.class;
            case "enum":
                Class<?> symbols = names.find(schema);
                return symbols != null && symbols.isEnum() ? symbols : String.class;
            case "struct":
                Class<?> record = names.find(schema);
                return record != null ? record : LinkedHashMap.class;
            default:
                Class<?> scalar = scalar(schema.word);
                return scalar == null ? LinkedHashMap.class : scalar;
        }
    }

    /** Returns the class of values of a scalar; null if the word is not a scalar. */
    static Class<?> scalar(String word) {
        switch (word) {
            case "bool":
                return Boolean.class;
            case "i8":
                return Byte.class;
            case "i16":
            case "u8":
                return Short.class;
            case "i32":
            case "u16":
                return Integer.class;
            case "i64":
            case "u32":
                return Long.class;
            case "u64":
            case "bigint":
                return BigInteger.class;
            case "f32":
                return Float.class;
            case "f64":
                return Double.class;
            case "decimal":
                return BigDecimal.class;
            case "string":
                return String.class;
            case "bytes":
                return byte[].class;
            case "uuid":
                return UUID.class;
            case "date":
                return LocalDate.class;
            case "time":
                return LocalTime.class;
            case "timestamp":
                return Instant.class;
            case "duration":
                return Duration.class;
            case "any":
                return Object.class;
            default:
                return null;
        }
    }

    /** Returns the type to decode a schema as; null if a part of it is not registered and has no class. */
    static AnnotatedType type(SchemaText schema, RecordNames names) {
        if (schema.isDateTime()) {
            return DeclaredType.of(DateTime.class);
        }
        AnnotatedType[] parts = new AnnotatedType[schema.parts.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = type(schema.parts.get(i), names);
            if (parts[i] == null) {
                return null;
            }
        }
        switch (schema.word) {
            case "list":
            case "set":
            case "map":
                return DeclaredType.of(raw(schema, names), parts);
            case "option":
                return DeclaredType.annotated(parts[0], nullable());
            case "enum":
            case "struct":
                Class<?> known = names.find(schema);
                return known == null ? null : DeclaredType.of(known);
            default:
                Class<?> scalar = scalar(schema.word);
                return scalar == null ? null : DeclaredType.of(scalar);
        }
    }

    /** The annotation of a type that may be null. */
    static Annotation nullable() {
        try {
            return NaturalType.class.getDeclaredField("NULLABLE").getAnnotatedType().getAnnotation(Nullable.class);
        } catch (NoSuchFieldException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
