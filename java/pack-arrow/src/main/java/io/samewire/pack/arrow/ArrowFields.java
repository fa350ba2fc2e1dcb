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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** The fields of Arrow for columns, and the dictionaries of enums. */
final class ArrowFields implements AutoCloseable {
    static final int DIGITS = 38;
    static final int SCALE = 18;
    static final int UUID_BYTES = 16;

    private static final ArrowType.Int INDEX = new ArrowType.Int(32, true);
    private static final Map<String, String> UUID =
        Map.of("ARROW:extension:name", "arrow.uuid", "ARROW:extension:metadata", "");

    private final BufferAllocator allocator;
    private final TimeUnit unit;
    private final List<Dictionary> dictionaries = new ArrayList<>();

    ArrowFields(BufferAllocator allocator, TimeUnit unit) {
        this.allocator = allocator;
        this.unit = unit;
    }

    List<Dictionary> dictionaries() {
        return dictionaries;
    }

    @Override
    public void close() {
        dictionaries.forEach(dictionary -> dictionary.getVector().close());
    }

    /** The path of a column of the table. */
    static String path(String name) {
        return "$[]." + name;
    }

    /** The names of the parts of a tuple, as of Python's tables. */
    static String part(int index) {
        return "f" + index;
    }

    Field of(String name, Column column, String path) {
        boolean nullable = column.validity() != null;
        if (column instanceof EnumColumn symbols) {
            return new Field(name, new FieldType(nullable, INDEX, encoding(symbols.symbols())), null);
        }
        Map<String, String> metadata = column instanceof UuidColumn ? UUID : null;
        return new Field(name, new FieldType(nullable, type(column, path), null, metadata), children(column, path));
    }

    private DictionaryEncoding encoding(List<String> symbols) {
        DictionaryEncoding encoding = new DictionaryEncoding(dictionaries.size(), false, INDEX);
        VarCharVector values = new VarCharVector("", allocator);
        dictionaries.add(new Dictionary(values, encoding));
        values.allocateNew(symbols.size());
        for (int i = 0; i < symbols.size(); i++) {
            values.setSafe(i, symbols.get(i).getBytes(StandardCharsets.UTF_8));
        }
        values.setValueCount(symbols.size());
        return encoding;
    }

    private List<Field> children(Column column, String path) {
        List<Field> children = new ArrayList<>();
        if (column instanceof ListColumn list) {
            children.add(of("item", list.child(), path + "[]"));
        } else if (column instanceof SetColumn set) {
            children.add(of("item", set.child(), path + "[]"));
        } else if (column instanceof MapColumn map) {
            List<Field> entry = List.of(of("key", map.keys(), path + "[].key"),
                of("value", map.values(), path + "[].value"));
            children.add(new Field("entries", FieldType.notNullable(ArrowType.Struct.INSTANCE), entry));
        } else if (column instanceof StructColumn struct) {
            struct.columns().forEach((name, part) -> children.add(of(name, part, path + "." + name)));
        } else if (column instanceof TupleColumn tuple) {
            for (int i = 0; i < tuple.columns().size(); i++) {
                children.add(of(part(i), tuple.columns().get(i), path + "[" + i + "]"));
            }
        }
        return children;
    }

    private ArrowType type(Column column, String path) {
        if (column instanceof ByteColumn) {
            return new ArrowType.Int(8, isSigned(column));
        } else if (column instanceof ShortColumn) {
            return new ArrowType.Int(16, isSigned(column));
        } else if (column instanceof IntColumn) {
            return new ArrowType.Int(32, isSigned(column));
        } else if (column instanceof LongColumn) {
            return new ArrowType.Int(64, isSigned(column));
        } else if (column instanceof BoolColumn) {
            return ArrowType.Bool.INSTANCE;
        } else if (column instanceof FloatColumn) {
            return new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
        } else if (column instanceof DoubleColumn) {
            return new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
        } else if (column instanceof TextColumn) {
            return ArrowType.Utf8.INSTANCE;
        } else if (column instanceof BytesColumn) {
            return ArrowType.Binary.INSTANCE;
        } else if (column instanceof UuidColumn) {
            return new ArrowType.FixedSizeBinary(UUID_BYTES);
        } else if (column instanceof DateColumn) {
            return new ArrowType.Date(DateUnit.DAY);
        } else if (column instanceof TimeColumn) {
            return new ArrowType.Time(unit, 64);
        } else if (column instanceof InstantColumn) {
            return column.kind().equals("timestamp") ? new ArrowType.Timestamp(unit, "UTC")
                : new ArrowType.Duration(unit);
        } else if (column instanceof DecimalColumn) {
            return new ArrowType.Decimal(DIGITS, SCALE, 128);
        } else if (column instanceof ListColumn || column instanceof SetColumn) {
            return ArrowType.List.INSTANCE;
        } else if (column instanceof MapColumn) {
            return new ArrowType.Map(false);
        } else if (column instanceof StructColumn || column instanceof TupleColumn) {
            return ArrowType.Struct.INSTANCE;
        } else if (column instanceof ValueColumn && column.kind().equals("bigint")) {
            return new ArrowType.Decimal(DIGITS, 0, 128);
        }
        throw new SamewireException(Code.UNSUPPORTED, -1, path, "a table has no column of "
            + (column.kind().equals("recursive") ? "a struct that contains itself" : column.kind())
            + ": read it from codec.columns, or leave the field out of the reader's type");
    }

    private static boolean isSigned(Column column) {
        return column.kind().startsWith("i");
    }
}
