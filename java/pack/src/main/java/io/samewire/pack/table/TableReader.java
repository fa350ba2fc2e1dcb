package io.samewire.pack.table;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import io.samewire.pack.columns.StructColumn;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.DynamicProgram;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.Reader;
import java.util.List;
import java.util.function.Supplier;

/** Reads messages of a list of structs as columns. Safe for use by many threads. */
public final class TableReader {
    /** The columns of a type: structs within structs could have any number. */
    private static final int MOST_COLUMNS = 65_536;

    private final SchemaType root;
    private final SchemaFacts facts;
    private final Cells cells;
    private final long mostCells;
    /** Reads the values that are an object each. */
    private final DynamicProgram values;

    /**
     * Creates a reader of messages of the writer's schema.
     *
     * @throws SamewireException {@code unsupported} for another schema than a list of a struct that does not contain
     *     itself, and for more than 65,536 columns
     */
    public TableReader(MessageRules rules) {
        this.root = rules.writer();
        this.facts = rules.facts();
        this.cells = rules.cells();
        this.mostCells = rules.limits().cells();
        this.values = new DynamicProgram(root, facts, cells);
        boolean isTable = root instanceof SchemaType.ListOf list && list.item instanceof SchemaType.Struct struct
            && !facts.recursive(struct);
        if (!isTable) {
            throw new SamewireException(Code.UNSUPPORTED, -1, Path.ROOT,
                "a table is a list of a struct that does not contain itself: decode reads any type");
        }
        new Builders().of(root, () -> Path.ROOT);
    }

    /** Reads the value of a message as columns. */
    public StructColumn read(Reader in) {
        in.charge(cells.slot(root));
        ContainerBuilder rows = (ContainerBuilder) new Builders().of(root, () -> Path.ROOT);
        rows.slot(in);
        return (StructColumn) rows.elements();
    }

    /** Makes the builders of the columns of one message. */
    private final class Builders {
        private final OptionBuilder.Room room = new OptionBuilder.Room(mostCells);
        private int count;

        ColumnBuilder of(SchemaType type, Supplier<String> path) {
            if (++count > MOST_COLUMNS) {
                throw new SamewireException(Code.UNSUPPORTED, -1, path.get(), "more than " + MOST_COLUMNS
                    + " columns: decode reads any type");
            }
            if (type instanceof SchemaType.Scalar scalar) {
                return scalar(scalar, path);
            } else if (type instanceof SchemaType.EnumOf t) {
                return new EnumBuilder(List.copyOf(t.symbols));
            } else if (type instanceof SchemaType.Option t) {
                return new OptionBuilder(of(t.item, path), facts.isFlat(t.item) ? cells.row(t.item) : -1, path, room);
            } else if (type instanceof SchemaType.ListOf t) {
                ColumnBuilder items = of(t.item, () -> path.get() + "[]");
                return new ContainerBuilder(t, items, null, cells.element(t), facts.isFlat(t.item), path);
            } else if (type instanceof SchemaType.SetOf t) {
                ColumnBuilder items = of(t.item, () -> path.get() + "[]");
                return new ContainerBuilder(t, items, null, cells.element(t), false, path);
            } else if (type instanceof SchemaType.MapOf t) {
                ColumnBuilder keys = of(t.key, () -> path.get() + "[].key");
                ColumnBuilder mapped = of(t.value, () -> path.get() + "[].value");
                return new ContainerBuilder(t, keys, mapped, cells.element(t), facts.isFlat(t.value), path);
            } else if (facts.isFlat(type)) {
                return row(type, path);
            }
            String kind = type instanceof SchemaType.Union ? "union"
                : type instanceof SchemaType.Ref ? "ref" : "recursive";
            return new ValueBuilder(kind, in -> values.slot(in, type));
        }

        private ColumnBuilder row(SchemaType type, Supplier<String> path) {
            List<SchemaType> types = type.parts();
            ColumnBuilder[] parts = new ColumnBuilder[types.size()];
            for (int i = 0; i < parts.length; i++) {
                int at = i;
                parts[i] = of(types.get(i), () -> path.get() + step(type, at));
            }
            return new RowBuilder(type, parts);
        }

        private String step(SchemaType type, int part) {
            return type instanceof SchemaType.Struct struct ? Path.field(struct.fields.get(part).name())
                : Path.element(part);
        }

        private ColumnBuilder scalar(SchemaType.Scalar type, Supplier<String> path) {
            Kind kind = type.kind;
            return switch (kind) {
                case BOOL -> new BoolBuilder();
                case STRING -> new TextBuilder();
                case BYTES -> new BytesBuilder(path);
                case UUID -> new UuidBuilder();
                case TIMESTAMP, DURATION -> new InstantBuilder(kind == Kind.TIMESTAMP);
                case DECIMAL -> new DecimalBuilder();
                case BIGINT, ANY -> new ValueBuilder(kind.word(), in -> values.slot(in, type));
                default -> new NumberBuilder(kind);
            };
        }
    }
}
