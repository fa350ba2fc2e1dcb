package io.samewire.pack.table;

import io.samewire.pack.columns.ByteColumn;
import io.samewire.pack.columns.Column;
import io.samewire.pack.columns.DateColumn;
import io.samewire.pack.columns.DoubleColumn;
import io.samewire.pack.columns.FloatColumn;
import io.samewire.pack.columns.IntColumn;
import io.samewire.pack.columns.LongColumn;
import io.samewire.pack.columns.ShortColumn;
import io.samewire.pack.columns.TimeColumn;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.wire.DoubleColumns;
import io.samewire.pack.wire.IntegerColumns;
import io.samewire.pack.wire.NumericRows;
import io.samewire.pack.wire.RawColumns;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.Times;
import java.lang.reflect.Array;

/** Numbers, dates and times of day. */
final class NumberBuilder extends ColumnBuilder {
    private final Kind kind;
    private final Growing values;

    NumberBuilder(Kind kind) {
        this.kind = kind;
        this.values = switch (kind) {
            case I8, U8 -> new Growing(byte.class, (byte) 0);
            case I16, U16 -> new Growing(short.class, (short) 0);
            case I32, U32, DATE -> new Growing(int.class, 0);
            case F32 -> new Growing(float.class, Float.NaN);
            case F64 -> new Growing(double.class, Double.NaN);
            default -> new Growing(long.class, 0L);
        };
    }

    @Override
    void slot(Reader in) {
        switch (kind) {
            case I8, U8 -> {
                byte value = in.u8();
                int at = values.extend(1);
                ((byte[]) values.array)[at] = value;
            }
            case I16, U16 -> {
                short value = kind == Kind.I16 ? in.i16() : in.u16();
                int at = values.extend(1);
                ((short[]) values.array)[at] = value;
            }
            case I32, U32, DATE -> {
                int value = kind == Kind.I32 ? in.i32() : kind == Kind.U32 ? in.u32() : Times.readDays(in);
                int at = values.extend(1);
                ((int[]) values.array)[at] = value;
            }
            case F32 -> {
                float value = in.f32();
                int at = values.extend(1);
                ((float[]) values.array)[at] = value;
            }
            case F64 -> {
                double value = in.f64();
                int at = values.extend(1);
                ((double[]) values.array)[at] = value;
            }
            default -> {
                long value = kind == Kind.I64 ? in.i64() : kind == Kind.U64 ? in.u64() : Times.readNanosOfDay(in);
                int at = values.extend(1);
                ((long[]) values.array)[at] = value;
            }
        }
    }

    @Override
    void row(Reader in, int n) {
        if (kind == Kind.DATE || kind == Kind.TIME) {
            super.row(in, n);
            return;
        }
        values.append(switch (kind) {
            case I8, U8 -> NumericRows.readBytes(in, n);
            case I16 -> NumericRows.readShorts(in, n, true);
            case U16 -> NumericRows.readShorts(in, n, false);
            case I32 -> NumericRows.readInts(in, n, true);
            case U32 -> NumericRows.readInts(in, n, false);
            case I64 -> NumericRows.readLongs(in, n, true);
            case U64 -> NumericRows.readLongs(in, n, false);
            case F32 -> NumericRows.readFloats(in, n);
            default -> NumericRows.readDoubles(in, n);
        }, n);
    }

    @Override
    void column(Reader in, int m) {
        if (kind == Kind.F32) {
            int begin = RawColumns.take(in, m, Float.BYTES);
            int from = values.extend(m);
            for (int i = 0; i < m; i++) {
                ((float[]) values.array)[from + i] = RawColumns.single(in, begin, i);
            }
            return;
        }
        long[] longs = switch (kind) {
            case DATE -> IntegerColumns.readDates(in, m);
            case TIME -> IntegerColumns.readTimes(in, m);
            case F64 -> DoubleColumns.read(in, m);
            default -> IntegerColumns.read(in, m, kind.bits(), kind.isSigned());
        };
        narrow(longs, m);
    }

    private void narrow(long[] longs, int m) {
        if (values.array instanceof long[]) {
            values.append(longs, m);
            return;
        }
        int from = values.extend(m);
        if (values.array instanceof byte[] bytes) {
            for (int i = 0; i < m; i++) {
                bytes[from + i] = (byte) longs[i];
            }
        } else if (values.array instanceof short[] shorts) {
            for (int i = 0; i < m; i++) {
                shorts[from + i] = (short) longs[i];
            }
        } else if (values.array instanceof int[] ints) {
            for (int i = 0; i < m; i++) {
                ints[from + i] = (int) longs[i];
            }
        } else {
            double[] doubles = (double[]) values.array;
            for (int i = 0; i < m; i++) {
                doubles[from + i] = Double.longBitsToDouble(longs[i]);
            }
        }
    }

    @Override
    void nothing() {
        values.appendNothing();
    }

    @Override
    void spread(boolean[] set, int present) {
        values.spread(set, present);
    }

    @Override
    Column finish(boolean[] validity) {
        Object array = values.finish();
        String word = kind.word();
        return switch (kind) {
            case I8, U8 -> new ByteColumn(word, (byte[]) array, validity);
            case I16, U16 -> new ShortColumn(word, (short[]) array, validity);
            case I32, U32 -> new IntColumn(word, (int[]) array, validity);
            case I64, U64 -> new LongColumn(word, (long[]) array, validity);
            case F32 -> new FloatColumn((float[]) array, validity);
            case F64 -> new DoubleColumn((double[]) array, validity);
            case DATE -> new DateColumn((int[]) array, validity);
            default -> new TimeColumn((long[]) array, validity);
        };
    }

    @Override
    Object key(int index) {
        return Array.get(values.array, index);
    }
}
