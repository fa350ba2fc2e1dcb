package io.samewire.pack.wire;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Columns ({@code spec/columns.md}), read with an exact error. Methods that take {@code keys} return the values of a
 * column in comparable form if it is true; otherwise what they return means nothing.
 */
abstract class StrictColumns extends StrictNumericRows {
    private static final List<Object> NONE = List.of();
    private static final int MOST_SHOWN = 40;
    /** What to do about a limit of the program's. */
    static final String RAISE = ": raise it for data that you trust";

    final MessageRules rules;

    StrictColumns(MessageRules rules, Reader in) {
        super(in);
        this.rules = rules;
    }

    /** Reads a slot. Returns the value in comparable form if the type is a key type. */
    abstract Object slot(SchemaType writer, SchemaType reader);

    final void charge(long cells, int at) {
        if ((in.cells -= cells) < 0) {
            throw fail(Code.LIMIT_ITEMS, at, "values that take more than " + rules.limits().cells()
                + " cells of memory (limits.cells)" + RAISE);
        }
    }

    final void distinct(List<Object> keys, int at) {
        Set<Object> seen = new HashSet<>();
        for (Object key : keys) {
            if (!seen.add(key)) {
                throw fail(Code.MALFORMED, at, "the key " + shown(key) + " is repeated");
            }
        }
    }

    /** A key for the text of an error, which must not take as long as the message is. */
    private static Object shown(Object key) {
        if (key instanceof String text && text.length() > MOST_SHOWN) {
            return text.substring(0, MOST_SHOWN) + "…";
        }
        boolean large = key instanceof BigInteger number && number.bitLength() > 4 * MOST_SHOWN;
        return large ? "of many digits" : key;
    }

    /** Whether the count that comes next is marked as that of columns, of elements that may stand in columns. */
    final boolean isColumnar(SchemaType item) {
        if (!rules.facts().isFlat(item)) {
            return false;
        }
        int at = in.pos;
        long count = varint(32);
        in.pos = at;
        if (count == 1L << 31) {
            throw fail(Code.BAD_NUMBER, at, "columns of no elements");
        }
        return count > 1L << 31;
    }

    /** Reads a columnar list. */
    final void columns(SchemaType.ListOf writer, SchemaType reader) {
        int n = columnarCount(1, rules.cells().element(writer));
        step("[]");
        column(writer.item, reader instanceof SchemaType.ListOf r ? r.item : null, n, false);
        back();
    }

    /** Reads a columnar map. */
    final void columns(SchemaType.MapOf writer, SchemaType reader) {
        int at = in.pos;
        SchemaType.MapOf r = reader instanceof SchemaType.MapOf map ? map : null;
        int n = columnarCount(2, rules.cells().element(writer));
        step("[].key");
        List<Object> keys = column(writer.key, r == null ? null : r.key.asKey(), n, true);
        back();
        distinct(keys, at);
        step("[].value");
        column(writer.value, r == null ? null : r.value, n, false);
        back();
    }

    private int columnarCount(int columns, int cells) {
        int at = in.pos;
        int n = (int) (varint(32) - (1L << 31));
        items(n, at);
        need(columns * (n + 7L >>> 3));
        charge(Cells.CONTAINER + (long) n * cells, at);
        return n;
    }

    final void items(long n, int at) {
        if (n > in.items) {
            throw fail(Code.LIMIT_ITEMS, at, "more than " + rules.limits().items() + " elements (limits.items)"
                + RAISE);
        }
        in.items -= (int) n;
    }

    /** Reads a column of {@code m} values. */
    final List<Object> column(SchemaType writer, SchemaType reader, int m, boolean keys) {
        if (m == 0) {
            return NONE;
        } else if (reader instanceof SchemaType.Option option && !(writer instanceof SchemaType.Option)) {
            return column(writer, option.item, m, keys);
        } else if (writer instanceof SchemaType.Scalar scalar) {
            return scalars(scalar, target(reader), m, keys);
        } else if (writer instanceof SchemaType.EnumOf t) {
            return symbols(t, reader, m, keys);
        } else if (writer instanceof SchemaType.Option t) {
            options(t, reader instanceof SchemaType.Option r ? r.item : reader, m);
        } else if (writer instanceof SchemaType.ListOf t) {
            long[] bounds = bounds(m, 1, rules.cells().element(t));
            step("[]");
            column(t.item, reader instanceof SchemaType.ListOf r ? r.item : null, (int) bounds[m], false);
            back();
        } else if (writer instanceof SchemaType.SetOf t) {
            int at = in.pos;
            long[] bounds = bounds(m, 1, rules.cells().element(t));
            step("[]");
            SchemaType wanted = reader instanceof SchemaType.SetOf r ? r.item.asKey() : null;
            List<Object> found = column(t.item, wanted, (int) bounds[m], true);
            back();
            distinct(found, bounds, m, at);
        } else if (writer instanceof SchemaType.MapOf t) {
            maps(t, reader instanceof SchemaType.MapOf r ? r : null, m);
        } else if (rules.facts().isFlat(writer)) {
            parts(writer, reader, m);
        } else {
            return slots(writer, reader, m, keys);
        }
        return NONE;
    }

    private void parts(SchemaType writer, SchemaType reader, int m) {
        List<SchemaType> types = writer.parts();
        for (int i = 0; i < types.size(); i++) {
            SchemaType wanted = null;
            if (writer instanceof SchemaType.Struct struct) {
                SchemaType.Field field = reader instanceof SchemaType.Struct r ? r.field(struct.fields.get(i).name())
                    : null;
                wanted = field == null ? null : field.type();
                step(Path.field(struct.fields.get(i).name()));
            } else {
                wanted = reader instanceof SchemaType.TupleOf r ? r.items.get(i) : null;
                step(Path.element(i));
            }
            column(types.get(i), wanted, m, false);
            back();
        }
    }

    private void options(SchemaType.Option writer, SchemaType item, int m) {
        int at = in.pos;
        int flags = flags(m);
        int present = 0;
        for (int i = 0; i < m; i++) {
            present += in.flag(flags, i) ? 1 : 0;
        }
        if (rules.facts().isFlat(writer.item)) {
            charge((long) present * rules.cells().row(writer.item), at);
        }
        column(writer.item, item, present, false);
    }

    /** Reads the counts of {@code m} lists, sets or maps: where the elements of each begin, and where all end. */
    private long[] bounds(int m, int columns, int cells) {
        int at = in.pos;
        long[] counts = integers(m, Integer.SIZE, false, 0, Integer.MAX_VALUE);
        long[] bounds = new long[m + 1];
        for (int i = 0; i < m; i++) {
            bounds[i + 1] = bounds[i] + counts[i];
        }
        items(bounds[m], at);
        need(columns * (bounds[m] + 7 >>> 3));
        charge((long) Cells.CONTAINER * m + bounds[m] * cells, at);
        return bounds;
    }

    private void distinct(List<Object> keys, long[] bounds, int m, int at) {
        for (int i = 0; i < m; i++) {
            distinct(keys.subList((int) bounds[i], (int) bounds[i + 1]), at);
        }
    }

    private void maps(SchemaType.MapOf writer, SchemaType.MapOf reader, int m) {
        int at = in.pos;
        long[] bounds = bounds(m, 2, rules.cells().element(writer));
        step("[].key");
        List<Object> keys = column(writer.key, reader == null ? null : reader.key.asKey(), (int) bounds[m], true);
        back();
        distinct(keys, bounds, m, at);
        step("[].value");
        column(writer.value, reader == null ? null : reader.value, (int) bounds[m], false);
        back();
    }

    private List<Object> slots(SchemaType writer, SchemaType reader, int m, boolean keys) {
        need(m);
        List<Object> found = new ArrayList<>();
        for (int i = 0; i < m; i++) {
            Object value = slot(writer, reader);
            if (keys) {
                found.add(value);
            }
        }
        return found;
    }

    private List<Object> symbols(SchemaType.EnumOf writer, SchemaType reader, int m, boolean keys) {
        int at = in.pos;
        long[] indices = integers(m, Integer.SIZE, false, 0, writer.symbols.size() - 1);
        if (reader instanceof SchemaType.EnumOf r) {
            boolean[] lacks = new boolean[writer.symbols.size()];
            for (int i = 0; i < lacks.length; i++) {
                lacks[i] = r.known(writer.symbols.get(i)) == null;
            }
            for (int i = 0; i < m; i++) {
                if (lacks[(int) indices[i]]) {
                    throw fail(Code.SCHEMA_MISMATCH, at, "the reader's " + writer.name + " lacks the symbol "
                        + writer.symbols.get((int) indices[i]));
                }
            }
        }
        return boxed(indices, m, keys);
    }

    private static List<Object> boxed(long[] values, int m, boolean keys) {
        if (!keys) {
            return NONE;
        }
        List<Object> boxed = new ArrayList<>(m);
        for (int i = 0; i < m; i++) {
            boxed.add(values[i]);
        }
        return boxed;
    }

    /** Reads a column of scalars, which the reader has as the kind {@code target}; null if it lacks them. */
    private List<Object> scalars(SchemaType.Scalar writer, Kind target, int m, boolean keys) {
        Kind kind = writer.kind;
        List<Object> found = NONE;
        switch (kind) {
            case BOOL -> {
                int flags = flags(m);
                found = new ArrayList<>();
                for (int i = 0; i < m && keys; i++) {
                    found.add(in.flag(flags, i));
                }
            }
            case I8, I16, I32, I64, U8, U16, U32, U64 -> {
                int bits = kind.bits();
                long least = kind.isSigned() ? -1L << bits - 1 : 0;
                long most = kind.isSigned() ? ~least : -1L >>> Long.SIZE - bits;
                int at = in.pos;
                long[] values = integers(m, bits, kind.isSigned(), least, most);
                for (int i = 0; i < m && Widening.isInexact(kind, target); i++) {
                    if (!Widening.isExact(values[i], kind, target)) {
                        throw between(values[i], kind, target, at);
                    }
                }
                found = boxed(values, m, keys);
            }
            case DATE -> found = boxed(integers(m, Integer.SIZE, true, Times.DATE_MIN, Times.DATE_MAX), m, keys);
            case TIME -> found = boxed(integers(m, Long.SIZE, false, 0, Times.TIME_MAX), m, keys);
            case TIMESTAMP, DURATION -> found = times(kind == Kind.TIMESTAMP, m, keys);
            case F32 -> take(4L * m);
            case F64 -> doubles(m);
            case STRING -> found = texts(writer, m, keys);
            case BYTES -> {
                long sum = 0;
                long[] lengths = integers(m, Integer.SIZE, false, 0, Integer.MAX_VALUE);
                for (int i = 0; i < m; i++) {
                    sum += lengths[i];
                }
                take(sum);
            }
            case UUID -> {
                need(16L * m);
                found = new ArrayList<>();
                for (int i = 0; i < m; i++) {
                    Object value = scalar(kind);
                    if (keys) {
                        found.add(value);
                    }
                }
            }
            default -> found = slots(writer, null, m, keys);
        }
        return found;
    }

    /** Reads integers as they stand in a column of a type, each from {@code least} to {@code most}. */
    private long[] integers(int m, int bits, boolean signed, long least, long most) {
        int at = in.pos;
        int mode = unsignedByte();
        if (mode > ColumnForm.FROM_PREVIOUS) {
            throw fail(Code.MALFORMED, at, "integers have no mode " + mode);
        } else if (mode == ColumnForm.RAW) {
            return raw(m, bits, signed, least, most, at);
        }
        need(m + 7L >>> 3);
        at = in.pos;
        long base = single(bits, signed);
        check(base, least, most, at);
        long[] values = new long[m];
        values[0] = base;
        List<Object> block = new ArrayList<>();
        for (int from = mode - 1; from < m; from += BitPacking.BLOCK) {
            at = in.pos;
            int size = Math.min(BitPacking.BLOCK, m - from);
            block.clear();
            block(Kind.U64, size, false, block::add);
            for (int i = 0; i < size; i++) {
                long u = (Long) block.get(i);
                values[from + i] = mode == ColumnForm.FROM_LEAST ? base + u
                    : values[from + i - 1] + (u >>> 1 ^ -(u & 1));
            }
            for (int i = from; i < from + size; i++) {
                check(values[i], least, most, at);
            }
        }
        return values;
    }

    private long[] raw(int m, int bits, boolean signed, long least, long most, int at) {
        int width = bits >>> 3;
        int from = take((long) m * width);
        long[] values = new long[m];
        for (int i = 0; i < m; i++) {
            long value = 0;
            for (int b = 0; b < width; b++) {
                value |= (in.buf[from + i * width + b] & 0xffL) << 8 * b;
            }
            int spare = Long.SIZE - bits;
            values[i] = signed ? value << spare >> spare : value;
            check(values[i], least, most, at);
        }
        return values;
    }

    /** An integer as it stands in a slot. */
    private long single(int bits, boolean signed) {
        if (bits == Byte.SIZE) {
            int value = unsignedByte();
            return signed ? (byte) value : value;
        }
        return signed ? zigzag(bits) : varint(bits);
    }

    private void check(long value, long least, long most, int at) {
        if (Long.compareUnsigned(value - least, most - least) > 0) {
            throw fail(Code.BAD_NUMBER, at, value + " is out of range (" + least + " to " + Long.toUnsignedString(most)
                + ")");
        }
    }

    private List<Object> times(boolean calendar, int m, boolean keys) {
        int at = in.pos;
        int unit = unsignedByte();
        if (unit > ColumnForm.SPLIT) {
            throw fail(Code.MALFORMED, at, "times have no unit " + unit);
        }
        long[] times = integers(m, Long.SIZE, true, TimeColumn.least(calendar, unit), TimeColumn.most(calendar, unit));
        long[] nanoseconds = unit == ColumnForm.SPLIT ? integers(m, Integer.SIZE, false, 0, ColumnForm.BILLION - 1)
            : null;
        if (!keys) {
            return NONE;
        }
        List<Object> found = new ArrayList<>(m);
        for (int i = 0; i < m; i++) {
            // Not a list of two: hash tables stay fast with many keys of one hash only if keys are comparable.
            Duration time = TimeColumn.duration(unit, times[i]);
            found.add(nanoseconds == null ? time : time.plusNanos(nanoseconds[i]));
        }
        return found;
    }

    private void doubles(int m) {
        int at = in.pos;
        int mode = unsignedByte();
        switch (mode) {
            case ColumnForm.RAW -> take(8L * m);
            case ColumnForm.DOUBLES -> {
                int size = dictionarySize(m);
                take(8L * size);
                integers(m, Integer.SIZE, false, 0, size - 1);
            }
            case ColumnForm.DECIMAL -> decimals(m);
            default -> throw fail(Code.MALFORMED, at, "floats have no mode " + mode);
        }
    }

    private void decimals(int m) {
        int at = in.pos;
        int exponent = unsignedByte();
        if (exponent > ColumnForm.MOST_DECIMALS) {
            throw fail(Code.MALFORMED, at, "an exponent of " + exponent + "; the greatest is "
                + ColumnForm.MOST_DECIMALS);
        }
        at = in.pos;
        int exceptions = length();
        if (exceptions > m) {
            throw fail(Code.MALFORMED, at, exceptions + " exceptions of " + m + " numbers");
        }
        integers(m, Long.SIZE, true, -ColumnForm.MOST_DIGITS, ColumnForm.MOST_DIGITS);
        if (exceptions == 0) {
            return;
        }
        at = in.pos;
        long[] positions = integers(exceptions, Integer.SIZE, false, 0, (1L << 32) - 1);
        long before = -1;
        for (long position : positions) {
            if (position <= before || position >= m) {
                throw fail(Code.MALFORMED, at, "positions of exceptions out of order or range");
            }
            before = position;
        }
        take(8L * exceptions);
    }

    private List<Object> texts(SchemaType.Scalar writer, int m, boolean keys) {
        int at = in.pos;
        int mode = unsignedByte();
        if (mode > ColumnForm.TEXTS) {
            throw fail(Code.MALFORMED, at, "texts have no mode " + mode);
        }
        int size = mode == ColumnForm.RAW ? m : dictionarySize(m);
        boolean dictionary = mode == ColumnForm.TEXTS;
        List<Object> texts = slots(writer, null, size, keys);
        if (!dictionary) {
            return texts;
        }
        long[] indices = integers(m, Integer.SIZE, false, 0, size - 1);
        List<Object> found = new ArrayList<>();
        for (int i = 0; i < m && keys; i++) {
            found.add(texts.get((int) indices[i]));
        }
        return found;
    }

    private int dictionarySize(int m) {
        int at = in.pos;
        int size = length();
        if (size < 1 || size > m) {
            throw fail(Code.MALFORMED, at, "a dictionary of " + size + " for " + m + " values");
        }
        return size;
    }
}
