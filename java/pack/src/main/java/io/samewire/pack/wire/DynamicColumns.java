package io.samewire.pack.wire;

import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaType;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Columns ({@code spec/columns.md}) of a schema without Java types, as {@link DynamicProgram} has them. */
final class DynamicColumns {
    private final DynamicProgram rows;
    private final SchemaFacts facts;
    private final Cells cells;

    DynamicColumns(DynamicProgram rows, SchemaFacts facts, Cells cells) {
        this.rows = rows;
        this.facts = facts;
        this.cells = cells;
    }

    /** The elements of a columnar list. Its count is marked. */
    List<Object> list(Reader in, SchemaType.ListOf type, int marked) {
        int n = in.columnarCount(marked, 1, cells.element(type));
        int mark = in.mark();
        Object[] elements = column(in, type.item, n);
        in.release(mark);
        return new ArrayList<>(Arrays.asList(elements));
    }

    /** The entries of a columnar map. */
    Map<Object, Object> map(Reader in, SchemaType.MapOf type, int marked) {
        int n = in.columnarCount(marked, 2, cells.element(type));
        int mark = in.mark();
        Object[] keys = column(in, type.key, n);
        Object[] values = column(in, type.value, n);
        in.release(mark);
        return mapOf(keys, values, 0, n);
    }

    private static Map<Object, Object> mapOf(Object[] keys, Object[] values, int from, int to) {
        Map<Object, Object> made = new LinkedHashMap<>();
        for (int i = from; i < to; i++) {
            made.put(keys[i], values[i]);
        }
        if (made.size() != to - from) {
            throw Fault.FAULT;
        }
        return made;
    }

    private Object[] column(Reader in, SchemaType type, int m) {
        if (type instanceof SchemaType.Option t) {
            return options(in, t, m);
        } else if (type instanceof SchemaType.EnumOf t) {
            Object[] values = new Object[m];
            long[] indices = IntegerColumns.readIndices(in, m, t.symbols.size());
            for (int i = 0; i < m; i++) {
                values[i] = t.symbols.get((int) indices[i]);
            }
            return values;
        } else if (type instanceof SchemaType.ListOf || type instanceof SchemaType.SetOf
            || type instanceof SchemaType.MapOf) {
            return containers(in, type, m);
        } else if (facts.isFlat(type)) {
            return parts(in, type, m);
        }
        return type instanceof SchemaType.Scalar scalar ? scalars(in, scalar, m) : slots(in, type, m);
    }

    private Object[] options(Reader in, SchemaType.Option type, int m) {
        int flags = in.flagRow(m);
        int present = RawColumns.count(in, flags, m);
        if (facts.isFlat(type.item)) {
            in.charge(present, cells.row(type.item));
        }
        Object[] items = column(in, type.item, present);
        Object[] values = new Object[m];
        int next = 0;
        for (int i = 0; i < m; i++) {
            values[i] = in.flag(flags, i) ? items[next++] : null;
        }
        return values;
    }

    private Object[] containers(Reader in, SchemaType type, int m) {
        long[] bounds = IntegerColumns.readBounds(in, m, type.parts().size(), cells.element(type));
        int total = (int) bounds[m];
        Object[] elements = column(in, type.parts().get(0), total);
        Object[] mapped = type instanceof SchemaType.MapOf map ? column(in, map.value, total) : null;
        Object[] values = new Object[m];
        for (int i = 0; i < m; i++) {
            int from = (int) bounds[i];
            int to = (int) bounds[i + 1];
            List<Object> run = Arrays.asList(elements).subList(from, to);
            values[i] = mapped != null ? mapOf(elements, mapped, from, to)
                : type instanceof SchemaType.SetOf ? setOf(run) : new ArrayList<>(run);
        }
        return values;
    }

    private static Set<Object> setOf(List<Object> keys) {
        Set<Object> made = new LinkedHashSet<>(keys);
        if (made.size() != keys.size()) {
            throw Fault.FAULT;
        }
        return made;
    }

    private Object[] parts(Reader in, SchemaType type, int m) {
        List<SchemaType> types = type.parts();
        Object[][] columns = new Object[types.size()][];
        int mark = in.mark();
        for (int k = 0; k < columns.length; k++) {
            columns[k] = column(in, types.get(k), m);
            in.release(mark);
        }
        Object[] values = new Object[m];
        for (int i = 0; i < m; i++) {
            Object[] row = new Object[columns.length];
            for (int k = 0; k < row.length; k++) {
                row[k] = columns[k][i];
            }
            values[i] = type instanceof SchemaType.Struct struct ? DynamicProgram.made(in, struct, row)
                : new ArrayList<>(Arrays.asList(row));
        }
        return values;
    }

    private Object[] slots(Reader in, SchemaType type, int m) {
        in.need(m);
        Object[] values = new Object[m];
        for (int i = 0; i < m; i++) {
            values[i] = rows.slot(in, type);
        }
        return values;
    }

    private Object[] scalars(Reader in, SchemaType.Scalar type, int m) {
        Kind kind = type.kind;
        return switch (kind) {
            case BIGINT, DECIMAL, ANY -> slots(in, type, m);
            case BOOL, F32, UUID -> raw(in, kind, m);
            case STRING -> {
                Object[] values = new Object[m];
                TextColumn texts = TextColumn.read(in, m);
                for (int i = 0; i < m; i++) {
                    values[i] = texts.text(i);
                }
                yield values;
            }
            case BYTES -> {
                Object[] values = new Object[m];
                BytesColumn arrays = BytesColumn.read(in, m);
                for (int i = 0; i < m; i++) {
                    values[i] = arrays.bytes(i);
                }
                yield values;
            }
            case TIMESTAMP, DURATION -> times(in, kind, m);
            default -> numbers(in, kind, m);
        };
    }

    private static Object[] raw(Reader in, Kind kind, int m) {
        int at = kind == Kind.BOOL ? in.flagRow(m)
            : RawColumns.take(in, m, kind == Kind.F32 ? Float.BYTES : 2 * Long.BYTES);
        Object[] values = new Object[m];
        for (int i = 0; i < m; i++) {
            values[i] = kind == Kind.BOOL ? (Object) in.flag(at, i)
                : kind == Kind.F32 ? (Object) RawColumns.single(in, at, i) : RawColumns.uuid(in, at, i);
        }
        return values;
    }

    private static Object[] times(Reader in, Kind kind, int m) {
        boolean instants = kind == Kind.TIMESTAMP;
        TimeColumn times = instants ? TimeColumn.readInstants(in, m) : TimeColumn.readDurations(in, m);
        Object[] values = new Object[m];
        for (int i = 0; i < m; i++) {
            values[i] = instants ? times.instant(i) : times.duration(i);
        }
        return values;
    }

    private static Object[] numbers(Reader in, Kind kind, int m) {
        long[] longs = switch (kind) {
            case DATE -> IntegerColumns.readDates(in, m);
            case TIME -> IntegerColumns.readTimes(in, m);
            case F64 -> DoubleColumns.read(in, m);
            default -> IntegerColumns.read(in, m, kind.bits(), kind.isSigned());
        };
        Object[] values = new Object[m];
        for (int i = 0; i < m; i++) {
            long value = longs[i];
            values[i] = switch (kind) {
                case DATE -> LocalDate.ofEpochDay(value);
                case TIME -> LocalTime.ofNanoOfDay(value);
                case F64 -> Double.longBitsToDouble(value);
                case I8 -> (byte) value;
                case I16, U8 -> (short) value;
                case I32, U16 -> (int) value;
                case U64 -> Boxing.unsigned(value);
                default -> value;
            };
        }
        return values;
    }
}
