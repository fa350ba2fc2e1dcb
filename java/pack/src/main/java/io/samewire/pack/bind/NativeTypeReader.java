package io.samewire.pack.bind;

import io.samewire.core.Code;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
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

/**
 * Compiles Java types. A class becomes one struct or enum however often it occurs; everything else is a type of its
 * own each time.
 */
final class NativeTypeReader {
    private static final Map<Class<?>, Kind> SCALARS = new HashMap<>();
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
    private final Set<JavaType> openTuples = new HashSet<>();
    private final Converters converters;
    /** Types inside what their converter writes: there they stand for themselves. */
    private final Set<JavaType> openConverted = new HashSet<>();

    NativeTypeReader(Converters converters) {
        this.converters = converters;
    }

    /** A class that no type of the format stands for. */
    static SamewireException unsupported(Class<?> raw) {
        return new SamewireException(Code.UNSUPPORTED, -1, null,
            "there is no schema for " + raw.getName() + ": use " + instead(raw));
    }

    static SamewireException misuse(String what) {
        return new SamewireException(Code.MISUSE, -1, null, what);
    }

    /** Returns the compiled type of a Java type. */
    CompiledType read(JavaType type) {
        if (type.nullable()) {
            CompiledType item = read(type.present());
            if (type.raw().isPrimitive()) {
                throw misuse("a primitive cannot be null: @Nullable " + type.raw());
            }
            return option(type.raw(), item);
        }
        if (type.shared()) {
            CompiledType struct = read(type.unshared());
            if (!(struct instanceof CompiledStruct compiled) || !(compiled.type() instanceof SchemaType.Struct)) {
                throw misuse("@Shared stands before a struct, not before " + type.raw());
            }
            return new CompiledRef(compiled);
        }
        Class<?> raw = type.raw();
        Converters.Entry entry = openConverted.contains(type.unconverted()) ? null : converters.of(type);
        if (entry != null) {
            return converted(type, entry);
        }
        if (type.unsigned()) {
            Kind kind = SCALARS.get(raw);
            if (kind == null || UNSIGNED.get(kind) == null) {
                throw misuse("@Unsigned stands before byte, short, int or long, not before " + raw);
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
            return new CompiledMap(NativeContainers.checked(raw), key(map.arguments().get(0)),
                read(map.arguments().get(1)));
        } else if (Set.class.isAssignableFrom(raw)) {
            return new CompiledSet(NativeContainers.checked(raw), key(type.as(Collection.class).arguments().get(0)));
        } else if (Collection.class.isAssignableFrom(raw)) {
            return new CompiledList(NativeContainers.checked(raw), read(type.as(Collection.class).arguments().get(0)));
        } else if (raw.isEnum()) {
            return enumeration(raw);
        } else if (Modifier.isAbstract(raw.getModifiers()) && Subclasses.of(raw) != null) {
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
                + ": not as a Boolean, an Object or what may be null");
        }
    }

    private static CompiledOption option(Class<?> raw, CompiledType item) {
        if (item instanceof CompiledOption || item.type().is(Kind.ANY)) {
            throw misuse("an option holds no option and no Object: null is a value of those already");
        }
        return new CompiledOption(raw, item);
    }

    CompiledType key(JavaType type) {
        CompiledType key = read(type);
        CompiledType wire = key.wire();
        if (wire instanceof CompiledEnum || wire instanceof CompiledScalar scalar && scalar.kind().isKey()) {
            return key;
        }
        throw misuse(type.raw() + " cannot be the key of a map or an element of a set; see spec/pack.md section 1");
    }

    private CompiledType array(JavaType type) {
        JavaType element = type.arguments().get(0);
        if (element.raw() == byte.class && !element.unsigned()) {
            return new CompiledScalar(Kind.BYTES, byte[].class);
        }
        return new CompiledList(type.raw(), read(element));
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
                throw misuse(raw + " has the symbol " + symbol + " twice");
            }
            if (declared.isAnnotationPresent(Fallback.class)) {
                if (fallback != null) {
                    throw misuse(raw + " has two fallbacks, " + fallback + " and " + symbol);
                }
                fallback = symbol;
            }
        }
        if (symbols.isEmpty()) {
            throw misuse(raw + " has no constants");
        }
        CompiledEnum compiled = new CompiledEnum(raw, name, new ArrayList<>(symbols.keySet()),
            new ArrayList<>(symbols.values()));
        compiled.type().aliases.addAll(aliases(raw));
        compiled.type().fallback = fallback;
        named.put(name, compiled);
        return compiled;
    }

    /** The struct or enum that has that name already; null if none. Two Java types of one name are refused. */
    private CompiledType known(String name, JavaType type) {
        JavaType owner = owners.putIfAbsent(name, type);
        if (owner != null && !owner.equals(type)) {
            throw misuse("two types are called " + name + " in the schema, " + describe(owner) + " and "
                + describe(type)
                + ": give one of them a @Name, or each use of a generic type a record of its own");
        }
        return named.get(name);
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
                    + ": members are structs without type parameters");
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
                    throw misuse(type.raw() + " has two fallbacks, " + fallback + " and " + name);
                }
                fallback = name;
            }
        }
        CompiledUnion compiled = new CompiledUnion(type.raw(), new ArrayList<>(members.values()));
        compiled.type().fallback = fallback;
        return compiled;
    }

    private static void collect(Class<?> type, Set<Class<?>> leaves) {
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
        if (!openTuples.add(type)) {
            throw misuse("the tuple " + type.raw() + " contains itself: only structs can");
        }
        CompiledStruct compiled = new CompiledStruct(type.raw(), null);
        NativeStructReader.fill(compiled, type, this);
        openTuples.remove(type);
        if (compiled.slots.isEmpty() || compiled.slots.size() > 255) {
            throw misuse("a tuple has 1 to 255 components: " + type.raw());
        }
        return compiled;
    }

    /** What to declare for a class that is known not to do. */
    private static String instead(Class<?> raw) {
        return switch (raw.getName()) {
            case "java.lang.CharSequence" -> "String";
            case "java.lang.Iterable" -> "Collection";
            case "java.lang.Number" -> "the class that the numbers have, or Object";
            case "java.nio.ByteBuffer" -> "byte[]";
            case "java.util.Calendar", "java.sql.Timestamp" -> "Instant";
            case "java.time.ZonedDateTime" -> "Instant, and a field of its own for the zone";
            case "java.time.LocalDateTime" -> "Instant, or a LocalDate and a LocalTime";
            case "kotlin.time.Duration" -> "java.time.Duration";
            case "kotlin.time.Instant", "kotlinx.datetime.Instant" -> "java.time.Instant";
            case "kotlin.uuid.Uuid" -> "java.util.UUID";
            case "java.util.Map$Entry" -> "a @Tuple record";
            default -> ScalaTypes.isTrait(raw)
                ? "@Members(Array(classOf[A], classOf[B])) before it: class files of Scala do not say what extends it"
                : "a record, a class, an enum, a sealed interface or a type of the table in Pack's documentation,"
                + " or write it by a Converter";
        };
    }

    private CompiledStruct struct(JavaType type) {
        Class<?> raw = type.raw();
        ScalaTypes.check(raw);
        if (raw.isInterface() || raw.isPrimitive() || KotlinValues.isLibrary(raw) || raw.isAnonymousClass()
            || raw.getName().startsWith("java.") || Modifier.isAbstract(raw.getModifiers())) {
            throw unsupported(raw);
        }
        String simple = raw.getSimpleName();
        String name = name(raw, simple.endsWith("$") ? simple.substring(0, simple.length() - 1) : simple);
        CompiledType known = known(name, type);
        if (known != null) {
            return (CompiledStruct) known;
        }
        CompiledStruct compiled = new CompiledStruct(raw, name);
        ((SchemaType.Struct) compiled.type()).aliases.addAll(aliases(raw));
        named.put(name, compiled);
        NativeStructReader.fill(compiled, type, this);
        return compiled;
    }
}
