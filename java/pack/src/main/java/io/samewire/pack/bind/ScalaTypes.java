package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Converter;
import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledList;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledSet;
import io.samewire.pack.wire.UnorderedMap;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Types of Scala's library, 2.13, which is that of Scala 3 as well. They are reached by their names: a program without
 * Scala needs none of it.
 */
final class ScalaTypes {
    static final String OPTION = "scala.Option";
    private static final String CONVERTERS = "scala.jdk.javaapi.CollectionConverters";
    /** The methods of a mutable buffer that make what is declared. */
    private static final Map<String, String> LISTS = Map.of("scala.collection.immutable.List", "toList",
        "scala.collection.immutable.Vector", "toVector", "scala.collection.immutable.Seq", "toList",
        "scala.collection.Seq", "toList", "scala.collection.immutable.Iterable", "toList",
        "scala.collection.Iterable", "toList", "scala.collection.immutable.IndexedSeq", "toVector",
        "scala.collection.IndexedSeq", "toVector");
    private static final Set<String> SETS = Set.of("scala.collection.immutable.Set", "scala.collection.Set");
    private static final Set<String> MAPS = Set.of("scala.collection.immutable.Map", "scala.collection.Map");

    private ScalaTypes() {}

    /** A name as it stands in the source: the compiler writes a space as {@code $u0020}, a plus as {@code $plus}. */
    static String decoded(Class<?> beside, String name) {
        if (name.indexOf('$') < 0) {
            return name;
        }
        Class<?> transformer = load(beside, "scala.reflect.NameTransformer$");
        return (String) call(found(transformer, "decode", String.class, String.class),
            Access.constant(module(transformer)), name);
    }

    /** Whether it is a case class, a case object or a tuple. */
    static boolean isProduct(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Class<?> parent : each.getInterfaces()) {
                if (parent.getName().equals("scala.Product")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The field with the only value of an object; null of other classes. */
    static Field module(Class<?> type) {
        if (!type.getName().endsWith("$")) {
            return null;
        }
        try {
            Field module = type.getDeclaredField("MODULE$");
            return Modifier.isStatic(module.getModifiers()) && module.getType() == type ? module : null;
        } catch (NoSuchFieldException none) {
            return null;
        }
    }

    /** Whether a type without members of its own was compiled by Scala: 2.13 annotates it, 3 puts a file beside it. */
    static boolean isTrait(Class<?> type) {
        if (!Modifier.isAbstract(type.getModifiers()) || type.isPrimitive() || type.getClassLoader() == null) {
            return false;
        }
        for (var annotation : type.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().startsWith("scala.reflect.Scala")) {
                return true;
            }
        }
        String simple = type.getName().substring(type.getName().lastIndexOf('.') + 1);
        int nested = simple.indexOf('$');
        return type.getResource((nested > 0 ? simple.substring(0, nested) : simple) + ".tasty") != null;
    }

    /** Refuses what Scala's library has and no schema. */
    static void check(Class<?> type) {
        String name = type.getName();
        if (name.startsWith("scala.") && !name.equals(OPTION)) {
            throw Refusals.unsupported(type);
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (parent.getName().equals("scala.reflect.Enum") && !type.isEnum()) {
                throw new SamewireException(Code.UNSUPPORTED, -1, null, "there is no schema for " + name
                    + ": let the enum extend java.lang.Enum[" + type.getSimpleName() + "], or use a sealed trait with"
                    + " @Members");
            }
        }
    }

    /**
     * The type of a case class's field, in which each type argument {@code Object} means what is named for it: Scala's
     * compiler writes those of its primitive types so.
     */
    static JavaType named(AnnotatedType declared, Map<String, JavaType> variables, Class<?>[] names, String place) {
        JavaType type = JavaType.of(declared, variables);
        int[] used = new int[1];
        JavaType made = named(type, null, names, used, place);
        if (names != null && used[0] != names.length) {
            throw NativeTypeReader.misuse("@Erased of " + place + " names " + names.length
                + " classes, and the type has " + used[0] + " arguments that are Object: " + declared.getType());
        }
        return made;
    }

    private static JavaType named(JavaType type, Class<?> outer, Class<?>[] names, int[] used, String place) {
        if (outer != null && type.raw() == Object.class && type.converter() == null) {
            int index = used[0]++;
            if (names == null) {
                if (!isCarried(outer)) {
                    check(outer);
                }
                throw new SamewireException(Code.UNSUPPORTED, -1, null,
                    "the class file does not say which type argument " + place
                    + " has, as Scala's compiler writes Int, Double and Any as Object there: put"
                    + " @Erased(Array(classOf[Int])) before it, with a class for each, from left to right");
            }
            return index < names.length && names[index] != Object.class ? JavaType.of(Body.boxOf(names[index])) : type;
        }
        List<JavaType> arguments = new ArrayList<>();
        for (JavaType argument : type.arguments()) {
            // An array has its own class for each primitive.
            arguments.add(named(argument, type.raw().isArray() ? null : type.raw(), names, used, place));
        }
        return new JavaType(type.raw(), arguments, type.nullable(), type.unsigned(), type.shared(), type.converter());
    }

    /** Whether it has type arguments and a schema, or is not Scala's. */
    private static boolean isCarried(Class<?> type) {
        String name = type.getName();
        return LISTS.containsKey(name) || SETS.contains(name) || MAPS.contains(name);
    }

    /** Refuses a type of a codec that Scala's compiler may have erased: only fields can name what it was. */
    static void checkRoot(JavaType type) {
        boolean scala = type.raw().getName().startsWith("scala.") || isProduct(type.raw());
        for (JavaType argument : type.arguments()) {
            if (scala && argument.raw() == Object.class) {
                throw new SamewireException(Code.UNSUPPORTED, -1, null, "a type argument of " + type.raw().getName()
                    + " is Object, as which Scala's compiler writes Int, Double and Any: put the type into a field of a"
                    + " case class, with @Erased before it");
            }
            checkRoot(argument);
        }
    }

    /** Compiles a collection, a number or a value class of Scala's; null for other types. */
    static CompiledConverted compiled(JavaType type, NativeTypeReader types) {
        Class<?> raw = type.raw();
        String name = raw.getName();
        if (!name.startsWith("scala.")) {
            return ScalaValues.compiled(type, types);
        }
        if (LISTS.containsKey(name)) {
            return new CompiledConverted(raw, new CompiledList(List.class, types.part("[]", type.arguments().get(0))),
                OfList.of(raw, LISTS.get(name)));
        } else if (SETS.contains(name)) {
            CompiledType key = types.key("[]", type.arguments().get(0));
            return new CompiledConverted(raw, new CompiledSet(Set.class, key),
                OfCollection.of(raw, "Set", Set.class, key));
        } else if (MAPS.contains(name)) {
            CompiledType key = types.key("[].key", type.arguments().get(0));
            return new CompiledConverted(raw, new CompiledMap(Map.class, key,
                types.part("[].value", type.arguments().get(1))), OfCollection.of(raw, "Map", Map.class, key));
        } else if (name.equals("scala.math.BigDecimal")) {
            return new CompiledConverted(raw, types.read(JavaType.of(BigDecimal.class)),
                OfNumber.of(raw, "bigDecimal", BigDecimal.class));
        } else if (name.equals("scala.math.BigInt")) {
            return new CompiledConverted(raw, types.read(JavaType.of(BigInteger.class)),
                OfNumber.of(raw, "bigInteger", BigInteger.class));
        }
        return null;
    }

    /** What is in an option; null if nothing is. */
    static Object content(Object option) {
        Class<?> type = option.getClass();
        while (!type.getName().equals(OPTION) && type.getSuperclass() != null) {
            type = type.getSuperclass();
        }
        Object defined = call(found(type, "isDefined", boolean.class), option);
        return (boolean) defined ? call(found(type, "get", Object.class), option) : null;
    }

    static MethodHandle found(Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
        try {
            return MethodHandles.publicLookup().findVirtual(owner, name, MethodType.methodType(result, parameters))
                .asType(MethodType.genericMethodType(1 + parameters.length));
        } catch (NoSuchMethodException | IllegalAccessException other) {
            throw unknown(owner.getName() + "." + name, other);
        }
    }

    static MethodHandle foundStatic(Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
        try {
            return MethodHandles.publicLookup().findStatic(owner, name, MethodType.methodType(result, parameters))
                .asType(MethodType.genericMethodType(parameters.length));
        } catch (NoSuchMethodException | IllegalAccessException other) {
            throw unknown(owner.getName() + "." + name, other);
        }
    }

    private static SamewireException unknown(String what, Exception cause) {
        return new SamewireException(Code.UNSUPPORTED, -1, null,
            what + " is not there, as it is in Scala's library 2.13: use that version", cause);
    }

    static Class<?> load(Class<?> beside, String name) {
        try {
            return Class.forName(name, false, beside.getClassLoader());
        } catch (ClassNotFoundException absent) {
            throw unknown(name, absent);
        }
    }

    static Object call(MethodHandle handle, Object... arguments) {
        try {
            return arguments.length == 1 ? (Object) handle.invokeExact(arguments[0])
                : (Object) handle.invokeExact(arguments[0], arguments[1]);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable checked) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, null, "a value of Scala's failed: " + checked, checked);
        }
    }

    // The converters are records: the JIT takes the fields of a record for constant, and inlines the handles in them.

    /**
     * Between a sequence of Scala's and a list of Java's, by an array: Scala copies whole chunks of vectors to and from
     * arrays, and a view of Java's would be asked for each element.
     */
    private record OfList(MethodHandle size, MethodHandle copy, MethodHandle wrap, MethodHandle made)
        implements Converter<Object, Object> {
        static OfList of(Class<?> raw, String made) {
            Class<?> operations = load(raw, "scala.collection.IterableOnceOps");
            Class<?> array = load(raw, "scala.collection.immutable.ArraySeq");
            return new OfList(found(operations, "size", int.class),
                found(operations, "copyToArray", int.class, Object.class),
                foundStatic(array, "unsafeWrapArray", array, Object.class),
                found(operations, made, load(raw, "scala.collection.immutable." + made.substring(2))));
        }

        @Override
        public Object encode(Object value) {
            Object[] elements = new Object[(int) call(size, value)];
            call(copy, value, elements);
            return new ArrayList<>(Arrays.asList(elements));
        }

        @Override
        public Object decode(Object wire) {
            return call(made, call(wrap, (Object) ((List<?>) wire).toArray()));
        }
    }

    /**
     * Between a set or map of Scala's and Java's view of it; {@code evidence} is the second argument of {@code toMap},
     * and null for sets; {@code trees} makes it if its keys collide, and is null if they have no order. Maps have an
     * order if they are {@code sequenced} or {@code sorted}.
     */
    private record OfCollection(MethodHandle toJava, MethodHandle toScala, MethodHandle made, Object evidence,
        ScalaTrees trees, Class<?> sequenced, Class<?> sorted) implements Converter<Object, Object> {
        static OfCollection of(Class<?> raw, String name, Class<?> java, CompiledType key) {
            Class<?> converters = load(raw, CONVERTERS);
            MethodHandle view = foundStatic(converters, "asJava", java, load(raw, "scala.collection." + name));
            MethodHandle mutable = foundStatic(converters, "asScala", load(raw, "scala.collection.mutable." + name),
                java);
            Class<?> operations = load(raw, "scala.collection.IterableOnceOps");
            Class<?> result = load(raw, "scala.collection.immutable." + name);
            ScalaTrees trees = ScalaTrees.of(raw, name, key);
            if (name.equals("Map")) {
                Class<?> proof = load(raw, "scala.$less$colon$less");
                return new OfCollection(view, mutable, found(operations, "toMap", result, proof), evidence(proof),
                    trees, load(raw, "scala.collection.SeqMap"), load(raw, "scala.collection.SortedMap"));
            }
            return new OfCollection(view, mutable, found(operations, "toSet", result), null, trees, null, null);
        }

        private static Object evidence(Class<?> proof) {
            Class<?> owner = load(proof, proof.getName() + "$");
            Object companion = Access.constant(module(owner));
            return call(found(owner, "refl", load(proof, "scala.$eq$colon$eq")), companion);
        }

        @Override
        @SuppressWarnings("unchecked") // Java's view of a map.
        public Object encode(Object value) {
            Object view = call(toJava, value);
            boolean ordered = evidence == null || value == null || sequenced.isInstance(value)
                || sorted.isInstance(value);
            return ordered ? view : new UnorderedMap((Map<Object, Object>) view);
        }

        @Override
        public Object decode(Object wire) {
            Object view = call(toScala, wire);
            if (trees != null && ScalaTrees.collide(wire instanceof Map<?, ?> map ? map.keySet() : (Set<?>) wire)) {
                return trees.made(view);
            }
            return evidence == null ? call(made, view) : call(made, view, evidence);
        }
    }

    /** Between a number of Scala's and the one of Java's that it wraps. */
    private record OfNumber(MethodHandle unwrap, MethodHandle wrap) implements Converter<Object, Object> {
        static OfNumber of(Class<?> raw, String held, Class<?> java) {
            try {
                MethodHandle made = MethodHandles.publicLookup()
                    .findConstructor(raw, MethodType.methodType(void.class, java));
                return new OfNumber(found(raw, held, java), made.asType(MethodType.genericMethodType(1)));
            } catch (NoSuchMethodException | IllegalAccessException other) {
                throw unknown(raw.getName(), other);
            }
        }

        @Override
        public Object encode(Object value) {
            return call(unwrap, value);
        }

        @Override
        public Object decode(Object wire) {
            return call(wrap, wire);
        }
    }
}
