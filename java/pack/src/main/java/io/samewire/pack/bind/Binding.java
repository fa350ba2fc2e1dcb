package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.Shape.ListShape;
import io.samewire.pack.bind.Shape.MapShape;
import io.samewire.pack.bind.Shape.OptionShape;
import io.samewire.pack.bind.Shape.RefShape;
import io.samewire.pack.bind.Shape.Slot;
import io.samewire.pack.bind.Shape.StructShape;
import io.samewire.pack.bind.Shape.UnionShape;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.Resolution;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.schema.SchemaPrinter;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.Program;
import java.lang.reflect.AnnotatedType;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;

/** A Java type bound to its schema, from which programs are made. */
public final class Binding {
    private final Shape shape;
    private final SchemaFacts facts;
    private final Cells cells;
    private final Map<SchemaType, StructShape> structs = new IdentityHashMap<>();
    private Program program;

    private Binding(JavaType type) {
        this.shape = new ShapeReader().read(type);
        collect(shape);
        String text = SchemaPrinter.print(shape.type());
        try {
            SchemaParser.parse(text);
        } catch (SamewireException refused) {
            if (refused.code() == Code.LIMIT_ITEMS) {
                throw new SamewireException(Code.LIMIT_ITEMS, 0, null, "this type is too much for a schema", refused);
            }
            throw new SamewireException(Code.MISUSE, -1, null, "this type has no schema that others can read: " + text, refused);
        }
        this.facts = new SchemaFacts(shape.type());
        this.cells = new Cells(shape.type(), facts);
    }

    /** Binds a class without type parameters. */
    public static Binding of(Class<?> type) {
        return new Binding(JavaType.of(type));
    }

    /** Binds a type as it is declared somewhere. */
    public static Binding of(AnnotatedType type) {
        return new Binding(JavaType.of(type, Map.of()));
    }

    private void collect(Shape part) {
        if (part instanceof OptionShape option) {
            collect(option.item);
        } else if (part instanceof ListShape list) {
            collect(list.item);
        } else if (part instanceof MapShape map) {
            collect(map.value);
        } else if (part instanceof RefShape ref) {
            collect(ref.struct);
        } else if (part instanceof UnionShape union) {
            for (StructShape member : union.members) {
                collect(member);
            }
        } else if (part instanceof StructShape struct && structs.put(struct.type(), struct) == null) {
            for (Slot slot : struct.slots) {
                Defaults.value(slot);
                collect(slot.shape);
            }
        }
    }

    /** The schema. */
    public SchemaType schema() {
        return shape.type();
    }

    /** How many places of the schema say {@code string} or {@code any}. */
    public int sites() {
        return facts.sites();
    }

    /** What messages of this schema are judged by. */
    public MessageRules rules(long digest, Limits limits) {
        return new MessageRules(shape.type(), shape.type(), facts, cells, digest, limits);
    }

    /** Code that writes and reads messages of this schema, under any limits; made once. */
    public synchronized Program program() {
        if (program == null) {
            ProgramBuilder builder = new ProgramBuilder(Access.of(shape));
            new WriteCode(builder, facts).entry(shape);
            new ReadCode(builder, rules(0, Limits.DEFAULT)).entry(shape);
            program = builder.build();
        }
        return program;
    }

    /**
     * What messages of another schema are judged by.
     *
     * @throws SamewireException {@code schema_mismatch} with the path of the first difference
     */
    public MessageRules resolved(SchemaType writer, long digest, Limits limits) {
        Resolution.check(writer, shape.type(), (struct, field) -> hasDefault(structs.get(struct).slots, field.name()));
        SchemaFacts writerFacts = new SchemaFacts(writer);
        Cells resolved = new Cells(writer, writerFacts, shape.type(), facts);
        return new MessageRules(writer, shape.type(), writerFacts, resolved, digest, limits);
    }

    private static boolean hasDefault(Collection<Slot> slots, String name) {
        return slots.stream().anyMatch(slot -> slot.name.equals(name) && slot.defaultText != null);
    }

    /** Code that reads messages of another schema. */
    public Program reader(MessageRules resolved) {
        ProgramBuilder builder = new ProgramBuilder(Access.of(shape));
        builder.writeEntry(null, Object.class);
        new ReadCode(builder, resolved).entry(shape);
        return builder.build();
    }

    /** Why a value cannot be written; null if it can. */
    public SamewireException error(Object value, Limits limits) {
        return new ValueWalker(facts, limits).error(shape, value);
    }
}
