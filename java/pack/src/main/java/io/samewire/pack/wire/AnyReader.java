package io.samewire.pack.wire;

import io.samewire.pack.NumericArray;
import io.samewire.pack.schema.Cells;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads self-describing values ({@code spec/pack.md} section 10). */
public final class AnyReader {
    private AnyReader() {}

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
            case AnyTags.NULL -> null;
            case AnyTags.FALSE -> false;
            case AnyTags.TRUE -> true;
            case AnyTags.INT -> in.i64();
            case AnyTags.BIGINT -> integer(BigNumbers.readBigint(in));
            case AnyTags.F64 -> Double.longBitsToDouble(in.fixed64());
            case AnyTags.STRING -> in.text();
            case AnyTags.BYTES -> readBytes(in);
            case AnyTags.LIST -> readList(in);
            case AnyTags.MAP -> readMap(in);
            case AnyTags.DECIMAL -> readDecimal(in);
            case AnyTags.UUID -> BigNumbers.readUuid(in);
            case AnyTags.DATE -> Times.readDate(in);
            case AnyTags.TIME -> Times.readTime(in);
            case AnyTags.TIMESTAMP -> Times.readInstant(in);
            case AnyTags.DURATION -> Times.readDuration(in);
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

    private static Object readDecimal(Reader in) {
        in.charge(Cells.DECIMAL - Cells.ANY);
        return BigNumbers.readDecimal(in);
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
            if (!AnyWriter.isAlike(keys[i], keys[0])) {
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
        if (tag == AnyTags.STRING) {
            return in.text();
        }
        if (tag < 0) {
            return (long) (tag & 0x7f);
        }
        if (tag == AnyTags.INT) {
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
}
