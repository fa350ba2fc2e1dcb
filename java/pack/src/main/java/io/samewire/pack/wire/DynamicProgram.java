package io.samewire.pack.wire;

import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaType;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads messages of a schema for which there are no Java types, by looking at the schema for each value: structs as
 * maps of their fields in order, tuples as lists, symbols as texts, unsigned integers as the next wider type.
 */
public final class DynamicProgram extends Program {
    /** What a map takes in cells beyond those that the format charges for a struct, and for each of its fields. */
    private static final int MAP_CELLS = 4;

    private final SchemaType root;
    private final SchemaFacts facts;
    private final Cells cells;
    private final DynamicColumns columns;

    /** Creates a program of a schema. */
    public DynamicProgram(SchemaType root, SchemaFacts facts, Cells cells) {
        this.root = root;
        this.facts = facts;
        this.cells = cells;
        this.columns = new DynamicColumns(this, facts, cells);
    }

    @Override
    public void write(Writer out, Object value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object read(Reader in) {
        in.charge(cells.slot(root));
        return row(in, List.of(root))[0];
    }

    private Object[] row(Reader in, List<SchemaType> types) {
        int flagged = 0;
        for (SchemaType type : types) {
            flagged += type.flagged() ? 1 : 0;
        }
        int flags = in.flagRow(flagged);
        int next = 0;
        Object[] values = new Object[types.size()];
        for (int i = 0; i < values.length; i++) {
            SchemaType type = types.get(i);
            if (type instanceof SchemaType.Option option) {
                values[i] = in.flag(flags, next++) ? present(in, option.item) : null;
            } else if (type.is(Kind.BOOL)) {
                values[i] = in.flag(flags, next++);
            } else {
                values[i] = slot(in, type);
            }
        }
        return values;
    }

    private Object present(Reader in, SchemaType item) {
        chargeApart(in, item);
        return slot(in, item);
    }

    private void chargeApart(Reader in, SchemaType type) {
        if (cells.isInline(type)) {
            in.charge(cells.row(type));
        }
    }

    /** A value that stands in a slot, behind its flag. */
    public Object slot(Reader in, SchemaType type) {
        if (type instanceof SchemaType.Scalar scalar) {
            return scalar(in, scalar.kind);
        } else if (type instanceof SchemaType.EnumOf t) {
            return t.symbols.get(in.index(t.symbols.size()));
        } else if (type instanceof SchemaType.ListOf t) {
            return list(in, t);
        } else if (type instanceof SchemaType.SetOf t) {
            return set(sameRow(in, t.item, count(in, RowForm.of(t.item), cells.element(t))));
        } else if (type instanceof SchemaType.MapOf t) {
            return map(in, t);
        } else if (type instanceof SchemaType.TupleOf t) {
            return new ArrayList<>(Arrays.asList(row(in, t.items)));
        } else if (type instanceof SchemaType.Struct t) {
            return struct(in, t);
        } else if (type instanceof SchemaType.Union t) {
            SchemaType.Struct member = t.members.get(in.index(t.members.size()));
            chargeApart(in, member);
            return struct(in, member);
        }
        SchemaType.Struct shared = (SchemaType.Struct) ((SchemaType.Ref) type).item;
        int number = in.u32();
        Object known = SharedStructs.find(in, number, shared.name);
        if (known != null) {
            return known;
        }
        chargeApart(in, shared);
        return SharedStructs.end(in, number, shared.name, struct(in, shared));
    }

    private static int count(Reader in, int form, int each) {
        in.charge(Cells.CONTAINER);
        return in.count(form, each);
    }

    private Map<String, Object> struct(Reader in, SchemaType.Struct type) {
        boolean recursive = facts.recursive(type);
        if (recursive) {
            in.enter(cells.row(type));
        }
        in.reserve(MAP_CELLS + type.fields.size());
        Map<String, Object> made = named(type, row(in, type.parts()));
        if (recursive) {
            in.leave();
        }
        return made;
    }

    /** The map that stands for a struct of these values. */
    static Map<String, Object> made(Reader in, SchemaType.Struct type, Object[] values) {
        in.reserve(MAP_CELLS + type.fields.size());
        return named(type, values);
    }

    private static Map<String, Object> named(SchemaType.Struct type, Object[] values) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            made.put(type.fields.get(i).name(), values[i]);
        }
        return made;
    }

    private List<Object> list(Reader in, SchemaType.ListOf type) {
        in.charge(Cells.CONTAINER);
        if (facts.isFlat(type.item)) {
            int n = in.u32();
            if (n < 0) {
                return columns.list(in, type, n);
            }
            in.claimElements(n, cells.element(type));
            return sameRow(in, type.item, n);
        }
        return sameRow(in, type.item, in.count(RowForm.of(type.item), cells.element(type)));
    }

    private static Set<Object> set(List<Object> keys) {
        Set<Object> made = new LinkedHashSet<>(keys);
        if (made.size() != keys.size()) {
            throw Fault.FAULT;
        }
        return made;
    }

    private Map<Object, Object> map(Reader in, SchemaType.MapOf type) {
        in.charge(Cells.CONTAINER);
        int n = in.u32();
        if (n < 0) {
            if (!facts.isFlat(type.value)) {
                throw Fault.FAULT;
            }
            return columns.map(in, type, n);
        }
        in.claimEntries(n, RowForm.of(type.key), RowForm.of(type.value), cells.element(type));
        List<Object> keys = sameRow(in, type.key, n);
        List<Object> values = sameRow(in, type.value, n);
        Map<Object, Object> made = new LinkedHashMap<>();
        for (int i = 0; i < n; i++) {
            made.put(keys.get(i), values.get(i));
        }
        if (made.size() != n) {
            throw Fault.FAULT;
        }
        return made;
    }

    private List<Object> sameRow(Reader in, SchemaType type, int n) {
        Kind kind = type.numeric();
        List<Object> values = new ArrayList<>(n);
        if (kind != null) {
            Object row = numbers(in, kind, n);
            for (int i = 0; i < n; i++) {
                values.add(number(kind, Array.get(row, i)));
            }
            return values;
        }
        int flags = type.flagged() ? in.flagRow(n) : 0;
        for (int i = 0; i < n; i++) {
            if (type instanceof SchemaType.Option option) {
                values.add(in.flag(flags, i) ? present(in, option.item) : null);
            } else {
                values.add(type.is(Kind.BOOL) ? (Object) in.flag(flags, i) : slot(in, type));
            }
        }
        return values;
    }

    private static Object numbers(Reader in, Kind kind, int n) {
        return switch (kind) {
            case I8, U8 -> NumericRows.readBytes(in, n);
            case I16 -> NumericRows.readShorts(in, n, true);
            case U16 -> NumericRows.readShorts(in, n, false);
            case I32 -> NumericRows.readInts(in, n, true);
            case U32 -> NumericRows.readInts(in, n, false);
            case I64 -> NumericRows.readLongs(in, n, true);
            case U64 -> NumericRows.readLongs(in, n, false);
            case F32 -> NumericRows.readFloats(in, n);
            default -> NumericRows.readDoubles(in, n);
        };
    }

    /** A number of a row or slot: an unsigned one as the next wider type. */
    private static Object number(Kind kind, Object raw) {
        return switch (kind) {
            case U8 -> (short) Byte.toUnsignedInt((Byte) raw);
            case U16 -> Short.toUnsignedInt((Short) raw);
            case U32 -> Integer.toUnsignedLong((Integer) raw);
            case U64 -> unsigned((Long) raw);
            default -> raw;
        };
    }

    private static BigInteger unsigned(long raw) {
        return raw >= 0 ? BigInteger.valueOf(raw) : BigInteger.valueOf(raw).add(BigInteger.ONE.shiftLeft(Long.SIZE));
    }

    private static Object scalar(Reader in, Kind kind) {
        return switch (kind) {
            case BOOL -> in.bool();
            case I8, U8 -> number(kind, in.u8());
            case I16 -> in.i16();
            case U16 -> number(kind, in.u16());
            case I32 -> in.i32();
            case U32 -> number(kind, in.u32());
            case I64 -> in.i64();
            case U64 -> number(kind, in.u64());
            case F32 -> in.f32();
            case F64 -> in.f64();
            case BIGINT -> BigNumbers.readBigint(in);
            case DECIMAL -> BigNumbers.readDecimal(in);
            case STRING -> in.text();
            case BYTES -> in.bytes();
            case UUID -> BigNumbers.readUuid(in);
            case DATE -> Times.readDate(in);
            case TIME -> Times.readTime(in);
            case TIMESTAMP -> Times.readInstant(in);
            case DURATION -> Times.readDuration(in);
            case ANY -> AnyReader.read(in);
        };
    }
}
