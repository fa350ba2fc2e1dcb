package io.samewire.pack.schema;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What follows from a schema as a whole: the dedup slots and which structs contain themselves. Threads
 * share it: it is complete when it is made, and never written to afterwards.
 */
public final class SchemaFacts {
    private final Map<SchemaType, Integer> dedupSlots = new IdentityHashMap<>();
    private final Map<String, SchemaType.Struct> structs = new HashMap<>();
    private final Set<SchemaType> recursive;
    private int dedupSlotCount;

    /** The facts of the schema with that root. */
    public SchemaFacts(SchemaType root) {
        collect(root, Collections.newSetFromMap(new IdentityHashMap<>()));
        recursive = Cycles.of(root);
    }

    private void collect(SchemaType type, Set<SchemaType> seen) {
        if (!seen.add(type)) {
            return;
        }
        if (type.is(Kind.STRING) || type.is(Kind.ANY)) {
            dedupSlots.put(type, dedupSlotCount++);
        }
        SchemaType.Struct first =
            type instanceof SchemaType.Struct struct ? structs.putIfAbsent(struct.name, struct) : null;
        if (first != null) {
            share(first.parts(), type.parts(), seen);
            return;
        }
        for (SchemaType part : type.parts()) {
            collect(part, seen);
        }
    }

    /** Two Java types may be one struct of the schema: both have the dedup slots of its one definition. */
    private void share(List<SchemaType> first, List<SchemaType> other, Set<SchemaType> seen) {
        for (int i = 0; i < other.size(); i++) {
            SchemaType part = other.get(i);
            if (part instanceof SchemaType.Struct) {
                collect(part, seen);
            } else if (seen.add(part)) {
                Integer slot = dedupSlots.get(first.get(i));
                if (slot != null) {
                    dedupSlots.put(part, slot);
                }
                share(first.get(i).parts(), part.parts(), seen);
            }
        }
    }

    /** How many places of the canonical text say {@code string} or {@code any}. */
    public int dedupSlots() {
        return dedupSlotCount;
    }

    /** The number of an occurrence of {@code string} or {@code any}, from 0 in canonical order. */
    public int dedupSlot(SchemaType occurrence) {
        return dedupSlots.get(occurrence);
    }

    /** Whether a struct of this schema can contain itself (section 8, depth). */
    public boolean recursive(SchemaType.Struct struct) {
        return recursive.contains(struct);
    }

    /**
     * Whether the values of a type lie in what holds them, and in columns as the columns of their parts: those of a
     * tuple, and of a struct that is not recursive.
     */
    public boolean isFlat(SchemaType type) {
        return type instanceof SchemaType.TupleOf
            || type instanceof SchemaType.Struct struct && !recursive.contains(struct);
    }
}
