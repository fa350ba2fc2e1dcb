package io.samewire.pack.schema;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** How many columns the types of a schema need ({@code spec/columns.md} section 1). */
public final class ColumnWidths {
    /** Structs that name one another can double the width many times. */
    private static final int MOST = 1 << 29;

    private final SchemaFacts facts;
    /** The widths of structs and tuples that stand in columns, by identity. */
    private final Map<SchemaType, Integer> rows = new IdentityHashMap<>();

    /** The widths of the types of a schema with these facts. */
    public ColumnWidths(SchemaFacts facts) {
        this.facts = facts;
    }

    /** Returns the width of a type, at most 2^29. Iterates, because a chain of types can exceed the stack. */
    public int of(SchemaType type) {
        Deque<SchemaType> open = new ArrayDeque<>(rowsWithin(type));
        while (!open.isEmpty()) {
            SchemaType row = open.peek();
            int before = open.size();
            for (SchemaType part : row.parts()) {
                for (SchemaType inner : rowsWithin(part)) {
                    if (!rows.containsKey(inner)) {
                        open.push(inner);
                    }
                }
            }
            if (open.size() == before) {
                open.pop();
                rows.computeIfAbsent(row, this::sum);
            }
        }
        return width(type);
    }

    private int sum(SchemaType row) {
        long sum = 0;
        for (SchemaType part : row.parts()) {
            sum += width(part);
        }
        return (int) Math.min(sum, MOST);
    }

    /** The width of a type of which all structs and tuples are known. */
    private int width(SchemaType type) {
        if (facts.isFlat(type)) {
            return rows.get(type);
        } else if (!isContainer(type)) {
            return 1;
        }
        long sum = 1;
        for (SchemaType part : type.parts()) {
            sum += width(part);
        }
        return (int) Math.min(sum, MOST);
    }

    /** The structs and tuples that stand in columns in a type, outermost ones only. */
    private List<SchemaType> rowsWithin(SchemaType type) {
        List<SchemaType> found = new ArrayList<>();
        if (facts.isFlat(type)) {
            found.add(type);
        } else if (isContainer(type)) {
            for (SchemaType part : type.parts()) {
                found.addAll(rowsWithin(part));
            }
        }
        return found;
    }

    private static boolean isContainer(SchemaType type) {
        return type instanceof SchemaType.Option || type instanceof SchemaType.ListOf
            || type instanceof SchemaType.SetOf || type instanceof SchemaType.MapOf;
    }
}
