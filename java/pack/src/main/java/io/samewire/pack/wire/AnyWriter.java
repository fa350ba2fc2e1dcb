package io.samewire.pack.wire;

import io.samewire.pack.NumericArray;
import io.samewire.pack.schema.Cells;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Writes self-describing values ({@code spec/pack.md} section 10). */
public final class AnyWriter {
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    private AnyWriter() {}

    /**
     * Writes a value of any of the types that {@link AnyReader#read} returns, other numbers of Java, and other
     * collections, maps and object arrays.
     */
    public static void write(Writer out, Object value, int dedupSlot) {
        if (value == null) {
            out.u8(AnyTags.NULL);
        } else if (value instanceof String text) {
            out.u8(AnyTags.STRING);
            out.reserve(Writer.MOST_TOKEN);
            out.text(text, dedupSlot);
        } else if (value instanceof Long || value instanceof Integer || value instanceof Short
            || value instanceof Byte) {
            writeInteger(out, ((Number) value).longValue());
        } else if (value instanceof Boolean truth) {
            out.u8(truth ? AnyTags.TRUE : AnyTags.FALSE);
        } else if (value instanceof Double || value instanceof Float) {
            out.u8(AnyTags.F64);
            out.reserve(Double.BYTES);
            out.putF64(((Number) value).doubleValue());
        } else if (value instanceof Collection<?> list) {
            writeList(out, list.toArray(), dedupSlot);
        } else if (value instanceof Map<?, ?> map) {
            writeMap(out, map, dedupSlot);
        } else {
            writeRare(out, value, dedupSlot);
        }
    }

    private static void writeInteger(Writer out, long value) {
        if (value >>> 7 == 0) {
            out.u8(0x80 | (int) value);
        } else {
            out.u8(AnyTags.INT);
            out.i64(value);
        }
    }

    private static void writeList(Writer out, Object[] list, int dedupSlot) {
        out.u8(AnyTags.LIST);
        out.enter();
        out.charge(Cells.CONTAINER);
        out.count(list.length, Cells.ANY);
        for (Object element : list) {
            write(out, element, dedupSlot);
        }
        out.leave();
    }

    private static void writeMap(Writer out, Map<?, ?> given, int dedupSlot) {
        Entries entries = Entries.of(given, out).inOrder(AnyWriter::compareKeys);
        out.u8(AnyTags.MAP);
        out.enter();
        Object[] keys = entries.keys();
        out.charge(Cells.CONTAINER);
        out.count(keys.length, Cells.ANY_ENTRY);
        Object first = keys.length == 0 ? null : key(keys[0]);
        boolean converted = false;
        for (Object original : keys) {
            Object key = key(original);
            if (key == null || !isAlike(key, first)) {
                throw Fault.FAULT;
            }
            write(out, key, dedupSlot);
            converted |= key != original;
        }
        if (converted && isRepeated(keys)) {
            throw Fault.FAULT;
        }
        for (Object element : entries.values()) {
            write(out, element, dedupSlot);
        }
        out.leave();
    }

    /**
     * What a native value is as the key of a map inside an {@code any}: a {@link String}, or an integer of 64 bits as
     * {@link Long}; null if it cannot be one.
     */
    public static Object key(Object value) {
        if (value instanceof String || value instanceof Long) {
            return value;
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        return value instanceof BigInteger big && big.bitLength() < Long.SIZE ? big.longValue() : null;
    }

    /** The order of keys in maps inside an {@code any}. Fails for those that cannot stand in one map. */
    @SuppressWarnings("unchecked") // Strings and integers compare with their like.
    private static int compareKeys(Object left, Object right) {
        return ((Comparable<Object>) key(left)).compareTo(key(right));
    }

    /**
     * Returns whether two keys, as {@link #key} returns them, may be in one map. Keys of one class are comparable,
     * which keeps Java's hash tables fast even if an attacker sends many keys of one hash.
     */
    public static boolean isAlike(Object key, Object other) {
        return key.getClass() == other.getClass();
    }

    /**
     * Whether two keys, distinct in Java, are one in the format: an {@link Integer} and a {@link Long} of the same
     * value.
     */
    public static boolean isRepeated(Object[] keys) {
        Set<Object> seen = new HashSet<>();
        for (Object key : keys) {
            if (!seen.add(key(key))) {
                return true;
            }
        }
        return false;
    }

    private static void writeRare(Writer out, Object value, int dedupSlot) {
        if (value instanceof BigInteger number) {
            if (number.compareTo(LEAST) >= 0 && number.compareTo(MOST) <= 0) {
                writeInteger(out, number.longValue());
            } else {
                out.u8(AnyTags.BIGINT);
                BigNumbers.writeBigint(out, number);
            }
        } else if (value instanceof byte[] bytes) {
            out.u8(AnyTags.BYTES);
            out.charge(Cells.BYTES - Cells.ANY);
            out.bytes(bytes);
        } else if (value instanceof BigDecimal decimal) {
            out.u8(AnyTags.DECIMAL);
            out.charge(Cells.DECIMAL - Cells.ANY);
            BigNumbers.writeDecimal(out, decimal);
        } else if (value instanceof UUID uuid) {
            out.u8(AnyTags.UUID);
            BigNumbers.writeUuid(out, uuid);
        } else if (value instanceof LocalDate date) {
            out.u8(AnyTags.DATE);
            Times.writeDate(out, date);
        } else if (value instanceof LocalTime time) {
            out.u8(AnyTags.TIME);
            Times.writeTime(out, time);
        } else if (value instanceof Instant instant) {
            out.u8(AnyTags.TIMESTAMP);
            Times.writeInstant(out, instant);
        } else if (value instanceof Duration duration) {
            out.u8(AnyTags.DURATION);
            Times.writeDuration(out, duration);
        } else if (value instanceof Object[] list) {
            writeList(out, list, dedupSlot);
        } else {
            writeNumbers(out, value);
        }
    }

    private static void writeNumbers(Writer out, Object value) {
        NumericArray numbers = value instanceof NumericArray given ? given : NumericArray.ofSigned(value);
        if (numbers == null) {
            throw Fault.FAULT;
        }
        int tag = AnyTags.FIRST_LIST + numbers.kind().ordinal();
        boolean signed = tag <= 0x13;
        out.u8(tag);
        out.charge(Cells.CONTAINER);
        Object row = numbers.values();
        if (row instanceof byte[] bytes) {
            out.count(bytes.length, 1);
            NumericRows.writeBytes(out, bytes);
        } else if (row instanceof short[] shorts) {
            out.count(shorts.length, 1);
            NumericRows.writeShorts(out, shorts, signed);
        } else if (row instanceof int[] ints) {
            out.count(ints.length, 1);
            NumericRows.writeInts(out, ints, signed);
        } else if (row instanceof long[] longs) {
            out.count(longs.length, 1);
            NumericRows.writeLongs(out, longs, signed);
        } else if (row instanceof float[] floats) {
            out.count(floats.length, 1);
            NumericRows.writeFloats(out, floats);
        } else {
            double[] doubles = (double[]) row;
            out.count(doubles.length, 1);
            NumericRows.writeDoubles(out, doubles);
        }
    }
}
