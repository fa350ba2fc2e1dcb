package io.samewire.pack.schema;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The cells of memory that values of a schema take ({@code spec/pack.md} section 8), computed once a schema so that a
 * reader charges a whole list with one multiplication. Immutable, and safe to share between threads.
 */
public final class Cells {
    /** What a list, set, map, struct or tuple takes besides its elements or fields. */
    public static final int CONTAINER = 3;
    /** What an entry of a set takes besides its key, and an entry of a map besides its key and value. */
    public static final int ENTRY = 2;
    /** The weight of an {@code any} where it stands. */
    public static final int ANY = 2;
    /** The weight of {@code bytes} where they stand. */
    public static final int BYTES = 6;
    /** The weight of a {@code decimal} where it stands. */
    public static final int DECIMAL = 3;
    /** What an entry of a map inside an {@code any} takes. */
    public static final int ANY_ENTRY = ENTRY + 2 * ANY;

    private final SchemaFacts facts;
    /** The row weights of all structs and tuples, by identity. */
    private final Map<SchemaType, Integer> rows = new IdentityHashMap<>();

    /** The cells of values of a schema that are read by the same schema. */
    public Cells(SchemaType root, SchemaFacts facts) {
        this(root, facts, null, null);
    }

    /**
     * The cells of a writer's values that are read by another schema: a struct weighs more if the reader's struct of
     * the same name has fields that may take their default.
     */
    public Cells(SchemaType writer, SchemaFacts facts, SchemaType reader, SchemaFacts readerFacts) {
        this.facts = facts;
        Map<String, SchemaType.Struct> others = new HashMap<>();
        Cells cellsOfReader = null;
        if (reader != null && reader != writer) {
            cellsOfReader = new Cells(reader, readerFacts);
            for (SchemaType type : rowsOf(reader)) {
                if (type instanceof SchemaType.Struct struct) {
                    others.put(struct.name, struct);
                }
            }
        }
        for (SchemaType type : rowsOf(writer)) {
            weigh(type, others, cellsOfReader);
        }
    }

    /** Returns every struct and tuple of a schema once. Iterates, because a chain of types can exceed the stack. */
    private static Collection<SchemaType> rowsOf(SchemaType root) {
        List<SchemaType> found = new ArrayList<>();
        Set<SchemaType> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<SchemaType> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            SchemaType type = open.pop();
            if (seen.add(type)) {
                if (isRow(type)) {
                    found.add(type);
                }
                type.parts().forEach(open::push);
            }
        }
        return found;
    }

    private static boolean isRow(SchemaType type) {
        return type instanceof SchemaType.Struct || type instanceof SchemaType.TupleOf;
    }

    /** Whether a struct or tuple lies within the row around it, so that it is charged with that row. */
    public boolean isInline(SchemaType type) {
        return type instanceof SchemaType.TupleOf || type instanceof SchemaType.Struct struct
            && !facts.recursive(struct);
    }

    /** Computes the row weight of a type after those of the types that lie inline in it. */
    private void weigh(SchemaType type, Map<String, SchemaType.Struct> others, Cells cellsOfReader) {
        Deque<SchemaType> open = new ArrayDeque<>(List.of(type));
        while (!open.isEmpty()) {
            SchemaType top = open.peek();
            int before = open.size();
            if (!rows.containsKey(top)) {
                for (SchemaType part : top.parts()) {
                    if (isInline(part) && !rows.containsKey(part)) {
                        open.push(part);
                    }
                }
            }
            if (open.size() == before) {
                open.pop();
                rows.computeIfAbsent(top, row -> capped(sum(row) + extra(row, others, cellsOfReader)));
            }
        }
    }

    private long sum(SchemaType row) {
        long sum = CONTAINER;
        for (SchemaType part : row.parts()) {
            sum += slot(part);
        }
        return sum;
    }

    /** The weight of the fields of the reader's struct of the same name that may take their default. */
    private static long extra(SchemaType row, Map<String, SchemaType.Struct> others, Cells cellsOfReader) {
        long sum = 0;
        SchemaType.Struct other = row instanceof SchemaType.Struct struct ? others.get(struct.name) : null;
        if (other != null) {
            for (SchemaType.Field field : other.fields) {
                SchemaType.Field written = ((SchemaType.Struct) row).field(field.name());
                boolean mayDefault = written == null
                    || field.defaulted() && written.type() instanceof SchemaType.Option;
                sum += mayDefault ? cellsOfReader.slot(field.type()) : 0;
            }
        }
        return sum;
    }

    /** What a union's fallback takes besides the row of the writer's member: 16 characters of a name fit in one. */
    public static int standIn(SchemaType.Struct fallback, String member) {
        return CONTAINER + fallback.fields.size() * (2 + (member.length() + 15) / 16);
    }

    /** Returns a sum of weights as a weight, at most 2^31 − 1. */
    public static int capped(long sum) {
        return (int) Math.min(sum, Integer.MAX_VALUE);
    }

    /** Returns what a value of the type takes where it stands, in cells. */
    public int slot(SchemaType type) {
        if (type instanceof SchemaType.Option option) {
            return isRow(option.item) ? 1 : slot(option.item);
        } else if (type instanceof SchemaType.Scalar scalar) {
            return scalar(scalar.kind);
        }
        return isInline(type) ? rows.get(type) : 1;
    }

    private static int scalar(Kind kind) {
        return switch (kind) {
            case STRING, BIGINT, UUID, DURATION -> 2;
            case DECIMAL -> DECIMAL;
            case TIMESTAMP -> 3;
            case BYTES -> BYTES;
            case ANY -> ANY;
            default -> 1;
        };
    }

    /** Returns what a struct or tuple takes, in cells: 3, and the slots of its fields or elements. */
    public int row(SchemaType type) {
        return rows.get(type);
    }

    /** Returns what each element of a list, key of a set, or entry of a map takes, in cells. */
    public int element(SchemaType container) {
        if (container instanceof SchemaType.MapOf map) {
            return capped(ENTRY + (long) slot(map.key) + slot(map.value));
        } else if (container instanceof SchemaType.SetOf set) {
            return capped(ENTRY + (long) slot(set.item));
        }
        return slot(((SchemaType.ListOf) container).item);
    }
}
