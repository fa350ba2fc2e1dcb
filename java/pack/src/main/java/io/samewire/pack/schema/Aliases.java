package io.samewire.pack.schema;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Names that a reader knows its types and fields by (section 13). */
public final class Aliases {
    private Aliases() {}

    /** Gives a writer's types and fields the reader's names where they have an alias of them. */
    public static void adopt(SchemaType writer, SchemaType reader) {
        Map<String, SchemaType> theirs = named(writer);
        for (SchemaType ours : named(reader).values()) {
            String name = ours instanceof SchemaType.Struct t ? t.name : ((SchemaType.EnumOf) ours).name;
            List<String> aliases = ours instanceof SchemaType.Struct t ? t.aliases : ((SchemaType.EnumOf) ours).aliases;
            SchemaType found = theirs.get(known(name, aliases, theirs.keySet()));
            if (found instanceof SchemaType.Struct struct) {
                struct.name = name;
                if (ours instanceof SchemaType.Struct reading) {
                    adoptFields(struct, reading);
                }
            } else if (found instanceof SchemaType.EnumOf symbols) {
                symbols.name = name;
            }
        }
    }

    private static void adoptFields(SchemaType.Struct writer, SchemaType.Struct reader) {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < writer.fields.size(); i++) {
            places.put(writer.fields.get(i).name(), i);
        }
        for (SchemaType.Field ours : reader.fields) {
            Integer place = places.get(known(ours.name(), ours.aliases(), places.keySet()));
            if (place != null) {
                SchemaType.Field theirs = writer.fields.get(place);
                writer.fields.set(place,
                    new SchemaType.Field(ours.name(), theirs.type(), theirs.defaulted(), theirs.aliases()));
            }
        }
    }

    /** What the writer calls this: the name itself, or else the first alias that it has. */
    private static String known(String name, List<String> aliases, Set<String> writers) {
        if (!writers.contains(name)) {
            for (String alias : aliases) {
                if (writers.contains(alias)) {
                    return alias;
                }
            }
        }
        return name;
    }

    /** The structs and enums of a type by their names. */
    private static Map<String, SchemaType> named(SchemaType root) {
        Map<String, SchemaType> found = new HashMap<>();
        // Without recursion: a schema may chain thousands of structs.
        Deque<SchemaType> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            SchemaType type = open.pop();
            String name = type instanceof SchemaType.Struct t ? t.name
                : type instanceof SchemaType.EnumOf t ? t.name : null;
            if (name == null || found.put(name, type) == null) {
                open.addAll(type.parts());
            }
        }
        return found;
    }
}
