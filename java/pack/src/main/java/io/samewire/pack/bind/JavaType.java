package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.As;
import io.samewire.pack.Converter;
import io.samewire.pack.Shared;
import io.samewire.pack.Unsigned;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A Java type with nothing left open: type variables are replaced, wildcards are their bounds.
 *
 * @param raw its class; for arrays that of the array
 * @param arguments its type arguments; for an array the type of its elements
 * @param nullable whether it is annotated {@link io.samewire.pack.Nullable}, or another of that name, as JSpecify's
 * @param unsigned whether it is annotated {@link Unsigned}
 * @param shared whether it is annotated {@link Shared}
 * @param converter what {@link As} says; null if there is none
 */
public record JavaType(Class<?> raw, List<JavaType> arguments, boolean nullable, boolean unsigned, boolean shared,
    Class<? extends Converter<?, ?>> converter) {
    /** A class without arguments or annotations. */
    public static JavaType of(Class<?> raw) {
        List<JavaType> arguments = new ArrayList<>();
        if (raw.isArray()) {
            arguments.add(of(raw.getComponentType()));
        }
        for (TypeVariable<?> variable : raw.getTypeParameters()) {
            throw open(raw + " has the type parameter " + variable + ", and a class does not say what that is: hand"
                + " over a TypeRef, as new TypeRef<List<String>>() {}");
        }
        return new JavaType(raw, arguments, false, false, false, null);
    }

    /** A type as it is declared somewhere, without type variables. */
    public static JavaType of(AnnotatedType declared) {
        return of(declared, Map.of());
    }

    /** A type as declared, where type variables mean what {@code known} says. */
    static JavaType of(AnnotatedType declared, Map<String, JavaType> known) {
        boolean nullable = isNullable(declared);
        boolean unsigned = declared.isAnnotationPresent(Unsigned.class);
        boolean shared = declared.isAnnotationPresent(Shared.class);
        As as = declared.getAnnotation(As.class);
        Class<? extends Converter<?, ?>> converter = as == null ? null : as.value();
        if (declared instanceof AnnotatedTypeVariable) {
            JavaType bound = known.get(declared.getType().getTypeName());
            if (bound == null) {
                throw open("nothing says what the type parameter " + declared.getType()
                    + " is: declare a type in its place");
            }
            return new JavaType(bound.raw, bound.arguments, bound.nullable || nullable, bound.unsigned || unsigned,
                bound.shared || shared, converter == null ? bound.converter : converter);
        } else if (declared instanceof AnnotatedWildcardType wildcard) {
            return of(wildcard.getAnnotatedUpperBounds()[0], known);
        } else if (declared instanceof AnnotatedArrayType array) {
            JavaType element = of(array.getAnnotatedGenericComponentType(), known);
            // A primitive cannot be null or converted: `@Nullable int[]` can only mean the array.
            boolean outer = element.raw.isPrimitive();
            JavaType inner = outer ? element.present().unconverted() : element;
            return new JavaType(inner.raw.arrayType(), List.of(inner), nullable || outer && element.nullable, unsigned,
                shared, outer && converter == null ? element.converter : converter);
        }
        Type type = declared.getType();
        List<JavaType> arguments = new ArrayList<>();
        if (declared instanceof AnnotatedParameterizedType parameterized) {
            for (AnnotatedType argument : parameterized.getAnnotatedActualTypeArguments()) {
                arguments.add(of(argument, known));
            }
            type = ((java.lang.reflect.ParameterizedType) type).getRawType();
        } else if (((Class<?>) type).getTypeParameters().length > 0) {
            throw open(type + " stands without type arguments: say what it holds, as in List<String>");
        }
        return new JavaType((Class<?>) type, arguments, nullable, unsigned, shared, converter);
    }

    /** By simple name: programs have the annotation of their checker, and need no other. */
    private static boolean isNullable(AnnotatedType declared) {
        for (Annotation annotation : declared.getAnnotations()) {
            if (annotation.annotationType().getSimpleName().equals("Nullable")) {
                return true;
            }
        }
        return false;
    }

    private static SamewireException open(String what) {
        return new SamewireException(Code.MISUSE, -1, null, what);
    }

    // Written by hand: what the compiler would write for a record costs milliseconds when it is first called.
    @Override
    public boolean equals(Object other) {
        return other instanceof JavaType that && raw == that.raw && arguments.equals(that.arguments)
            && nullable == that.nullable
            && unsigned == that.unsigned && shared == that.shared && converter == that.converter;
    }

    @Override
    public int hashCode() {
        return raw.hashCode() * 31 + arguments.hashCode();
    }

    /** What the type variables of the class mean. */
    Map<String, JavaType> variables() {
        Map<String, JavaType> known = new HashMap<>();
        TypeVariable<?>[] variables = raw.isArray() ? new TypeVariable<?>[0] : raw.getTypeParameters();
        for (int i = 0; i < variables.length; i++) {
            known.put(variables[i].getTypeName(), arguments.get(i));
        }
        return known;
    }

    /** This type as the class or interface {@code wanted} that it extends; null if it does not. */
    JavaType as(Class<?> wanted) {
        if (raw == wanted) {
            return this;
        }
        if (!wanted.isAssignableFrom(raw)) {
            return null;
        }
        List<AnnotatedType> parents = new ArrayList<>(List.of(raw.getAnnotatedInterfaces()));
        if (raw.getAnnotatedSuperclass() != null) {
            parents.add(raw.getAnnotatedSuperclass());
        }
        Map<String, JavaType> known = variables();
        for (AnnotatedType parent : parents) {
            Class<?> rawParent = parent.getType() instanceof java.lang.reflect.ParameterizedType p
                ? (Class<?>) p.getRawType()
                : (Class<?>) parent.getType();
            if (wanted.isAssignableFrom(rawParent)) {
                return of(parent, known).as(wanted);
            }
        }
        return null;
    }

    /** This type as one that may not be null. */
    JavaType present() {
        return new JavaType(raw, arguments, false, unsigned, shared, converter);
    }

    /** This type without {@link Shared}. */
    JavaType unshared() {
        return new JavaType(raw, arguments, nullable, unsigned, false, converter);
    }

    /** This type without {@link As}. */
    JavaType unconverted() {
        return new JavaType(raw, arguments, nullable, unsigned, shared, null);
    }
}
