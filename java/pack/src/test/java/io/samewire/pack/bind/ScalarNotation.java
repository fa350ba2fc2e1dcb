package io.samewire.pack.bind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.samewire.pack.NumericArray;
import io.samewire.pack.schema.Kind;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Scalars, and what an {@code any} holds, in the vectors' notation. */
final class ScalarNotation {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final BigInteger BILLION = BigInteger.valueOf(1_000_000_000);

    private static final Map<Class<?>, Kind> NATIVE = Map.of(
        BigInteger.class, Kind.BIGINT, Double.class, Kind.F64, String.class, Kind.STRING, byte[].class, Kind.BYTES,
        BigDecimal.class, Kind.DECIMAL, UUID.class, Kind.UUID, LocalDate.class, Kind.DATE, LocalTime.class, Kind.TIME,
        Instant.class, Kind.TIMESTAMP, Duration.class, Kind.DURATION);

    private ScalarNotation() {}

    static Object read(Kind kind, JsonNode value) {
        if (kind == Kind.ANY) {
            return any(value);
        } else if (kind == Kind.BOOL) {
            return value.booleanValue();
        }
        String text = value.textValue();
        return switch (kind) {
            case I8 -> Byte.valueOf(text);
            case I16 -> Short.valueOf(text);
            case I32 -> Integer.valueOf(text);
            case I64 -> Long.valueOf(text);
            case U8 -> (byte) Short.parseShort(text);
            case U16 -> (short) Integer.parseInt(text);
            case U32 -> Integer.parseUnsignedInt(text);
            case U64 -> Long.parseUnsignedLong(text);
            case BIGINT -> new BigInteger(text);
            case F32 -> Float.intBitsToFloat(Integer.parseUnsignedInt(text, 16));
            case F64 -> Double.longBitsToDouble(Long.parseUnsignedLong(text, 16));
            case DECIMAL -> {
                String[] parts = text.split("/");
                yield new BigDecimal(new BigInteger(parts[0]), Integer.parseInt(parts[1]));
            }
            case STRING -> text;
            case BYTES -> HexFormat.of().parseHex(text);
            case UUID -> UUID.fromString(text);
            case DATE -> LocalDate.ofEpochDay(Long.parseLong(text));
            case TIME -> LocalTime.ofNanoOfDay(Long.parseLong(text));
            case TIMESTAMP -> Instant.ofEpochSecond(seconds(text), nanos(text));
            default -> Duration.ofSeconds(seconds(text), nanos(text));
        };
    }

    private static long seconds(String nanoseconds) {
        BigInteger all = new BigInteger(nanoseconds);
        return all.subtract(all.mod(BILLION)).divide(BILLION).longValueExact();
    }

    private static int nanos(String nanoseconds) {
        return new BigInteger(nanoseconds).mod(BILLION).intValueExact();
    }

    private static String nanoseconds(long seconds, int nanos) {
        return BigInteger.valueOf(seconds).multiply(BILLION).add(BigInteger.valueOf(nanos)).toString();
    }

    static JsonNode write(Kind kind, Object value) {
        return switch (kind) {
            case ANY -> writeAny(value);
            case BOOL -> JSON.booleanNode((Boolean) value);
            case U8 -> JSON.textNode(String.valueOf((Byte) value & 0xff));
            case U16 -> JSON.textNode(String.valueOf((Short) value & 0xffff));
            case U32 -> JSON.textNode(Integer.toUnsignedString((Integer) value));
            case U64 -> JSON.textNode(Long.toUnsignedString((Long) value));
            case F32 -> JSON.textNode(String.format("%08x", Float.floatToIntBits((Float) value)));
            case F64 -> JSON.textNode(String.format("%016x", Double.doubleToLongBits((Double) value)));
            case DECIMAL -> JSON.textNode(((BigDecimal) value).unscaledValue() + "/" + ((BigDecimal) value).scale());
            case BYTES -> JSON.textNode(HexFormat.of().formatHex((byte[]) value));
            case DATE -> JSON.textNode(String.valueOf(((LocalDate) value).toEpochDay()));
            case TIME -> JSON.textNode(String.valueOf(((LocalTime) value).toNanoOfDay()));
            case TIMESTAMP -> JSON.textNode(nanoseconds(((Instant) value).getEpochSecond(),
                ((Instant) value).getNano()));
            case DURATION -> JSON.textNode(nanoseconds(((Duration) value).getSeconds(), ((Duration) value).getNano()));
            default -> JSON.textNode(value.toString());
        };
    }

    private static Object any(JsonNode value) {
        if (value.isNull()) {
            return null;
        } else if (value.isBoolean()) {
            return value.booleanValue();
        }
        String kind = value.fieldNames().next();
        JsonNode inner = value.get(kind);
        switch (kind) {
            case "int" -> {
                return Long.valueOf(inner.textValue());
            }
            case "list" -> {
                List<Object> list = new ArrayList<>();
                inner.forEach(element -> list.add(any(element)));
                return list;
            }
            case "map" -> {
                Map<Object, Object> map = new LinkedHashMap<>();
                inner.forEach(entry -> map.put(any(entry.get(0)), any(entry.get(1))));
                return map;
            }
            default -> {
                return kind.endsWith("s") && !kind.equals("bytes") ? numbers(kind, inner) : read(Kind.of(kind), inner);
            }
        }
    }

    private static Object numbers(String kind, JsonNode inner) {
        NumericArray.Kind wanted =
            NumericArray.Kind.valueOf(kind.substring(0, kind.length() - 1).toUpperCase(Locale.ROOT));
        Object row = Array.newInstance(wanted.array().getComponentType(), inner.size());
        for (int i = 0; i < inner.size(); i++) {
            Array.set(row, i, read(Kind.valueOf(wanted.name()), inner.get(i)));
        }
        NumericArray plain = NumericArray.ofSigned(row);
        return plain != null && plain.kind() == wanted ? row : new NumericArray(wanted, row);
    }

    private static JsonNode writeAny(Object value) {
        if (value == null) {
            return JSON.nullNode();
        } else if (value instanceof Boolean truth) {
            return JSON.booleanNode(truth);
        } else if (value instanceof Long) {
            return JSON.objectNode().put("int", value.toString());
        } else if (value instanceof List<?> list) {
            ArrayNode made = JSON.arrayNode();
            list.forEach(element -> made.add(writeAny(element)));
            return JSON.objectNode().set("list", made);
        } else if (value instanceof Map<?, ?> map) {
            ArrayNode made = JSON.arrayNode();
            map.forEach((key, held) -> made.add(JSON.arrayNode().add(writeAny(key)).add(writeAny(held))));
            return JSON.objectNode().set("map", made);
        }
        NumericArray numbers = value instanceof NumericArray given ? given : NumericArray.ofSigned(value);
        if (numbers != null) {
            ArrayNode made = JSON.arrayNode();
            Kind kind = Kind.valueOf(numbers.kind().name());
            for (int i = 0; i < Array.getLength(numbers.values()); i++) {
                made.add(write(kind, Array.get(numbers.values(), i)));
            }
            return JSON.objectNode().set(kind.word() + "s", made);
        }
        Kind kind = NATIVE.get(value.getClass());
        return JSON.objectNode().set(kind.word(), write(kind, value));
    }
}
