package io.samewire.pack.bind;

import io.samewire.core.Path;
import io.samewire.pack.Converter;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.List;

/** A type of the schema together with the Java type that holds its values. */
abstract sealed class CompiledType {
    /** The class of a value in its slot; primitive where Java has it so. */
    final Class<?> raw;

    private CompiledType(Class<?> raw) {
        this.raw = raw;
    }

    /** The type in the schema; the same object each time. */
    abstract SchemaType type();

    /** What is written: this type, unless a converter makes another of it. */
    final CompiledType wire() {
        return this instanceof CompiledConverted converted ? converted.wire : this;
    }

    /** The type as that of keys, which do not fall back: two of them could become one. */
    CompiledType asKey() {
        return this;
    }

    /** A scalar: boolean, a number, text, a date, {@link Object} for {@code any}. */
    static final class CompiledScalar extends CompiledType {
        final SchemaType.Scalar type;

        CompiledScalar(Kind kind, Class<?> raw) {
            super(raw);
            this.type = new SchemaType.Scalar(kind);
        }

        Kind kind() {
            return type.kind;
        }

        @Override
        SchemaType type() {
            return type;
        }
    }

    /** A value that a converter writes as another: one without a flag, and not converted itself. */
    static final class CompiledConverted extends CompiledType {
        final CompiledType wire;
        final Converter<?, ?> converter;

        CompiledConverted(Class<?> raw, CompiledType wire, Converter<?, ?> converter) {
            super(raw);
            this.wire = wire;
            this.converter = converter;
        }

        @Override
        SchemaType type() {
            return wire.type();
        }

        @Override
        CompiledType asKey() {
            CompiledType key = wire.asKey();
            return key == wire ? this : new CompiledConverted(raw, key, converter);
        }
    }

    /** A value that may be null, an {@link java.util.Optional} or one of its primitive kinds, or Scala's option. */
    static final class CompiledOption extends CompiledType {
        final CompiledType item;
        private final SchemaType.Option type;

        CompiledOption(Class<?> raw, CompiledType item) {
            super(raw);
            this.item = item;
            this.type = new SchemaType.Option(item.type());
        }

        /** Whether null stands for nothing; otherwise the class of the {@code Optional} is {@link #raw}. */
        boolean isNullable() {
            return !raw.getName().startsWith("java.util.Optional") && !isScala();
        }

        /** Whether it is Scala's {@code Option}. */
        boolean isScala() {
            return raw.getName().equals(ScalaTypes.OPTION);
        }

        @Override
        SchemaType type() {
            return type;
        }
    }

    /** A collection or array. */
    static final class CompiledList extends CompiledType {
        final CompiledType item;
        private final SchemaType.ListOf type;

        CompiledList(Class<?> raw, CompiledType item) {
            super(raw);
            this.item = item;
            this.type = new SchemaType.ListOf(item.type());
        }

        @Override
        SchemaType type() {
            return type;
        }
    }

    /** A set. */
    static final class CompiledSet extends CompiledType {
        final CompiledType item;
        private final SchemaType.SetOf type;

        CompiledSet(Class<?> raw, CompiledType item) {
            super(raw);
            this.item = item.asKey();
            this.type = new SchemaType.SetOf(item.type());
        }

        @Override
        SchemaType type() {
            return type;
        }
    }

    /** A map. */
    static final class CompiledMap extends CompiledType {
        final CompiledType key;
        final CompiledType value;
        private final SchemaType.MapOf type;

        CompiledMap(Class<?> raw, CompiledType key, CompiledType value) {
            super(raw);
            this.key = key.asKey();
            this.value = value;
            this.type = new SchemaType.MapOf(key.type(), value.type());
        }

        @Override
        SchemaType type() {
            return type;
        }
    }

    /** A field of a struct or a component of a tuple. */
    static final class Slot {
        final String name;
        final CompiledType compiled;
        /** How it is read: an accessor without parameters, or a field. */
        final Member getter;
        /** How it is set where the class is made without arguments; null elsewhere. */
        final Field setter;
        /** The text of its {@code @Default}; null if it has none. */
        final String defaultText;
        /** The names of its {@code @Alias}. */
        final List<String> aliases;
        /** Whether a constructor of its class makes the default: {@link CompiledStruct#defaulting}. */
        final boolean omittable;
        /** Makes the default, as an object, where a method of Scala's does; null elsewhere. */
        final MethodHandle maker;

        Slot(String name, CompiledType compiled, Member getter, String defaultText, List<String> aliases,
            boolean omittable, MethodHandle maker) {
            this.name = name;
            this.compiled = compiled;
            this.getter = getter;
            this.setter = null;
            this.defaultText = defaultText;
            this.aliases = aliases;
            this.omittable = omittable;
            this.maker = maker;
        }

        Slot(String name, CompiledType compiled, Member getter, Field setter, String defaultText,
            List<String> aliases) {
            this.name = name;
            this.compiled = compiled;
            this.getter = getter;
            this.setter = setter;
            this.defaultText = defaultText;
            this.aliases = aliases;
            this.omittable = false;
            this.maker = null;
        }

        boolean hasDefault() {
            return defaultText != null || omittable || maker != null;
        }
    }

    /** A record or class as a struct, or a record as a tuple. */
    static final class CompiledStruct extends CompiledType {
        /** In the order of the schema, which is that of the constructor's parameters if it has any. */
        final List<Slot> slots = new ArrayList<>();
        Constructor<?> constructor;
        /**
         * Kotlin's second constructor: behind the parameters it takes masks with a bit for each that has its default,
         * and null. Null if there is none.
         */
        Constructor<?> defaulting;
        /** The only value, of an object of Kotlin or Scala; null elsewhere. */
        Object singleton;
        /** Where it is read for a member that the reader's union lacks: the cells that it takes; else 0. */
        final int standInCells;
        private final SchemaType type;

        /** A struct of that name, or a tuple if it is null; the slots come later. */
        CompiledStruct(Class<?> raw, String name) {
            super(raw);
            this.type = name == null ? new SchemaType.TupleOf(new ArrayList<>())
                : new SchemaType.Struct(name, new ArrayList<>());
            this.standInCells = 0;
        }

        private CompiledStruct(CompiledStruct fallback, String member) {
            super(fallback.raw);
            this.type = fallback.type;
            this.constructor = fallback.constructor;
            this.singleton = fallback.singleton;
            this.standInCells = Cells.standIn((SchemaType.Struct) type, member);
            for (Slot slot : fallback.slots) {
                String text = Path.quoted(member);
                slots.add(new Slot(slot.name, slot.compiled, slot.getter, slot.setter, text, slot.aliases));
            }
        }

        /** This, a union's fallback, as what is made of a member that the union lacks: nothing of it is read. */
        CompiledStruct standIn(String member) {
            return new CompiledStruct(this, member);
        }

        void add(Slot slot) {
            slots.add(slot);
            if (type instanceof SchemaType.Struct struct) {
                struct.fields.add(new SchemaType.Field(slot.name, slot.compiled.type(),
                    slot.hasDefault() && !(slot.compiled instanceof CompiledOption), slot.aliases));
            } else {
                ((SchemaType.TupleOf) type).items.add(slot.compiled.type());
            }
        }

        @Override
        SchemaType type() {
            return type;
        }
    }

    /** An enum. */
    static final class CompiledEnum extends CompiledType {
        /** Its constants in the order of the schema's symbols. */
        final List<Enum<?>> constants;
        private final SchemaType.EnumOf type;

        CompiledEnum(Class<?> raw, String name, List<String> symbols, List<Enum<?>> constants) {
            this(raw, constants, new SchemaType.EnumOf(name, symbols));
        }

        private CompiledEnum(Class<?> raw, List<Enum<?>> constants, SchemaType.EnumOf type) {
            super(raw);
            this.constants = constants;
            this.type = type;
        }

        @Override
        CompiledType asKey() {
            SchemaType.EnumOf key = type.asKey();
            return key == type ? this : new CompiledEnum(raw, constants, key);
        }

        @Override
        SchemaType.EnumOf type() {
            return type;
        }
    }

    /** A sealed interface or abstract class. */
    static final class CompiledUnion extends CompiledType {
        /** Ascending by name, as in the schema. */
        final List<CompiledStruct> members;
        /** A class before those that it extends: the first one that a value is an instance of is its own. */
        final List<CompiledStruct> nearestFirst;
        private final SchemaType.Union type;

        CompiledUnion(Class<?> raw, List<CompiledStruct> members) {
            super(raw);
            this.members = members;
            this.nearestFirst = nearestFirst(members);
            List<SchemaType.Struct> structs = new ArrayList<>();
            for (CompiledStruct member : members) {
                structs.add((SchemaType.Struct) member.type());
            }
            this.type = new SchemaType.Union(structs);
        }

        /** What is read for one of a writer's members; null if the union lacks it and has no fallback. */
        CompiledStruct known(String member) {
            int index = type.index(member);
            if (index >= 0) {
                return members.get(index);
            }
            return type.fallback == null ? null : members.get(type.index(type.fallback)).standIn(member);
        }

        private static List<CompiledStruct> nearestFirst(List<CompiledStruct> members) {
            List<CompiledStruct> ordered = new ArrayList<>();
            for (CompiledStruct member : members) {
                int at = 0;
                while (at < ordered.size() && !ordered.get(at).raw.isAssignableFrom(member.raw)) {
                    at++;
                }
                ordered.add(at, member);
            }
            return ordered;
        }

        @Override
        SchemaType.Union type() {
            return type;
        }
    }

    /** A struct shared by identity. */
    static final class CompiledRef extends CompiledType {
        final CompiledStruct struct;
        private final SchemaType.Ref type;

        CompiledRef(CompiledStruct struct) {
            super(struct.raw);
            this.struct = struct;
            this.type = new SchemaType.Ref(struct.type());
        }

        @Override
        SchemaType.Ref type() {
            return type;
        }
    }
}
