package io.samewire.pack.schema;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether a reader's schema can read what a writer's schema describes (section 13), and the first place where it
 * cannot.
 */
public final class Resolution {
    private record Pair(SchemaType.Struct writer, SchemaType.Struct reader) {}

    private final Set<Pair> assumed = new HashSet<>();
    /** What is at the place where the schemas differ, and what to do. */
    private String reason;

    private Resolution() {}

    /**
     * Checks that a pair resolves.
     *
     * @throws SamewireException {@code schema_mismatch} with the path of the first difference
     */
    public static void check(SchemaType writer, SchemaType reader) {
        Resolution resolution = new Resolution();
        String path = resolution.difference(writer, reader, Path.ROOT);
        if (path != null) {
            throw new SamewireException(Code.SCHEMA_MISMATCH, -1, path, resolution.reason);
        }
    }

    /** Whether values of the scalar {@code from} are read as {@code to}; as a float, if it has them exactly. */
    public static boolean widens(Kind from, Kind to) {
        if (from == to) {
            return true;
        }
        if (!from.isInteger()) {
            return from == Kind.F32 && to == Kind.F64;
        }
        if (to == Kind.BIGINT || to == Kind.F32 || to == Kind.F64) {
            return true;
        }
        if (!to.isInteger()) {
            return false;
        }
        return from.isSigned() == to.isSigned() ? to.bits() > from.bits() : to.isSigned() && to.bits() > from.bits();
    }

    private String differ(SchemaType writer, SchemaType reader, String path) {
        reason = "the writer has " + DifferenceFinder.label(writer) + ", the reader " + DifferenceFinder.label(reader)
            + remedy(writer, reader);
        return path;
    }

    private static String remedy(SchemaType writer, SchemaType reader) {
        String name = writer instanceof SchemaType.Struct w && reader instanceof SchemaType.Struct ? w.name
            : writer instanceof SchemaType.EnumOf e && reader instanceof SchemaType.EnumOf ? e.name : null;
        if (name != null) {
            return ": if it is the same, @Alias(\"" + name + "\") on the reader's says so";
        } else if (writer instanceof SchemaType.Scalar w && reader instanceof SchemaType.Scalar r
            && widens(r.kind, w.kind)) {
            return ", which is narrower: declare the writer's type, or a wider one";
        }
        return ": no rule leads from one to the other: declare the writer's type, "
            + "or give a field of another type another name";
    }

    private String difference(SchemaType writer, SchemaType reader, String path) {
        if (reader instanceof SchemaType.Option r) {
            return difference(writer instanceof SchemaType.Option w ? w.item : writer, r.item, path);
        }
        if (writer instanceof SchemaType.Scalar w && reader instanceof SchemaType.Scalar r) {
            return widens(w.kind, r.kind) ? null : differ(writer, reader, path);
        }
        if (writer.getClass() != reader.getClass()) {
            return differ(writer, reader, path);
        }
        if (reader instanceof SchemaType.Struct r) {
            return structs((SchemaType.Struct) writer, r, path);
        } else if (reader instanceof SchemaType.EnumOf r) {
            return ((SchemaType.EnumOf) writer).name.equals(r.name) ? null : differ(writer, reader, path);
        } else if (reader instanceof SchemaType.Union r) {
            return unions((SchemaType.Union) writer, r, path);
        } else if (reader instanceof SchemaType.Ref r) {
            return difference(((SchemaType.Ref) writer).item, r.item, path);
        } else if (reader instanceof SchemaType.MapOf r) {
            String keys = difference(((SchemaType.MapOf) writer).key, r.key, path + "[].key");
            return keys != null ? keys : difference(((SchemaType.MapOf) writer).value, r.value, path + "[].value");
        } else if (reader instanceof SchemaType.TupleOf r) {
            SchemaType.TupleOf w = (SchemaType.TupleOf) writer;
            if (w.items.size() != r.items.size()) {
                return differ(writer, reader, path);
            }
            for (int i = 0; i < r.items.size(); i++) {
                String found = difference(w.items.get(i), r.items.get(i), path + Path.element(i));
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
        return difference(writer.parts().get(0), reader.parts().get(0), path + "[]");
    }

    private String structs(SchemaType.Struct writer, SchemaType.Struct reader, String path) {
        if (!writer.name.equals(reader.name)) {
            return differ(writer, reader, path);
        }
        if (!assumed.add(new Pair(writer, reader))) {
            return null;
        }
        for (SchemaType.Field field : reader.fields) {
            String at = path + Path.field(field.name());
            SchemaType.Field written = writer.field(field.name());
            if (written != null) {
                // Null takes the default.
                boolean orDefault = field.defaulted() && written.type() instanceof SchemaType.Option;
                SchemaType given = orDefault ? ((SchemaType.Option) written.type()).item : written.type();
                String found = difference(given, field.type(), at);
                if (found != null) {
                    return found;
                }
            } else if (!(field.type() instanceof SchemaType.Option) && !field.defaulted()) {
                reason = "the writer has no such field, the reader " + DifferenceFinder.label(field.type())
                    + ": give it a @Default, make it @Nullable or, if it was renamed, name the writer's by @Alias";
                return at;
            }
        }
        return null;
    }

    private String unions(SchemaType.Union writer, SchemaType.Union reader, String path) {
        for (SchemaType.Struct member : reader.members) {
            int index = writer.index(member.name);
            String found = index < 0 ? null : structs(writer.members.get(index), member, path);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
