package io.samewire.pack.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Which structs contain themselves, beside a search from each of them. */
class SchemaFactsTest {
    @Test
    void recursiveStructs() {
        SplittableRandom random = new SplittableRandom(1);
        int recursive = 0;
        for (int round = 0; round < 2000; round++) {
            List<SchemaType.Struct> structs = new ArrayList<>();
            for (int i = 1 + random.nextInt(8); i > 0; i--) {
                structs.add(new SchemaType.Struct("S" + i, new ArrayList<>()));
            }
            for (SchemaType.Struct struct : structs) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    struct.fields.add(new SchemaType.Field("f" + i, type(random, structs), false, List.of()));
                }
            }
            SchemaFacts facts = new SchemaFacts(new SchemaType.Union(structs));
            for (SchemaType.Struct struct : structs) {
                boolean wanted = reaches(struct, struct, Collections.newSetFromMap(new IdentityHashMap<>()));
                assertEquals(wanted, facts.recursive(struct));
                recursive += wanted ? 1 : 0;
            }
        }
        assertTrue(recursive > 1000);
    }

    private static SchemaType type(SplittableRandom random, List<SchemaType.Struct> structs) {
        SchemaType.Struct struct = structs.get(random.nextInt(structs.size()));
        return switch (random.nextInt(5)) {
            case 0 -> struct;
            case 1 -> new SchemaType.ListOf(new SchemaType.Option(struct));
            case 2 -> new SchemaType.MapOf(new SchemaType.Scalar(Kind.STRING), struct);
            case 3 -> new SchemaType.TupleOf(List.of(new SchemaType.Scalar(Kind.I8), new SchemaType.Ref(struct)));
            default -> new SchemaType.Scalar(Kind.ANY);
        };
    }

    private static boolean reaches(SchemaType from, SchemaType wanted, Set<SchemaType> seen) {
        for (SchemaType part : from.parts()) {
            if (part == wanted || seen.add(part) && reaches(part, wanted, seen)) {
                return true;
            }
        }
        return false;
    }
}
