package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledList;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledRef;
import io.samewire.pack.bind.CompiledType.Slot;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import io.samewire.pack.bind.CompiledType.CompiledUnion;
import io.samewire.pack.schema.Aliases;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.Resolution;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.schema.CanonicalText;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.ClassDefinition;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.Program;
import io.samewire.pack.wire.Traced;
import java.util.IdentityHashMap;
import java.util.Map;

/** A Java type bound to its schema, from which programs are made. */
public final class Binding {
    private final CompiledType compiled;
    private final SchemaFacts facts;
    private final Cells cells;
    private final Map<SchemaType, CompiledStruct> structs = new IdentityHashMap<>();
    private Program program;

    /** Binds a type, of which some parts may be written by converters. */
    public Binding(JavaType type, Converters converters) {
        ScalaTypes.checkRoot(type);
        this.compiled = NativeTypeReader.compiled(type, converters);
        collect(compiled);
        String text = CanonicalText.annotated(compiled.type());
        try {
            SchemaParser.parse(text);
        } catch (SamewireException refused) {
            if (refused.code() == Code.LIMIT_ITEMS) {
                throw new SamewireException(Code.LIMIT_ITEMS, 0, null, "the schema of this type is too large ("
                    + refused.text() + "): declare fewer or smaller types", refused);
            }
            throw new SamewireException(Code.MISUSE, -1, null, "this type has no valid schema: " + refused.text()
                + ", in " + text, refused);
        }
        this.facts = new SchemaFacts(compiled.type());
        this.cells = new Cells(compiled.type(), facts);
    }

    private void collect(CompiledType part) {
        if (part instanceof CompiledOption option) {
            collect(option.item);
        } else if (part instanceof CompiledConverted converted) {
            collect(converted.wire);
        } else if (part instanceof CompiledList list) {
            collect(list.item);
        } else if (part instanceof CompiledMap map) {
            collect(map.value);
        } else if (part instanceof CompiledRef ref) {
            collect(ref.struct);
        } else if (part instanceof CompiledUnion union) {
            for (CompiledStruct member : union.members) {
                collect(member);
            }
        } else if (part instanceof CompiledStruct struct && structs.put(struct.type(), struct) == null) {
            for (Slot slot : struct.slots) {
                Defaults.value(slot);
                collect(slot.compiled);
            }
        }
    }

    /** The schema. */
    public SchemaType schema() {
        return compiled.type();
    }

    /** How many places of the schema say {@code string} or {@code any}. */
    public int dedupSlots() {
        return facts.dedupSlots();
    }

    /** Returns what messages of this schema are checked against. */
    public MessageRules rules(long digest, Limits limits) {
        return new MessageRules(compiled.type(), compiled.type(), facts, cells, digest, limits);
    }

    /** Code that writes and reads messages of this schema, under any limits; made once. */
    public synchronized Program program() {
        if (program == null) {
            program = made(rules(0, Limits.DEFAULT), true, false);
        }
        return program;
    }

    /** Code that reads messages of this schema and says where native types throw. */
    public Program tracing() {
        return tracing(rules(0, Limits.DEFAULT));
    }

    /**
     * Returns what messages of another schema are checked against. The writer's types and fields take this type's names
     * where it has aliases.
     *
     * @throws SamewireException {@code schema_mismatch} with the path of the first difference
     */
    public MessageRules resolved(SchemaType writer, long digest, Limits limits) {
        Aliases.adopt(writer, compiled.type());
        Resolution.check(writer, compiled.type());
        SchemaFacts writerFacts = new SchemaFacts(writer);
        Cells resolved = new Cells(writer, writerFacts, compiled.type(), facts);
        return new MessageRules(writer, compiled.type(), writerFacts, resolved, digest, limits);
    }

    /** Code that reads messages of another schema. */
    public Program reader(MessageRules resolved) {
        return made(resolved, false, false);
    }

    /** Code that reads what {@link #reader} does, and says where native types throw: {@link Traced}. */
    public Program tracing(MessageRules rules) {
        return made(rules, false, true);
    }

    /** What {@link #program} returns where no class can be defined. */
    Program interpreted() {
        return made(rules(0, Limits.DEFAULT), true, false, true);
    }

    private Program made(MessageRules rules, boolean writes, boolean tracing) {
        Program made = made(rules, writes, tracing, ClassDefinition.isForbidden());
        return made == null ? made(rules, writes, tracing, true) : made;
    }

    private Program made(MessageRules rules, boolean writes, boolean tracing, boolean recorded) {
        ProgramBuilder builder = new ProgramBuilder(Access.of(compiled), tracing, recorded);
        if (writes) {
            new WriteCode(builder, facts, cells).entry(compiled);
        } else {
            builder.writeEntry(null, Object.class);
        }
        new ReadCode(builder, rules).entry(compiled);
        return builder.build();
    }

    /** Why a value cannot be written; null if it can. */
    public SamewireException error(Object value, Limits limits) {
        return new ValueWalker(facts, cells, limits).error(compiled, value);
    }
}
