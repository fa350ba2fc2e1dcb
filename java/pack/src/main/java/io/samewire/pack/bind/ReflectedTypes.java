package io.samewire.pack.bind;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a native image must know of the types of codecs: their codecs look at them by reflection. */
public final class ReflectedTypes {
    private static final String KOTLIN_METADATA = "kotlin.Metadata";
    /** What converters of Scala's collections find by name, and what decodes the names of its fields. */
    private static final List<String> SCALA = List.of("scala.$eq$colon$eq", "scala.$less$colon$less",
        "scala.$less$colon$less$", "scala.collection.IterableOnce", "scala.collection.IterableOnceOps",
        "scala.collection.Map", "scala.collection.SeqMap", "scala.collection.Set", "scala.collection.SortedMap",
        "scala.collection.immutable.ArraySeq", "scala.collection.immutable.TreeMap",
        "scala.collection.immutable.TreeMap$", "scala.collection.immutable.TreeSet",
        "scala.collection.immutable.TreeSet$", "scala.collection.mutable.Map", "scala.collection.mutable.Set",
        "scala.jdk.javaapi.CollectionConverters", "scala.math.Ordering", "scala.math.Ordering$",
        "scala.reflect.NameTransformer$");

    private final Converters converters;
    private final Map<String, Boolean> names = new TreeMap<>();
    private final Set<String> resources = new TreeSet<>();

    /** Starts without types; the converters are those of every codec. */
    public ReflectedTypes(Converters converters) {
        this.converters = converters;
    }

    /** Adds what a codec of a type reaches. */
    public void add(JavaType type) {
        Set<Class<?>> reached = new HashSet<>();
        NativeTypeReader.compiled(type, converters, reached);
        reached.forEach(this::add);
        Binding binding = new Binding(type, converters);
        for (String name : ((InterpretedProgram) binding.interpreted()).resolved()) {
            names.putIfAbsent(name, false);
        }
    }

    /** Adds a class with all its members, and those of its parents. */
    public void add(Class<?> type) {
        if (type.isArray()) {
            names.putIfAbsent(type.getTypeName(), false);
            add(type.getComponentType());
            return;
        } else if (type.isPrimitive() || type.getPackage() == ReflectedTypes.class.getPackage()
            || Boolean.TRUE.equals(names.put(type.getName(), true)) || isOfPlatform(type.getName())) {
            return;
        }
        if (KotlinMetadata.of(type) != null) {
            names.putIfAbsent(KOTLIN_METADATA, false);
        }
        if (type.getName().startsWith("scala.") || ScalaTypes.isProduct(type) || ScalaTypes.isTrait(type)) {
            SCALA.forEach(name -> names.put(name, true));
            addCompanion(type);
        }
        if (type.getSuperclass() != null && !isOfPlatform(type.getSuperclass().getName())) {
            add(type.getSuperclass());
        }
    }

    /** The object beside a class of Scala's, and the files that tell what its class file does not. */
    private void addCompanion(Class<?> type) {
        String path = type.getName().replace('.', '/');
        resources.add(path + ".class");
        int nested = path.indexOf('$', path.lastIndexOf('/') + 2);
        resources.add((nested > 0 ? path.substring(0, nested) : path) + ".tasty");
        try {
            names.put(Class.forName(type.getName() + "$", false, type.getClassLoader()).getName(), true);
        } catch (ClassNotFoundException none) {
            return;
        }
    }

    /** Whether a class is the JDK's: its public members alone are in reach. */
    private static boolean isOfPlatform(String name) {
        return name.startsWith("java.");
    }

    /** The names of the classes and arrays, ascending, each with whether it is reached with all its members. */
    public Map<String, Boolean> names() {
        Map<String, Boolean> found = new TreeMap<>();
        names.forEach((name, whole) -> found.put(name, whole && !isOfPlatform(name)));
        return found;
    }

    /** The files that are read at run time, by their paths in the class path; only Scala's classes need some. */
    public Set<String> resources() {
        return resources;
    }
}
