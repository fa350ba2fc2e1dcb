package io.samewire.pack.arrow;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.columns.BoolColumn;
import io.samewire.pack.columns.ByteColumn;
import io.samewire.pack.columns.BytesColumn;
import io.samewire.pack.columns.Column;
import io.samewire.pack.columns.DateColumn;
import io.samewire.pack.columns.DecimalColumn;
import io.samewire.pack.columns.DoubleColumn;
import io.samewire.pack.columns.EnumColumn;
import io.samewire.pack.columns.FloatColumn;
import io.samewire.pack.columns.InstantColumn;
import io.samewire.pack.columns.IntColumn;
import io.samewire.pack.columns.ListColumn;
import io.samewire.pack.columns.LongColumn;
import io.samewire.pack.columns.MapColumn;
import io.samewire.pack.columns.SetColumn;
import io.samewire.pack.columns.ShortColumn;
import io.samewire.pack.columns.StructColumn;
import io.samewire.pack.columns.TextColumn;
import io.samewire.pack.columns.TimeColumn;
import io.samewire.pack.columns.TupleColumn;
import io.samewire.pack.columns.UuidColumn;
import io.samewire.pack.columns.ValueColumn;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.TimeUnit;

/** The buffers of columns, in the order in which a record batch of Arrow has them. */
final class ArrowBuffers implements AutoCloseable {
    private static final long BILLION = 1_000_000_000;
    private static final int DECIMAL_BYTES = 16;
    private static final BigInteger DECIMAL_END = BigInteger.TEN.pow(ArrowFields.DIGITS);

    private final BufferAllocator allocator;
    /** Nanoseconds in a unit of time. */
    private final long unit;
    private final List<ArrowFieldNode> nodes = new ArrayList<>();
    private final List<ArrowBuf> buffers = new ArrayList<>();

    ArrowBuffers(BufferAllocator allocator, TimeUnit unit) {
        this.allocator = allocator;
        this.unit = unit == TimeUnit.NANOSECOND ? 1 : 1_000;
    }

    /** The batch of all that was added. It has references of its own to the buffers. */
    ArrowRecordBatch batch(int rows) {
        return new ArrowRecordBatch(rows, nodes, buffers);
    }

    @Override
    public void close() {
        buffers.forEach(ArrowBuf::close);
        buffers.clear();
    }

    void add(Column column, String path) {
        node(column.length(), column.validity());
        if (column instanceof StructColumn struct) {
            struct.columns().forEach((name, part) -> add(part, path + "." + name));
        } else if (column instanceof TupleColumn tuple) {
            for (int i = 0; i < tuple.columns().size(); i++) {
                add(tuple.columns().get(i), path + "[" + i + "]");
            }
        } else if (column instanceof ListColumn list) {
            ints(list.offsets(), list.offsets().length);
            add(list.child(), path + "[]");
        } else if (column instanceof SetColumn set) {
            ints(set.offsets(), set.offsets().length);
            add(set.child(), path + "[]");
        } else if (column instanceof MapColumn map) {
            ints(map.offsets(), map.offsets().length);
            node(map.keys().length(), null);
            add(map.keys(), path + "[].key");
            add(map.values(), path + "[].value");
        } else {
            values(column, path);
        }
    }

    private void node(int length, boolean[] validity) {
        int nulls = 0;
        if (validity != null) {
            for (boolean present : validity) {
                nulls += present ? 0 : 1;
            }
        }
        nodes.add(new ArrowFieldNode(length, nulls));
        if (nulls == 0) {
            buffer(0);
        } else {
            bits(validity);
        }
    }

    private ArrowBuf buffer(long size) {
        ArrowBuf made = allocator.buffer(size);
        buffers.add(made);
        made.writerIndex(size);
        return made;
    }

    private void bits(boolean[] values) {
        ArrowBuf to = buffer((values.length + 7L) / 8);
        for (int i = 0; i < values.length; i += 8) {
            int bits = 0;
            for (int k = i; k < Math.min(i + 8, values.length); k++) {
                bits |= values[k] ? 1 << (k - i) : 0;
            }
            to.setByte(i / 8, bits);
        }
    }

    private void ints(int[] values, int length) {
        ArrowBuf to = buffer(4L * length);
        for (int i = 0; i < length; i++) {
            to.setInt(4L * i, values[i]);
        }
    }

    private void longs(long[] values) {
        ArrowBuf to = buffer(8L * values.length);
        for (int i = 0; i < values.length; i++) {
            to.setLong(8L * i, values[i]);
        }
    }

    private void values(Column column, String path) {
        if (column instanceof BoolColumn bools) {
            bits(bools.values());
        } else if (column instanceof ByteColumn bytes) {
            buffer(bytes.length()).setBytes(0, bytes.values());
        } else if (column instanceof ShortColumn shorts) {
            ArrowBuf to = buffer(2L * shorts.length());
            for (int i = 0; i < shorts.length(); i++) {
                to.setShort(2L * i, shorts.values()[i]);
            }
        } else if (column instanceof IntColumn ints) {
            ints(ints.values(), ints.length());
        } else if (column instanceof LongColumn longs) {
            longs(longs.values());
        } else if (column instanceof FloatColumn floats) {
            ArrowBuf to = buffer(4L * floats.length());
            for (int i = 0; i < floats.length(); i++) {
                to.setFloat(4L * i, floats.values()[i]);
            }
        } else if (column instanceof DoubleColumn doubles) {
            ArrowBuf to = buffer(8L * doubles.length());
            for (int i = 0; i < doubles.length(); i++) {
                to.setDouble(8L * i, doubles.values()[i]);
            }
        } else if (column instanceof DateColumn dates) {
            ints(dates.values(), dates.length());
        } else if (column instanceof EnumColumn symbols) {
            codes(symbols);
        } else if (column instanceof TextColumn texts) {
            texts(texts, path);
        } else if (column instanceof BytesColumn bytes) {
            ints(bytes.offsets(), bytes.offsets().length);
            int size = bytes.offsets()[bytes.length()];
            buffer(size).setBytes(0, bytes.data(), 0, size);
        } else {
            wideValues(column, path);
        }
    }

    private void wideValues(Column column, String path) {
        if (column instanceof UuidColumn uuids) {
            ArrowBuf to = buffer((long) ArrowFields.UUID_BYTES * uuids.length());
            for (int i = 0; i < uuids.length(); i++) {
                to.setLong(16L * i, Long.reverseBytes(uuids.high()[i]));
                to.setLong(16L * i + 8, Long.reverseBytes(uuids.low()[i]));
            }
        } else if (column instanceof TimeColumn times) {
            long[] values = new long[times.length()];
            for (int i = 0; i < values.length; i++) {
                values[i] = whole(times, i, 0, times.values()[i], path);
            }
            longs(values);
        } else if (column instanceof InstantColumn times) {
            instants(times, path);
        } else if (column instanceof DecimalColumn decimals) {
            decimals(column, i -> scaled(decimals.unscaled()[i], decimals.scales()[i]), path);
        } else if (column instanceof ValueColumn integers) {
            decimals(column, i -> (BigInteger) integers.values()[i], path);
        }
    }

    /** A null has the code 0: readers of Arrow look at no index behind one, and some check all of them. */
    private void codes(EnumColumn symbols) {
        int[] codes = symbols.codes().clone();
        for (int i = 0; i < codes.length; i++) {
            codes[i] = Math.max(codes[i], 0);
        }
        ints(codes, codes.length);
    }

    private void texts(TextColumn texts, String path) {
        byte[][] encoded = new byte[texts.values().length][];
        int[] offsets = new int[texts.length() + 1];
        long end = 0;
        for (int i = 0; i < texts.length(); i++) {
            if (texts.validity() == null || texts.validity()[i]) {
                int code = texts.codes() == null ? i : texts.codes()[i];
                if (encoded[code] == null) {
                    encoded[code] = texts.values()[code].getBytes(StandardCharsets.UTF_8);
                }
                end += encoded[code].length;
            }
            if (end > Integer.MAX_VALUE) {
                throw new SamewireException(Code.LIMIT_ITEMS, -1, path,
                    "a column has at most 2^31 - 1 bytes of text: make tables of fewer rows");
            }
            offsets[i + 1] = (int) end;
        }
        ints(offsets, offsets.length);
        ArrowBuf to = buffer(end);
        for (int i = 0; i < texts.length(); i++) {
            if (offsets[i + 1] > offsets[i]) {
                to.setBytes(offsets[i], encoded[texts.codes() == null ? i : texts.codes()[i]]);
            }
        }
    }

    private void instants(InstantColumn times, String path) {
        long inSecond = BILLION / times.unit().getDuration().toNanos();
        long[] values = new long[times.length()];
        for (int i = 0; i < values.length; i++) {
            long seconds = Math.floorDiv(times.values()[i], inSecond);
            long nanos = Math.floorMod(times.values()[i], inSecond) * (BILLION / inSecond)
                + (times.nanoseconds() == null ? 0 : times.nanoseconds()[i]);
            values[i] = whole(times, i, seconds, nanos, path);
        }
        longs(values);
    }

    /** A time in units. */
    private long whole(Column times, int row, long seconds, long nanos, String path) {
        if (times.validity() != null && !times.validity()[row]) {
            return 0;
        }
        String units = unit == 1 ? "nanoseconds" : "microseconds";
        if (nanos % unit != 0) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, path, "expected whole " + units + ", got "
                + times.get(row) + " in row " + row + " of the column: ask for TimeUnit.NANOSECOND");
        }
        // Towards zero: the second in which the range begins is not within it as a whole.
        boolean up = seconds < 0 && nanos > 0;
        try {
            return Math.addExact(Math.multiplyExact(up ? seconds + 1 : seconds, BILLION / unit),
                (up ? nanos - BILLION : nanos) / unit);
        } catch (ArithmeticException beyond) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, path, "expected a time within 64 bits of " + units
                + ", got " + times.get(row) + " in row " + row + " of the column", beyond);
        }
    }

    /** A decimal of the column's scale; null if it has none. */
    private static BigInteger scaled(BigInteger unscaled, int scale) {
        if (unscaled.signum() == 0) {
            return unscaled;
        }
        long more = (long) ArrowFields.SCALE - scale;
        if (more >= 0) {
            return more > ArrowFields.DIGITS ? null : unscaled.multiply(BigInteger.TEN.pow((int) more));
        }
        // Each zero at the end is worth more than three bits.
        if (-more > unscaled.bitLength()) {
            return null;
        }
        BigInteger[] parts = unscaled.divideAndRemainder(BigInteger.TEN.pow((int) -more));
        return parts[1].signum() == 0 ? parts[0] : null;
    }

    private void decimals(Column column, IntFunction<BigInteger> value, String path) {
        ArrowBuf to = buffer((long) DECIMAL_BYTES * column.length());
        to.setZero(0, to.capacity());
        for (int i = 0; i < column.length(); i++) {
            if (column.validity() != null && !column.validity()[i]) {
                continue;
            }
            BigInteger number = value.apply(i);
            if (number == null || number.abs().compareTo(DECIMAL_END) >= 0) {
                String most = column.kind().equals("bigint") ? "at most 38 digits"
                    : "at most 20 digits before the point and 18 behind it";
                throw new SamewireException(Code.TYPE_MISMATCH, -1, path, "expected a number of " + most
                    + ", got another in row " + i + " of the column: read it from codec.columns");
            }
            to.setLong((long) DECIMAL_BYTES * i, number.longValue());
            to.setLong((long) DECIMAL_BYTES * i + 8, number.shiftRight(64).longValue());
        }
    }
}
