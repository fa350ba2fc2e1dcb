package io.samewire.pack.schema;

import io.samewire.core.Path;
import io.samewire.pack.Difference;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the first place where two schemas differ; recursion is at most as deep as the first one's text nests.
 */
public final class DifferenceFinder {
    private static final String NOTHING = "nothing";

    /** Structs compared or being compared: a name means one on each side. */
    private final Set<String> met = new HashSet<>();

    private DifferenceFinder() {}

    /** The first place, in the order of {@code here}, where {@code there} is not the same; null if there is none. */
    public static Difference between(SchemaType here, SchemaType there) {
        return new DifferenceFinder().types(here, there, "$");
    }

    private Difference types(SchemaType here, SchemaType there, String path) {
        String label = label(here);
        if (!label.equals(label(there))) {
            return new Difference(path, label, label(there));
        }
        if (here instanceof SchemaType.Struct ours) {
            return met.add(ours.name) ? fields(ours, (SchemaType.Struct) there, path) : null;
        } else if (here instanceof SchemaType.EnumOf ours) {
            return symbols(ours.symbols, ((SchemaType.EnumOf) there).symbols, path);
        } else if (here instanceof SchemaType.Union ours) {
            return members(ours.members, ((SchemaType.Union) there).members, path);
        }
        List<SchemaType> ours = here.parts();
        List<SchemaType> theirs = there.parts();
        for (int i = 0; i < ours.size(); i++) {
            Difference found = types(ours.get(i), theirs.get(i), path + step(here, i));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** What leads from a type to one of its parts. */
    private static String step(SchemaType type, int part) {
        if (type instanceof SchemaType.TupleOf) {
            return Path.element(part);
        } else if (type instanceof SchemaType.MapOf) {
            return part == 0 ? "[].key" : "[].value";
        }
        return type instanceof SchemaType.Option || type instanceof SchemaType.Ref ? "" : "[]";
    }

    private Difference fields(SchemaType.Struct here, SchemaType.Struct there, String path) {
        for (int place = 0; place < Math.max(here.fields.size(), there.fields.size()); place++) {
            SchemaType.Field ours = place < here.fields.size() ? here.fields.get(place) : null;
            SchemaType.Field theirs = place < there.fields.size() ? there.fields.get(place) : null;
            if (ours == null || theirs == null || !ours.name().equals(theirs.name())) {
                return misplaced(here, there, place, path);
            }
            Difference found = types(ours.type(), theirs.type(), path + Path.field(ours.name()));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Fields of different names stand at this place, or one is missing: what is missing comes before what is moved. */
    private static Difference misplaced(SchemaType.Struct here, SchemaType.Struct there, int place, String path) {
        if (place < here.fields.size()) {
            SchemaType.Field ours = here.fields.get(place);
            if (there.field(ours.name()) == null) {
                return new Difference(path + Path.field(ours.name()), label(ours.type()), NOTHING);
            }
        }
        if (place < there.fields.size()) {
            SchemaType.Field theirs = there.fields.get(place);
            if (here.field(theirs.name()) == null) {
                return new Difference(path + Path.field(theirs.name()), NOTHING, label(theirs.type()));
            }
        }
        SchemaType.Field moved = here.fields.get(place);
        int elsewhere = there.fields.indexOf(there.field(moved.name()));
        return new Difference(path + Path.field(moved.name()), "place " + place, "place " + elsewhere);
    }

    private static Difference symbols(List<String> here, List<String> there, String path) {
        for (int i = 0; i < Math.max(here.size(), there.size()); i++) {
            String ours = i < here.size() ? here.get(i) : null;
            String theirs = i < there.size() ? there.get(i) : null;
            Difference found = lone("symbol ", ours, theirs, path);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private Difference members(List<SchemaType.Struct> here, List<SchemaType.Struct> there, String path) {
        for (int i = 0; i < Math.max(here.size(), there.size()); i++) {
            SchemaType.Struct ours = i < here.size() ? here.get(i) : null;
            SchemaType.Struct theirs = i < there.size() ? there.get(i) : null;
            Difference found = lone("member ", ours == null ? null : ours.name, theirs == null ? null : theirs.name,
                path);
            if (found == null) {
                found = types(ours, theirs, path);
            }
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Of two names at one place of two sorted lists, the lesser stands on its side alone; null if they are equal. */
    private static Difference lone(String what, String ours, String theirs, String path) {
        if (ours != null && ours.equals(theirs)) {
            return null;
        }
        boolean here = theirs == null || ours != null && ours.compareTo(theirs) < 0;
        String name = what + CanonicalText.name(here ? ours : theirs);
        return new Difference(path, here ? name : NOTHING, here ? NOTHING : name);
    }

    /** The word of a type, without its parts. */
    static String label(SchemaType type) {
        return type instanceof SchemaType.TupleOf tuple ? "tuple of " + tuple.items.size() : CanonicalText.word(type);
    }
}
