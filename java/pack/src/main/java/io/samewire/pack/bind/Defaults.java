package io.samewire.pack.bind;

import io.samewire.core.SamewireException;
import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledEnum;
import io.samewire.pack.bind.CompiledType.CompiledList;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledScalar;
import io.samewire.pack.bind.CompiledType.CompiledSet;
import io.samewire.pack.bind.CompiledType.Slot;
import io.samewire.pack.schema.CanonicalText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.UUID;

/** The values of {@link io.samewire.pack.Default} texts. */
final class Defaults {
    private Defaults() {}

    /** The default of a slot: null for an absent option, an empty array for an empty container. */
    static Object value(Slot slot) {
        if (slot.defaultText == null) {
            return null;
        }
        try {
            return value(slot.compiled, slot.defaultText.strip());
        } catch (IllegalArgumentException | DateTimeException wrong) {
            throw refused(slot);
        }
    }

    private static SamewireException refused(Slot slot) {
        return NativeTypeReader.misuse("@Default(\"" + slot.defaultText + "\") of the field " + slot.name + " of "
            + slot.getter.getDeclaringClass().getName() + " is not a value of "
            + CanonicalText.print(slot.compiled.type()) + ": write it as schema text does");
    }

    private static Object value(CompiledType compiled, String text) {
        if (compiled instanceof CompiledOption option) {
            return text.equals("null") ? null : value(option.item, text);
        } else if (compiled instanceof CompiledConverted converted) {
            return value(converted.wire, text);
        } else if (compiled instanceof CompiledEnum e) {
            int index = e.type().symbols.indexOf(plain(text));
            if (index < 0) {
                throw new IllegalArgumentException(text);
            }
            return e.constants.get(index);
        } else if (compiled instanceof CompiledScalar scalar) {
            return scalar(scalar, text);
        } else if ((compiled instanceof CompiledList || compiled instanceof CompiledSet) && text.equals("[]")
            || compiled instanceof CompiledMap && (text.equals("{}") || text.equals("[]"))) {
            return new Object[0];
        }
        throw new IllegalArgumentException(text);
    }

    private static Object scalar(CompiledScalar compiled, String text) {
        return switch (compiled.kind()) {
            case BOOL -> {
                if (!text.equals("true") && !text.equals("false")) {
                    throw new IllegalArgumentException(text);
                }
                yield text.equals("true");
            }
            case I8 -> Byte.valueOf(text);
            case I16 -> Short.valueOf(text);
            case I32 -> Integer.valueOf(text);
            case I64 -> Long.valueOf(text);
            case U8 -> (byte) unsigned(text, 8);
            case U16 -> (short) unsigned(text, 16);
            case U32 -> (int) unsigned(text, 32);
            case U64 -> Long.parseUnsignedLong(text);
            case BIGINT -> new BigInteger(text);
            case F32 -> Float.valueOf(text);
            case F64 -> Double.valueOf(text);
            case DECIMAL -> new BigDecimal(text);
            case STRING -> plain(text);
            case UUID -> UUID.fromString(plain(text));
            case DATE -> LocalDate.parse(plain(text));
            case TIME -> LocalTime.parse(plain(text));
            case TIMESTAMP -> Instant.parse(plain(text));
            case DURATION -> Duration.parse(plain(text));
            case BYTES -> {
                if (!plain(text).isEmpty()) {
                    throw new IllegalArgumentException(text);
                }
                yield new byte[0];
            }
            case ANY -> {
                if (!text.equals("null")) {
                    throw new IllegalArgumentException(text);
                }
                yield null;
            }
        };
    }

    private static long unsigned(String text, int bits) {
        long value = Long.parseLong(text);
        if (value < 0 || value >>> bits != 0) {
            throw new IllegalArgumentException(text);
        }
        return value;
    }

    /** The text itself, or what a JSON string stands for. */
    private static String plain(String text) {
        if (text.length() < 2 || text.charAt(0) != '"' || text.charAt(text.length() - 1) != '"') {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        int last = text.length() - 1;
        for (int i = 1; i < last; i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                plain.append(c);
                continue;
            }
            char escaped = text.charAt(++i);
            int known = "\"\\/bfnrt".indexOf(escaped);
            if (known >= 0) {
                plain.append("\"\\/\b\f\n\r\t".charAt(known));
            } else if (escaped == 'u' && i + 4 < last) {
                plain.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
                i += 4;
            } else {
                throw new IllegalArgumentException(text);
            }
        }
        return plain.toString();
    }
}
