package io.samewire.pack.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The types of the data model as a graph. Every occurrence of a type in the canonical text is an object of its own,
 * because each {@code string} and {@code any} is a <em>dedup slot</em>; a struct or enum is one object
 * however often it is named.
 */
public sealed interface SchemaType {
    /** A scalar where it occurs. */
    final class Scalar implements SchemaType {
        /** Which scalar. */
        public final Kind kind;

        /** An occurrence of a scalar. */
        public Scalar(Kind kind) {
            this.kind = kind;
        }
    }

    /** {@code option<T>}. */
    final class Option implements SchemaType {
        /** T. */
        public SchemaType item;

        /** An option of {@code item}. */
        public Option(SchemaType item) {
            this.item = item;
        }
    }

    /** {@code list<T>}. */
    final class ListOf implements SchemaType {
        /** T. */
        public SchemaType item;

        /** A list of {@code item}. */
        public ListOf(SchemaType item) {
            this.item = item;
        }
    }

    /** {@code set<K>}. */
    final class SetOf implements SchemaType {
        /** K. */
        public SchemaType item;

        /** A set of {@code item}. */
        public SetOf(SchemaType item) {
            this.item = item;
        }
    }

    /** {@code map<K, V>}. */
    final class MapOf implements SchemaType {
        /** K. */
        public SchemaType key;
        /** V. */
        public SchemaType value;

        /** A map from {@code key} to {@code value}. */
        public MapOf(SchemaType key, SchemaType value) {
            this.key = key;
            this.value = value;
        }
    }

    /** {@code tuple<T, …>}. */
    final class TupleOf implements SchemaType {
        /** One to 255 types. */
        public final List<SchemaType> items;

        /** A tuple of {@code items}; the list may be filled afterwards. */
        public TupleOf(List<SchemaType> items) {
            this.items = items;
        }
    }

    /** {@code ref<S>}. */
    final class Ref implements SchemaType {
        /** S, a struct in every checked schema. */
        public SchemaType item;

        /** A ref to {@code item}. */
        public Ref(SchemaType item) {
            this.item = item;
        }
    }

    /** {@code enum E { … }}. */
    final class EnumOf implements SchemaType {
        /** Its name; a writer's enum takes the reader's name where that has an alias of it. */
        public String name;
        /** What else a reader knows it by ({@code @alias}); filled after it was made. */
        public final List<String> aliases = new ArrayList<>();
        /** Its symbols, ascending by UTF-16 code units. */
        public final List<String> symbols;
        /** What a reader puts for symbols that it lacks ({@code @fallback}), or null; set after it was made. */
        public String fallback;

        /** An enum; {@code symbols} must be sorted. */
        public EnumOf(String name, List<String> symbols) {
            this.name = name;
            this.symbols = symbols;
        }

        /** What a reader puts for one of a writer's symbols: itself, else the fallback; null if there is neither. */
        public String known(String symbol) {
            return Collections.binarySearch(symbols, symbol) >= 0 ? symbol : fallback;
        }

        @Override
        public EnumOf asKey() {
            return fallback == null ? this : new EnumOf(name, symbols);
        }
    }

    /** {@code struct S { … }}. */
    final class Struct implements SchemaType {
        /** Its name; a writer's struct takes the reader's name where that has an alias of it. */
        public String name;
        /** What else a reader knows it by ({@code @alias}); filled after it was made. */
        public final List<String> aliases = new ArrayList<>();
        /** Its fields in declared order; filled after it was made where structs are recursive. */
        public final List<Field> fields;

        /** A struct; the list may be filled afterwards. */
        public Struct(String name, List<Field> fields) {
            this.name = name;
            this.fields = fields;
        }

        /** Whether it may be the fallback of a union: it has no fields, or the name of the member. */
        public boolean canStandIn() {
            return fields.isEmpty() || fields.size() == 1 && fields.get(0).name.equals("name")
                && fields.get(0).type.is(Kind.STRING);
        }

        /** The field of that name; null if there is none. */
        public Field field(String wanted) {
            for (Field field : fields) {
                if (field.name.equals(wanted)) {
                    return field;
                }
            }
            return null;
        }
    }

    /**
     * A field of a struct; {@code defaulted} if a reader's type gives it a default ({@code @default}); {@code aliases}:
     * what else a reader knows it by ({@code @alias}).
     */
    record Field(String name, SchemaType type, boolean defaulted, List<String> aliases) {}

    /** {@code union { … }}. */
    final class Union implements SchemaType {
        /** Its structs, ascending by the UTF-16 code units of the names that they were written with. */
        public final List<Struct> members;

        /** The name of what a reader puts for members that it lacks ({@code @fallback}), or null; set later. */
        public String fallback;

        /** A union; {@code members} must be sorted. */
        public Union(List<Struct> members) {
            this.members = members;
        }

        /** What a reader puts for members that it lacks; null if there is none. */
        public Struct standIn() {
            return fallback == null ? null : members.get(index(fallback));
        }

        /** Position of the member of that name, or -1. */
        public int index(String name) {
            // One after the other: where aliases gave members other names, these are not in order.
            for (int i = 0; i < members.size(); i++) {
                if (members.get(i).name.equals(name)) {
                    return i;
                }
            }
            return -1;
        }
    }

    /** The type as that of keys, which do not fall back: two of them could become one. */
    default SchemaType asKey() {
        return this;
    }

    /** The types directly inside this one, in canonical order. */
    default List<SchemaType> parts() {
        if (this instanceof Option t) {
            return List.of(t.item);
        } else if (this instanceof ListOf t) {
            return List.of(t.item);
        } else if (this instanceof SetOf t) {
            return List.of(t.item);
        } else if (this instanceof Ref t) {
            return List.of(t.item);
        } else if (this instanceof MapOf t) {
            return List.of(t.key, t.value);
        } else if (this instanceof TupleOf t) {
            return t.items;
        } else if (this instanceof Struct t) {
            List<SchemaType> types = new ArrayList<>();
            for (Field field : t.fields) {
                types.add(field.type);
            }
            return types;
        } else if (this instanceof Union t) {
            return List.copyOf(t.members);
        }
        return List.of();
    }

    /** Whether this is the scalar {@code kind}. */
    default boolean is(Kind kind) {
        return this instanceof Scalar scalar && scalar.kind == kind;
    }

    /** The kind of a scalar whose rows are numeric (section 9); null for everything else. */
    default Kind numeric() {
        return this instanceof Scalar scalar && scalar.kind.isNumeric() ? scalar.kind : null;
    }

    /** Whether a slot of this type has a flag in its row (section 7). */
    default boolean flagged() {
        return this instanceof Option || is(Kind.BOOL);
    }
}
