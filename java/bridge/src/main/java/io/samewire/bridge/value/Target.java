package io.samewire.bridge.value;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The declared type that a value is converted to: a class, and for a container the types of its elements by the type
 * arguments. A type variable counts as its bound, since its argument is not known at run time.
 */
public final class Target {
    /** Any object. */
    public static final Target OBJECT = new Target(Object.class, Object.class, null);

    private final Class<?> raw;
    private final Type type;
    private final AnnotatedType annotated;
    private Target[] arguments;
    /** The calls of an interface's methods that return what its type arguments say; see {@link #call}. */
    private volatile Map<Method, PeerCall> calls;

    private Target(Class<?> raw, Type type, AnnotatedType annotated) {
        this.raw = raw;
        this.type = type;
        this.annotated = annotated;
    }

    /** Returns the target for a declared type. */
    public static Target of(Type type) {
        return type == Object.class ? OBJECT : new Target(raw(type), type, null);
    }

    /** Returns the target of a type with its annotations. */
    public static Target of(AnnotatedType type) {
        return new Target(raw(type.getType()), type.getType(), type);
    }

    /** Returns the class of a type; for a variable or wildcard the class of its first bound. */
    static Class<?> raw(Type type) {
        if (type instanceof Class) {
            return (Class<?>) type;
        } else if (type instanceof ParameterizedType) {
            return (Class<?>) ((ParameterizedType) type).getRawType();
        } else if (type instanceof GenericArrayType) {
            return raw(((GenericArrayType) type).getGenericComponentType()).arrayType();
        } else if (type instanceof TypeVariable) {
            return raw(((TypeVariable<?>) type).getBounds()[0]);
        }
        return raw(((WildcardType) type).getUpperBounds()[0]);
    }

    /**
     * Returns the class of a type in a declaration of {@code above}, as {@code below} inherits it: for a type variable
     * the class of its type argument there.
     */
    public static Class<?> raw(Type type, Class<?> below, Class<?> above) {
        Type[] given = arguments(below, above, Map.of());
        TypeVariable<?>[] parameters = above.getTypeParameters();
        if (given.length != parameters.length) {
            return raw(type);
        }
        Map<TypeVariable<?>, Type> known = new HashMap<>();
        for (int i = 0; i < given.length; i++) {
            known.put(parameters[i], given[i]);
        }
        Type at = type;
        int dimensions = 0;
        while (at instanceof GenericArrayType) {
            at = ((GenericArrayType) at).getGenericComponentType();
            dimensions++;
        }
        Class<?> found = raw(resolved(at, known));
        for (int i = 0; i < dimensions; i++) {
            found = found.arrayType();
        }
        return found;
    }

    /** Returns the class. */
    public Class<?> raw() {
        return raw;
    }

    /** Returns the type. */
    public Type type() {
        return type;
    }

    /** Returns the type with the annotations of its declaration; null if it was declared without any. */
    public AnnotatedType annotated() {
        return annotated;
    }

    /** Returns whether all values are taken as they are. */
    public boolean isOpen() {
        return raw == Object.class;
    }

    /** Returns the type of the elements of an array, a collection or an iterator; of a map, that of its keys. */
    public Target element() {
        return arguments()[0];
    }

    /** Returns the type of a map's values. */
    public Target value() {
        Target[] known = arguments();
        return known.length > 1 ? known[1] : OBJECT;
    }

    /**
     * Returns whether an object that implements this interface must know its type arguments: a {@code Function<Long,
     * Long>} returns no {@code Integer}. False if no abstract method returns them, or all are {@link Object}.
     */
    public boolean namesResults() {
        return !calls().isEmpty();
    }

    /** Returns the call of an interface's method whose result is of a type argument; null for another method. */
    PeerCall call(Method method) {
        return calls().get(method);
    }

    private Map<Method, PeerCall> calls() {
        Map<Method, PeerCall> known = calls;
        if (known == null) {
            known = type instanceof ParameterizedType && raw.isInterface() ? foundCalls() : Map.of();
            calls = known;
        }
        return known;
    }

    private Map<Method, PeerCall> foundCalls() {
        Map<Method, PeerCall> found = new HashMap<>();
        for (Method method : raw.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers())) {
                Class<?> owner = method.getDeclaringClass();
                Type[] given = arguments(type, owner, Map.of());
                TypeVariable<?>[] parameters = owner.getTypeParameters();
                Map<TypeVariable<?>, Type> known = new HashMap<>();
                for (int i = 0; i < parameters.length && given.length == parameters.length; i++) {
                    if (raw(given[i]) != Object.class) {
                        known.put(parameters[i], given[i]);
                    }
                }
                Type declared = method.getGenericReturnType();
                Type result = DeclaredType.substituted(declared, known);
                if (!result.equals(declared)) {
                    found.put(method, PeerCall.of(method, of(result)));
                }
            }
        }
        return found;
    }

    private Target[] arguments() {
        Target[] known = arguments;
        if (known == null) {
            known = found();
            arguments = known;
        }
        return known;
    }

    private Target[] found() {
        if (raw.isArray()) {
            return new Target[] {type instanceof GenericArrayType
                ? of(((GenericArrayType) type).getGenericComponentType()) : of(raw.getComponentType())};
        }
        Class<?> container = Map.class.isAssignableFrom(raw) ? Map.class : Collection.class.isAssignableFrom(raw)
            ? Collection.class : raw == Iterable.class ? Iterable.class : raw == Iterator.class ? Iterator.class : null;
        Type[] types = container == null ? new Type[0] : arguments(type, container, Map.of());
        Target[] targets = new Target[Math.max(1, types.length)];
        targets[0] = OBJECT;
        for (int i = 0; i < types.length; i++) {
            targets[i] = of(types[i]);
        }
        return targets;
    }

    /**
     * Returns the type arguments of {@code type} seen as {@code wanted}, which it extends; none if they are not known.
     */
    private static Type[] arguments(Type type, Class<?> wanted, Map<TypeVariable<?>, Type> known) {
        Class<?> raw = raw(type);
        Map<TypeVariable<?>, Type> variables = new HashMap<>();
        if (type instanceof ParameterizedType) {
            Type[] given = ((ParameterizedType) type).getActualTypeArguments();
            if (raw == wanted) {
                Type[] resolved = new Type[given.length];
                for (int i = 0; i < given.length; i++) {
                    resolved[i] = resolved(given[i], known);
                }
                return resolved;
            }
            TypeVariable<?>[] parameters = raw.getTypeParameters();
            for (int i = 0; i < parameters.length; i++) {
                variables.put(parameters[i], resolved(given[i], known));
            }
        } else if (type instanceof TypeVariable || type instanceof WildcardType) {
            return arguments(type instanceof TypeVariable ? ((TypeVariable<?>) type).getBounds()[0]
                : ((WildcardType) type).getUpperBounds()[0], wanted, known);
        }
        for (Type parent : parents(raw)) {
            if (wanted.isAssignableFrom(raw(parent))) {
                return arguments(parent, wanted, variables);
            }
        }
        return new Type[0];
    }

    private static Type[] parents(Class<?> raw) {
        Type[] interfaces = raw.getGenericInterfaces();
        Type above = raw.getGenericSuperclass();
        if (above == null) {
            return interfaces;
        }
        Type[] all = new Type[interfaces.length + 1];
        all[0] = above;
        System.arraycopy(interfaces, 0, all, 1, interfaces.length);
        return all;
    }

    private static Type resolved(Type type, Map<TypeVariable<?>, Type> known) {
        Type found = type instanceof TypeVariable ? known.get(type) : null;
        return found == null ? type : found;
    }

    @Override
    public String toString() {
        return type.getTypeName();
    }
}
