package io.samewire.pack.wire;

import io.samewire.pack.NumericArray;
import io.samewire.pack.schema.Cells;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Self-describing values ({@code spec/pack.md} section 10). */
public final class AnyValues {
    static final int NULL = 0x00;
    static final int FALSE = 0x01;
    static final int TRUE = 0x02;
    static final int INT = 0x03;
    static final int BIGINT = 0x04;
    static final int F64 = 0x05;
    static final int STRING = 0x06;
    static final int BYTES = 0x07;
    static final int LIST = 0x08;
    static final int MAP = 0x09;
    static final int DECIMAL = 0x0a;
    static final int UUID_TAG = 0x0b;
    static final int DATE = 0x0c;
    static final int TIME = 0x0d;
    static final int TIMESTAMP = 0x0e;
    static final int DURATION = 0x0f;
    static final int FIRST_LIST = 0x10;
    static final int LAST_LIST = 0x18;
    /** Tags from here to {@link #LAST_EXTENSION} belong to other parts, and are unsupported in pack. */
    static final int FIRST_EXTENSION = 0x30;
    static final int LAST_EXTENSION = 0x3f;
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    private AnyValues() {}

    /**
     * Reads a value: integers come as {@link Long}, or {@link BigInteger} beyond it, lists as {@link ArrayList}, maps
     * in their order.
     */
    public static Object read(Reader in) {
        int tag = in.u8();
        if (tag < 0) {
            return (long) (tag & 0x7f);
        }
        return switch (tag) {
            case NULL -> null;
            case FALSE -> false;
            case TRUE -> true;
            case INT -> in.i64();
            case BIGINT -> integer(BigNumbers.readBigint(in));
            case F64 -> Double.longBitsToDouble(in.fixed64());
            case STRING -> in.text();
            case BYTES -> readBytes(in);
            case LIST -> readList(in);
            case MAP -> readMap(in);
            case DECIMAL -> BigNumbers.readDecimal(in);
            case UUID_TAG -> BigNumbers.readUuid(in);
            case DATE -> Moments.readDate(in);
            case TIME -> Moments.readTime(in);
            case TIMESTAMP -> Moments.readInstant(in);
            case DURATION -> Moments.readDuration(in);
            default -> readNumbers(in, tag);
        };
    }

    /** An integer is known by its value, not by the tag that brought it. */
    private static Object integer(BigInteger value) {
        return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
    }

    private static byte[] readBytes(Reader in) {
        in.charge(Cells.BYTES - Cells.ANY);
        return in.bytes();
    }

    private static List<Object> readList(Reader in) {
        in.enter();
        int n = in.anyCount(RowForm.PLAIN, Cells.ANY);
        List<Object> list = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
            list.add(read(in));
        }
        in.leave();
        return list;
    }

    private static Map<Object, Object> readMap(Reader in) {
        in.enter();
        in.charge(Cells.CONTAINER);
        int n = in.count(RowForm.PLAIN, RowForm.PLAIN, Cells.ANY_ENTRY);
        Object[] keys = new Object[n];
        for (int i = 0; i < n; i++) {
            keys[i] = readKey(in);
            if (!isAlike(keys[i], keys[0])) {
                throw Fault.FAULT;
            }
        }
        Map<Object, Object> map = new LinkedHashMap<>(Containers.capacity(n));
        for (int i = 0; i < n; i++) {
            map.put(keys[i], read(in));
        }
        if (map.size() != n) {
            throw Fault.FAULT;
        }
        in.leave();
        return map;
    }

    private static Object readKey(Reader in) {
        int tag = in.u8();
        if (tag == STRING) {
            return in.text();
        }
        if (tag < 0) {
            return (long) (tag & 0x7f);
        }
        if (tag == INT) {
            return in.i64();
        }
        throw Fault.FAULT;
    }

    private static Object readNumbers(Reader in, int tag) {
        return switch (tag) {
            case 0x10 -> NumericArray.i8(NumericRows.readBytes(in, in.anyCount(RowForm.PLAIN, 1)));
            case 0x11 -> NumericRows.readShorts(in, in.anyCount(RowForm.PACKED, 1), true);
            case 0x12 -> NumericRows.readInts(in, in.anyCount(RowForm.PACKED, 1), true);
            case 0x13 -> NumericRows.readLongs(in, in.anyCount(RowForm.PACKED, 1), true);
            case 0x14 -> NumericArray.u16(NumericRows.readShorts(in, in.anyCount(RowForm.PACKED, 1), false));
            case 0x15 -> NumericArray.u32(NumericRows.readInts(in, in.anyCount(RowForm.PACKED, 1), false));
            case 0x16 -> NumericArray.u64(NumericRows.readLongs(in, in.anyCount(RowForm.PACKED, 1), false));
            case 0x17 -> NumericRows.readFloats(in, in.anyCount(RowForm.FLOAT, 1));
            case 0x18 -> NumericRows.readDoubles(in, in.anyCount(RowForm.DOUBLE, 1));
            default -> throw Fault.FAULT;
        };
    }

    /**
     * Writes a value of any of the types that {@link #read} answers, other numbers of Java, and other collections, maps
     * and object arrays.
     */
    public static void write(Writer out, Object value, int site) {
        if (value == null) {
            out.u8(NULL);
        } else if (value instanceof String text) {
            out.u8(STRING);
            out.tokens(1);
            out.text(text, site);
        } else if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            writeInteger(out, ((Number) value).longValue());
        } else if (value instanceof Boolean truth) {
            out.u8(truth ? TRUE : FALSE);
        } else if (value instanceof Double || value instanceof Float) {
            out.u8(F64);
            out.f64(((Number) value).doubleValue());
        } else if (value instanceof Collection<?> list) {
            writeList(out, list.toArray(), site);
        } else if (value instanceof Map<?, ?> map) {
            writeMap(out, map, site);
        } else {
            writeRare(out, value, site);
        }
    }

    private static void writeInteger(Writer out, long value) {
        if (value >>> 7 == 0) {
            out.u8(0x80 | (int) value);
        } else {
            out.u8(INT);
            out.i64(value);
        }
    }

    private static void writeList(Writer out, Object[] list, int site) {
        out.u8(LIST);
        out.enter();
        out.u32(list.length);
        for (Object element : list) {
            write(out, element, site);
        }
        out.leave();
    }

    private static void writeMap(Writer out, Map<?, ?> given, int site) {
        Entries entries = Entries.of(Containers.steady(given));
        out.u8(MAP);
        out.enter();
        Object[] keys = entries.keys();
        out.u32(keys.length);
        Object first = keys.length == 0 ? null : key(keys[0]);
        boolean converted = false;
        for (Object held : keys) {
            Object key = key(held);
            if (key == null || !isAlike(key, first)) {
                throw Fault.FAULT;
            }
            write(out, key, site);
            converted |= key != held;
        }
        if (converted && isRepeated(keys)) {
            throw Fault.FAULT;
        }
        for (Object element : entries.values()) {
            write(out, element, site);
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

    /**
     * Whether two keys, as {@link #key} answers them, may stand in one map. Those of one class can be compared: this is
     * what keeps Java's hash tables quick however many keys of one hash a stranger sends.
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

    private static void writeRare(Writer out, Object value, int site) {
        if (value instanceof BigInteger number) {
            if (number.compareTo(LEAST) >= 0 && number.compareTo(MOST) <= 0) {
                writeInteger(out, number.longValue());
            } else {
                out.u8(BIGINT);
                BigNumbers.writeBigint(out, number);
            }
        } else if (value instanceof byte[] bytes) {
            out.u8(BYTES);
            out.bytes(bytes);
        } else if (value instanceof BigDecimal decimal) {
            out.u8(DECIMAL);
            BigNumbers.writeDecimal(out, decimal);
        } else if (value instanceof UUID uuid) {
            out.u8(UUID_TAG);
            BigNumbers.writeUuid(out, uuid);
        } else if (value instanceof LocalDate date) {
            out.u8(DATE);
            Moments.writeDate(out, date);
        } else if (value instanceof LocalTime time) {
            out.u8(TIME);
            Moments.writeTime(out, time);
        } else if (value instanceof Instant instant) {
            out.u8(TIMESTAMP);
            Moments.writeInstant(out, instant);
        } else if (value instanceof Duration duration) {
            out.u8(DURATION);
            Moments.writeDuration(out, duration);
        } else if (value instanceof Object[] list) {
            writeList(out, list, site);
        } else {
            writeNumbers(out, value);
        }
    }

    private static void writeNumbers(Writer out, Object value) {
        NumericArray numbers = value instanceof NumericArray given ? given : NumericArray.ofSigned(value);
        if (numbers == null) {
            throw Fault.FAULT;
        }
        int tag = FIRST_LIST + numbers.kind().ordinal();
        boolean signed = tag <= 0x13;
        out.u8(tag);
        Object row = numbers.values();
        if (row instanceof byte[] bytes) {
            out.u32(bytes.length);
            NumericRows.writeBytes(out, bytes);
        } else if (row instanceof short[] shorts) {
            out.u32(shorts.length);
            NumericRows.writeShorts(out, shorts, signed);
        } else if (row instanceof int[] ints) {
            out.u32(ints.length);
            NumericRows.writeInts(out, ints, signed);
        } else if (row instanceof long[] longs) {
            out.u32(longs.length);
            NumericRows.writeLongs(out, longs, signed);
        } else if (row instanceof float[] floats) {
            out.u32(floats.length);
            NumericRows.writeFloats(out, floats);
        } else {
            double[] doubles = (double[]) row;
            out.u32(doubles.length);
            NumericRows.writeDoubles(out, doubles);
        }
    }
}
