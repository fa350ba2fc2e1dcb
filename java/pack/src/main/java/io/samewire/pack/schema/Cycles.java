package io.samewire.pack.schema;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * Which structs can contain themselves, in time linear in the schema: Tarjan's strongly connected components. A search
 * from each struct alone would take a schema text of 500 KB half a minute, and one by recursion would run out of stack
 * in a chain of names.
 */
final class Cycles {
    /** A type on its way; {@code low} is the earliest type, still open, that it is known to reach. */
    private static final class Visit {
        final SchemaType type;
        final Iterator<SchemaType> parts;
        final int order;
        int low;
        boolean open = true;
        boolean holdsItself;

        Visit(SchemaType type, int order) {
            this.type = type;
            this.parts = type.parts().iterator();
            this.order = order;
            this.low = order;
        }
    }

    private final Map<SchemaType, Visit> visits = new IdentityHashMap<>();
    /** From the root to the type that is looked at. */
    private final Deque<Visit> path = new ArrayDeque<>();
    /** Those that may yet turn out to belong to one component. */
    private final Deque<Visit> open = new ArrayDeque<>();
    private final Set<SchemaType> found = Collections.newSetFromMap(new IdentityHashMap<>());

    private Cycles() {}

    /** The recursive structs of the schema with that root, by identity. */
    static Set<SchemaType> of(SchemaType root) {
        Cycles cycles = new Cycles();
        cycles.begin(root);
        while (!cycles.path.isEmpty()) {
            cycles.step(cycles.path.peek());
        }
        return cycles.found;
    }

    private void begin(SchemaType type) {
        Visit visit = new Visit(type, visits.size());
        visits.put(type, visit);
        path.push(visit);
        open.push(visit);
    }

    private void step(Visit top) {
        if (top.parts.hasNext()) {
            SchemaType part = top.parts.next();
            Visit met = visits.get(part);
            if (met == null) {
                begin(part);
            } else if (met.open) {
                top.low = Math.min(top.low, met.order);
                top.holdsItself |= met == top;
            }
            return;
        }
        path.pop();
        if (!path.isEmpty()) {
            Visit outer = path.peek();
            outer.low = Math.min(outer.low, top.low);
        }
        if (top.low == top.order) {
            close(top);
        }
    }

    /** A component is complete: {@code first} and all that lie above it. */
    private void close(Visit first) {
        boolean alone = open.peek() == first;
        Visit member;
        do {
            member = open.pop();
            member.open = false;
            if ((!alone || member.holdsItself) && member.type instanceof SchemaType.Struct) {
                found.add(member.type);
            }
        } while (member != first);
    }
}
