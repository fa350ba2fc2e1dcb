package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import io.samewire.pack.Alias;
import io.samewire.pack.Converter;
import io.samewire.pack.Fallback;
import io.samewire.pack.Name;
import io.samewire.pack.Tuple;
import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledEnum;
import io.samewire.pack.bind.CompiledType.CompiledList;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledRef;
import io.samewire.pack.bind.CompiledType.CompiledScalar;
import io.samewire.pack.bind.CompiledType.CompiledSet;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import io.samewire.pack.bind.CompiledType.CompiledUnion;
import io.samewire.pack.schema.CanonicalText;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Compiles Java types. A class becomes one struct or enum however often it occurs; everything else is a type of its
 * own each time.
 */
final class NativeTypeReader {
    private static final Map<Class<?>, Kind> SCALARS = new HashMap<>();
    /** Deeper than an array can be: what is as deep is a generic class in itself, of another type each time. */
    private static final int DEEPEST = 300;
    private static final Pattern NO_WORD = Pattern.compile("\\W+", Pattern.UNICODE_CHARACTER_CLASS);
    private static final Map<Kind, Kind> UNSIGNED = Map.of(
        Kind.I8, Kind.U8, Kind.I16, Kind.U16, Kind.I32, Kind.U32, Kind.I64, Kind.U64);
    private static final Map<Class<?>, Class<?>> OPTIONALS = Map.of(
        OptionalInt.class, int.class, OptionalLong.class, long.class, OptionalDouble.class, double.class);

    static {
        SCALARS.put(boolean.class, Kind.BOOL);
        SCALARS.put(Boolean.class, Kind.BOOL);
        SCALARS.put(byte.class, Kind.I8);
        SCALARS.put(Byte.class, Kind.I8);
        SCALARS.put(short.class, Kind.I16);
        SCALARS.put(Short.class, Kind.I16);
        SCALARS.put(int.class, Kind.I32);
        SCALARS.put(Integer.class, Kind.I32);
        SCALARS.put(long.class, Kind.I64);
        SCALARS.put(Long.class, Kind.I64);
        SCALARS.put(float.class, Kind.F32);
        SCALARS.put(Float.class, Kind.F32);
        SCALARS.put(double.class, Kind.F64);
        SCALARS.put(Double.class, Kind.F64);
        SCALARS.put(String.class, Kind.STRING);
        SCALARS.put(BigInteger.class, Kind.BIGINT);
        SCALARS.put(BigDecimal.class, Kind.DECIMAL);
        SCALARS.put(UUID.class, Kind.UUID);
        SCALARS.put(LocalDate.class, Kind.DATE);
        SCALARS.put(LocalTime.class, Kind.TIME);
        SCALARS.put(Instant.class, Kind.TIMESTAMP);
        SCALARS.put(Duration.class, Kind.DURATION);
        SCALARS.put(Object.class, Kind.ANY);
    }

    /** Structs and enums by their names, and the Java types that have taken those. */
    private final Map<String, CompiledType> named = new HashMap<>();
    private final Map<String, JavaType> owners = new HashMap<>();
    /** Further uses of a generic class under the name of its first, which is in {@code named}. */
    private final Map<JavaType, CompiledStruct> twins = new LinkedHashMap<>();
    /** Structs of generic classes, by what each class is called without type arguments. */
    private final Map<String, List<SchemaType.Struct>> instances = new HashMap<>();
    private final Converters converters;
    /** Types inside what their converter writes: there they stand for themselves. */
    private final Set<JavaType> openConverted = new HashSet<>();
    /** The types being read since the innermost struct: only a struct, which has a name, can be in itself. */
    private Set<JavaType> open = new HashSet<>();
    /** The steps to what is being read, for errors: what throws leaves them as they are. */
    private final Deque<String> steps = new ArrayDeque<>();
    /** Gets each class whose members or subclasses are looked at; null if nobody asks. */
    private final Set<Class<?>> reached;

    private NativeTypeReader(Converters converters, Set<Class<?>> reached) {
        this.converters = converters;
        this.reached = reached;
    }

    /** Compiles a Java type. What is refused has the path of the field at fault, as in {@code $.books[].price}. */
    static CompiledType compiled(JavaType type, Converters converters) {
        return compiled(type, converters, null);
    }

    /** The same; {@code reached} gets each class whose members or subclasses are looked at, unless it is null. */
    static CompiledType compiled(JavaType type, Converters converters, Set<Class<?>> reached) {
        NativeTypeReader reader = new NativeTypeReader(converters, reached);
        try {
            CompiledType compiled = reader.read(type);
            reader.settleNames();
            return compiled;
        } catch (SamewireException refused) {
            if (refused.path() != null || refused.at() >= 0) {
                throw refused;
            }
            SamewireException placed = new SamewireException(refused.code(), -1,
                Path.ROOT + String.join("", reader.steps), refused.text(), refused.getCause());
            placed.setStackTrace(refused.getStackTrace());
            throw placed;
        }
    }

    /**
     * A generic class whose uses are one struct of the schema is called by its own name. Arguments that are written as
     * one type, as {@code String} and {@code URI}, make one struct.
     */
    private void settleNames() {
        Map<JavaType, String> namesOfTwins = new LinkedHashMap<>();
        twins.forEach((type, twin) -> namesOfTwins.put(type, ((SchemaType.Struct) twin.type()).name));
        for (Map.Entry<String, List<SchemaType.Struct>> generic : instances.entrySet()) {
            List<SchemaType.Struct> uses = generic.getValue();
            if (uses.stream().map(use -> use.name).distinct().count() == 1 && !owners.containsKey(generic.getKey())) {
                uses.forEach(use -> use.name = generic.getKey());
            }
        }
        namesOfTwins.forEach((type, name) -> {
            String first = CanonicalText.annotated(named.get(name).type());
            if (!first.equals(CanonicalText.annotated(twins.get(type).type()))) {
                throw namesakes(name, owners.get(name), type);
            }
        });
    }

    /** Until {@link #leave}, what is refused is in that field. */
    void enter(String field) {
        steps.add(Path.field(field));
    }

    void leave() {
        steps.removeLast();
    }

    /** Reads a part of a container: an element, a key or a value, as the step says. */
    CompiledType part(String step, JavaType type) {
        steps.add(step);
        CompiledType part = read(type);
        steps.removeLast();
        return part;
    }

    /** Notes that the members or the subclasses of a class are looked at. */
    void reach(Class<?> type) {
        if (reached != null) {
            reached.add(type);
        }
    }

    static SamewireException misuse(String what) {
        return new SamewireException(Code.MISUSE, -1, null, what);
    }

    /** Returns the compiled type of a Java type. */
    CompiledType read(JavaType type) {
        reach(type.raw());
        if (type.nullable()) {
            CompiledType item = read(type.present());
            if (type.raw().isPrimitive()) {
                throw misuse("@Nullable " + type.raw() + ": a primitive cannot be null: declare "
                    + Body.boxOf(type.raw()).getSimpleName());
            }
            return option(type.raw(), item);
        }
        if (type.shared()) {
            CompiledType struct = read(type.unshared());
            if (!(struct instanceof CompiledStruct compiled) || !(compiled.type() instanceof SchemaType.Struct)) {
                throw misuse("@Shared stands before " + raw(type) + ", and only structs can be shared: take it away, or"
                    + " put it before a record");
            }
            return new CompiledRef(compiled);
        }
        Class<?> raw = type.raw();
        Converters.Entry entry = openConverted.contains(type.unconverted()) ? null : converters.of(type);
        if (entry != null) {
            return converted(type, entry);
        }
        if (!open.add(type)) {
            throw misuse(describe(type) + " contains itself without a struct between: let it hold a record, a data"
                + " class or a case class that has a field of it");
        } else if (open.size() > DEEPEST) {
            throw misuse(raw.getName() + " is nested more than " + DEEPEST + " deep without a struct between, as types"
                + " are that contain themselves: put a record, a data class or a case class between");
        }
        CompiledType compiled = plain(type);
        open.remove(type);
        return compiled;
    }

    /** Compiles a type that is present and has no converter. */
    private CompiledType plain(JavaType type) {
        Class<?> raw = type.raw();
        if (type.unsigned()) {
            Kind kind = SCALARS.get(raw);
            if (kind == null || UNSIGNED.get(kind) == null) {
                throw misuse("@Unsigned stands before " + raw(type) + ", and only byte, short, int and long can be"
                    + " unsigned: take it away");
            }
            return new CompiledScalar(UNSIGNED.get(kind), raw);
        }
        Kind kind = SCALARS.get(raw);
        if (kind != null) {
            return new CompiledScalar(kind, raw);
        } else if (raw == Optional.class || raw.getName().equals(ScalaTypes.OPTION)) {
            return option(raw, read(type.arguments().get(0)));
        } else if (OPTIONALS.containsKey(raw)) {
            return option(raw, read(JavaType.of(OPTIONALS.get(raw))));
        } else if (raw.isArray()) {
            return array(type);
        } else if (Map.class.isAssignableFrom(raw)) {
            JavaType map = type.as(Map.class);
            return new CompiledMap(NativeContainers.checked(raw), key("[].key", map.arguments().get(0)),
                part("[].value", map.arguments().get(1)));
        } else if (Set.class.isAssignableFrom(raw)) {
            return new CompiledSet(NativeContainers.checked(raw),
                key("[]", type.as(Collection.class).arguments().get(0)));
        } else if (Collection.class.isAssignableFrom(raw)) {
            return new CompiledList(NativeContainers.checked(raw),
                part("[]", type.as(Collection.class).arguments().get(0)));
        } else if (raw.isEnum()) {
            return enumeration(raw);
        } else if (Modifier.isAbstract(raw.getModifiers()) && !raw.getName().startsWith("java.")
            && Subclasses.of(raw) != null) {
            return union(type);
        } else if (KotlinValues.isValue(raw)) {
            return KotlinValues.compiled(raw, raw, this);
        } else if (raw.isRecord() && raw.isAnnotationPresent(Tuple.class)) {
            return tuple(type);
        }
        CompiledConverted scala = ScalaTypes.compiled(type, this);
        return scala == null ? struct(type) : scala;
    }

    @SuppressWarnings("unchecked") // Each takes what the other makes.
    private CompiledConverted converted(JavaType type, Converters.Entry entry) {
        JavaType plain = type.unconverted();
        reach(entry.converter().getClass());
        openConverted.add(plain);
        CompiledType wire = read(entry.wire());
        openConverted.remove(plain);
        checkWire(wire, describe(type));
        if (wire instanceof CompiledConverted inner) {
            return new CompiledConverted(type.raw(), inner.wire, new Converters.Chain(
                (Converter<Object, Object>) entry.converter(), (Converter<Object, Object>) inner.converter));
        }
        return new CompiledConverted(type.raw(), wire, entry.converter());
    }

    /** Refuses what a converter cannot write a type as. */
    void checkWire(CompiledType wire, String type) {
        if (wire instanceof CompiledOption || wire.type().is(Kind.BOOL) || wire.type().is(Kind.ANY)) {
            throw misuse(type + " cannot be written as " + wire.raw.getName()
                + (wire instanceof CompiledOption ? " that may be null" : "")
                + ", nor as any Boolean, Object or what may be null: write it as a String, a number or a record");
        }
    }

    private static CompiledOption option(Class<?> raw, CompiledType item) {
        if (item instanceof CompiledOption || item.type().is(Kind.ANY)) {
            throw misuse("an option of " + (item instanceof CompiledOption ? "an option" : "an Object")
                + ": null is a value of that already, so declare it alone, or put it into a record");
        }
        return new CompiledOption(raw, item);
    }

    /** The compiled type of the keys of a map or the elements of a set, as the step says. */
    CompiledType key(String step, JavaType type) {
        steps.add(step);
        CompiledType key = read(type);
        CompiledType wire = key.wire();
        if (wire instanceof CompiledEnum || wire instanceof CompiledScalar scalar && scalar.kind().isKey()) {
            steps.removeLast();
            return key;
        }
        if (key instanceof CompiledOption) {
            throw misuse("the keys of a map and the elements of a set are never null: declare " + raw(type)
                + " without null, or use a list");
        }
        throw misuse(raw(type) + " cannot be the key of a map or an element of a set, as texts, integers, booleans,"
            + " UUIDs, dates, times and enums can: use one of those, or a list of records");
    }

    private CompiledType array(JavaType type) {
        JavaType element = type.arguments().get(0);
        if (element.raw() == byte.class && !element.unsigned()) {
            return new CompiledScalar(Kind.BYTES, byte[].class);
        }
        return new CompiledList(type.raw(), part("[]", element));
    }

    private CompiledType enumeration(Class<?> raw) {
        String name = name(raw, raw.getSimpleName());
        CompiledType known = known(name, JavaType.of(raw));
        if (known != null) {
            return known;
        }
        Map<String, Enum<?>> symbols = new TreeMap<>();
        String fallback = null;
        for (Object constant : raw.getEnumConstants()) {
            Enum<?> value = (Enum<?>) constant;
            Field declared;
            try {
                declared = raw.getField(value.name());
            } catch (NoSuchFieldException impossible) {
                throw misuse(raw + " has no field " + value.name());
            }
            String symbol = name(declared, value.name());
            if (symbols.put(symbol, value) != null) {
                throw misuse(raw + " has the symbol " + symbol + " twice: give one another @Name");
            }
            if (declared.isAnnotationPresent(Fallback.class)) {
                if (fallback != null) {
                    throw misuse(raw + " has two fallbacks, " + fallback + " and " + symbol + ": keep one @Fallback");
                }
                fallback = symbol;
            }
        }
        if (symbols.isEmpty()) {
            throw misuse(raw + " has no constants: an enum of a schema has at least one");
        }
        CompiledEnum compiled = new CompiledEnum(raw, name, new ArrayList<>(symbols.keySet()),
            new ArrayList<>(symbols.values()));
        compiled.type().aliases.addAll(aliases(raw));
        compiled.type().fallback = fallback;
        named.put(name, compiled);
        return compiled;
    }

    /**
     * The struct or enum that has that name already; null if none. Two Java types of one name are refused, except uses
     * of one generic class, which {@link #settleNames} compares.
     */
    private CompiledType known(String name, JavaType type) {
        JavaType owner = owners.putIfAbsent(name, type);
        if (owner == null || owner.equals(type)) {
            return named.get(name);
        }
        if (type.arguments().isEmpty() || owner.raw() != type.raw()) {
            throw namesakes(name, owner, type);
        }
        return twins.get(type);
    }

    private static SamewireException namesakes(String name, JavaType one, JavaType other) {
        return misuse("two types are called " + name + " in the schema, " + describe(one) + " and " + describe(other)
            + ": give one of them a @Name");
    }

    private static String raw(JavaType type) {
        return type.raw().getTypeName();
    }

    private static String describe(JavaType type) {
        return type.raw().getName() + (type.arguments().isEmpty() ? ""
            : type.arguments().stream().map(NativeTypeReader::describe).toList().toString());
    }

    static String name(AnnotatedElement element, String otherwise) {
        Name name = element.getAnnotation(Name.class);
        return name == null ? otherwise : name.value();
    }

    static List<String> aliases(AnnotatedElement element) {
        Alias alias = element.getAnnotation(Alias.class);
        return alias == null ? List.of() : List.of(alias.value());
    }

    private CompiledUnion union(JavaType type) {
        Set<Class<?>> leaves = new LinkedHashSet<>();
        collect(type.raw(), leaves);
        Map<String, CompiledStruct> members = new TreeMap<>();
        String fallback = null;
        for (Class<?> leaf : leaves) {
            if (leaf.getTypeParameters().length > 0 || leaf.isEnum() || leaf.isAnnotationPresent(Tuple.class)) {
                throw misuse(leaf + " cannot be in the union " + type.raw()
                    + ": members are structs without type parameters, so "
                    + (leaf.getTypeParameters().length > 0 ? "declare a class without them for each use"
                        : "put it into a field of one"));
            }
            if (converters.of(JavaType.of(leaf)) != null) {
                throw misuse(leaf + " has a converter, and cannot be in the union " + type.raw()
                    + ": members are written as what they are");
            }
            CompiledStruct member = struct(JavaType.of(leaf));
            String name = ((SchemaType.Struct) member.type()).name;
            members.put(name, member);
            if (leaf.isAnnotationPresent(Fallback.class)) {
                if (fallback != null) {
                    throw misuse(type.raw() + " has two fallbacks, " + fallback + " and " + name
                        + ": keep one @Fallback");
                }
                fallback = name;
            }
        }
        CompiledUnion compiled = new CompiledUnion(type.raw(), new ArrayList<>(members.values()));
        compiled.type().fallback = fallback;
        return compiled;
    }

    private void collect(Class<?> type, Set<Class<?>> leaves) {
        reach(type);
        List<Class<?>> members = Subclasses.of(type);
        if (members != null) {
            for (Class<?> member : members) {
                collect(member, leaves);
            }
        }
        if (!Modifier.isAbstract(type.getModifiers())) {
            leaves.add(type);
        } else if (members == null) {
            throw misuse(type + " is neither sealed nor a class: its subtypes are unknown; name them in @Members");
        }
    }

    private CompiledStruct tuple(JavaType type) {
        CompiledStruct compiled = new CompiledStruct(type.raw(), null);
        NativeStructReader.fill(compiled, type, this);
        if (compiled.slots.isEmpty() || compiled.slots.size() > 255) {
            throw misuse(raw(type) + " has " + compiled.slots.size() + " components, and a tuple 1 to 255: take @Tuple"
                + " away");
        }
        return compiled;
    }

    private CompiledStruct struct(JavaType type) {
        Class<?> raw = type.raw();
        ScalaTypes.check(raw);
        if (raw.isInterface() || raw.isPrimitive() || KotlinValues.isLibrary(raw) || raw.isAnonymousClass()
            || raw.getName().startsWith("java.") || Modifier.isAbstract(raw.getModifiers())) {
            throw Refusals.unsupported(raw);
        }
        String simple = raw.getSimpleName();
        String plain = name(raw, simple.endsWith("$") ? simple.substring(0, simple.length() - 1) : simple);
        String name = plain + labels(type);
        CompiledType known = known(name, type);
        if (known != null) {
            return (CompiledStruct) known;
        }
        CompiledStruct compiled = new CompiledStruct(raw, name);
        ((SchemaType.Struct) compiled.type()).aliases.addAll(aliases(raw));
        if (named.putIfAbsent(name, compiled) != null) {
            twins.put(type, compiled);
        }
        if (!type.arguments().isEmpty()) {
            instances.computeIfAbsent(plain, first -> new ArrayList<>()).add((SchemaType.Struct) compiled.type());
        }
        Set<JavaType> outside = open;
        open = new HashSet<>();
        NativeStructReader.fill(compiled, type, this);
        open = outside;
        return compiled;
    }

    /** What the name of an instance of a generic class says of its type arguments: {@code _string} for each. */
    private String labels(JavaType type) {
        StringBuilder labels = new StringBuilder();
        for (JavaType argument : type.arguments()) {
            SchemaType written = read(argument).wire().type();
            String text = written instanceof SchemaType.Struct struct ? struct.name
                : written instanceof SchemaType.EnumOf symbols ? symbols.name
                : NO_WORD.matcher(CanonicalText.print(written)).replaceAll("_").replaceAll("^_+|_+$", "");
            labels.append('_').append(text);
        }
        return labels.toString();
    }
}
