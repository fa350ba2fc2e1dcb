package io.samewire.pack.schema;

import io.samewire.pack.Code;
import io.samewire.pack.PackException;
import java.util.HashSet;
import java.util.Set;

/** Whether a reader's schema can read what a writer's schema describes (section 13), and the first place where it cannot. */
public final class Resolution {
    /** Tells which fields the reader can do without. */
    @FunctionalInterface
    public interface Defaults {
        /** Whether the native type declares a default for this field of this struct. */
        boolean has(SchemaType.Struct struct, SchemaType.Field field);
    }

    private record Pair(SchemaType.Struct writer, SchemaType.Struct reader) {}

    private final Defaults defaults;
    private final Set<Pair> assumed = new HashSet<>();
    private final boolean strict;

    private Resolution(Defaults defaults, boolean strict) {
        this.defaults = defaults;
        this.strict = strict;
    }

    /**
     * Checks that a pair resolves.
     *
     * @throws PackException {@code schema_mismatch} with the path of the first difference
     */
    public static void check(SchemaType writer, SchemaType reader, Defaults defaults) {
        String path = new Resolution(defaults, false).difference(writer, reader, "$");
        if (path != null) {
            throw new PackException(Code.SCHEMA_MISMATCH, -1, path,
                "the writer's schema cannot be read as the reader's: change one of them, or give the field a default");
        }
    }

    /**
     * The path of the first place where two schemas are not the same, walking the second left to right; null if they are
     * equal.
     */
    public static String firstDifference(SchemaType writer, SchemaType reader) {
        return new Resolution((struct, field) -> false, true).difference(writer, reader, "$");
    }

    /** Whether every value of the scalar {@code from} is read as {@code to}. */
    public static boolean widens(Kind from, Kind to) {
        if (from == to) {
            return true;
        }
        if (!from.isInteger()) {
            return from == Kind.F32 && to == Kind.F64;
        }
        if (to == Kind.BIGINT) {
            return true;
        }
        if (!to.isInteger()) {
            return false;
        }
        return from.isSigned() == to.isSigned() ? to.bits() > from.bits() : to.isSigned() && to.bits() > from.bits();
    }

    private String difference(SchemaType writer, SchemaType reader, String path) {
        if (reader instanceof SchemaType.Option r) {
            if (!(writer instanceof SchemaType.Option) && strict) {
                return path;
            }
            return difference(writer instanceof SchemaType.Option w ? w.item : writer, r.item, path);
        }
        if (writer instanceof SchemaType.Scalar w && reader instanceof SchemaType.Scalar r) {
            return w.kind == r.kind || !strict && widens(w.kind, r.kind) ? null : path;
        }
        if (writer.getClass() != reader.getClass()) {
            return path;
        }
        if (reader instanceof SchemaType.Struct r) {
            return structs((SchemaType.Struct) writer, r, path);
        } else if (reader instanceof SchemaType.EnumOf r) {
            SchemaType.EnumOf w = (SchemaType.EnumOf) writer;
            return w.name.equals(r.name) && (!strict || w.symbols.equals(r.symbols)) ? null : path;
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
                return path;
            }
            for (int i = 0; i < r.items.size(); i++) {
                String found = difference(w.items.get(i), r.items.get(i), path + "[" + i + "]");
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
            return path;
        }
        if (!assumed.add(new Pair(writer, reader))) {
            return null;
        }
        for (int i = 0; i < reader.fields.size(); i++) {
            SchemaType.Field field = reader.fields.get(i);
            String at = path + SchemaPrinter.step(field.name());
            SchemaType.Field written = writer.field(field.name());
            if (strict && (i >= writer.fields.size() || writer.fields.get(i) != written)) {
                return at;
            }
            if (written != null) {
                String found = difference(written.type(), field.type(), at);
                if (found != null) {
                    return found;
                }
            } else if (!(field.type() instanceof SchemaType.Option) && !defaults.has(reader, field)) {
                return at;
            }
        }
        return strict && writer.fields.size() != reader.fields.size() ? path : null;
    }

    private String unions(SchemaType.Union writer, SchemaType.Union reader, String path) {
        if (strict && writer.members.size() != reader.members.size()) {
            return path;
        }
        for (SchemaType.Struct member : reader.members) {
            int index = writer.index(member.name);
            if (index < 0 && strict) {
                return path;
            }
            String found = index < 0 ? null : structs(writer.members.get(index), member, path);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
