package io.samewire.bridge.value;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/** Types built at run time, as the annotated types that pack takes. */
final class DeclaredType {
    private DeclaredType() {}

    /** Returns a class, with these type arguments if there are any. */
    static AnnotatedType of(Class<?> raw, AnnotatedType... arguments) {
        return raw.isArray() ? new ArrayOf(raw) : arguments.length == 0 ? new Plain(raw, null)
            : new Parameterized(raw, arguments);
    }

    /** Returns a type, which may be null if pack's annotation is given. */
    static AnnotatedType annotated(AnnotatedType type, Annotation annotation) {
        return type instanceof Parameterized ? new Parameterized((Parameterized) type, annotation)
            : new Plain(type.getType(), annotation);
    }

    /** Returns a type with its variables replaced by these; one without any of them unchanged. */
    static Type substituted(Type type, Map<TypeVariable<?>, Type> known) {
        if (type instanceof TypeVariable) {
            return known.getOrDefault((TypeVariable<?>) type, type);
        } else if (type instanceof GenericArrayType) {
            Type component = substituted(((GenericArrayType) type).getGenericComponentType(), known);
            return component instanceof Class ? ((Class<?>) component).arrayType() : type;
        } else if (!(type instanceof ParameterizedType)) {
            return type;
        }
        Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
        Type[] replaced = new Type[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            replaced[i] = substituted(arguments[i], known);
        }
        return Arrays.equals(arguments, replaced) ? type : new Generic(Target.raw(type), replaced);
    }

    private static class Plain implements AnnotatedType {
        private final Type type;
        private final Annotation annotation;

        Plain(Type type, Annotation annotation) {
            this.type = type;
            this.annotation = annotation;
        }

        @Override
        public Type getType() {
            return type;
        }

        @Override
        public <T extends Annotation> T getAnnotation(Class<T> wanted) {
            return wanted.isInstance(annotation) ? wanted.cast(annotation) : null;
        }

        @Override
        public Annotation[] getAnnotations() {
            return annotation == null ? new Annotation[0] : new Annotation[] {annotation};
        }

        @Override
        public Annotation[] getDeclaredAnnotations() {
            return getAnnotations();
        }

        @Override
        public AnnotatedType getAnnotatedOwnerType() {
            return null;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Plain && type.equals(((Plain) other).type)
                && Objects.equals(annotation, ((Plain) other).annotation);
        }

        @Override
        public int hashCode() {
            return type.hashCode();
        }
    }

    private static final class ArrayOf extends Plain implements AnnotatedArrayType {
        private final Class<?> component;

        ArrayOf(Class<?> raw) {
            super(raw, null);
            this.component = raw.getComponentType();
        }

        @Override
        public AnnotatedType getAnnotatedGenericComponentType() {
            return of(component);
        }
    }

    private static final class Parameterized extends Plain implements AnnotatedParameterizedType {
        private final Class<?> raw;
        private final AnnotatedType[] arguments;

        Parameterized(Class<?> raw, AnnotatedType[] arguments) {
            super(new Generic(raw, Arrays.stream(arguments).map(AnnotatedType::getType).toArray(Type[]::new)), null);
            this.raw = raw;
            this.arguments = arguments;
        }

        Parameterized(Parameterized type, Annotation annotation) {
            super(type.getType(), annotation);
            this.raw = type.raw;
            this.arguments = type.arguments;
        }

        @Override
        public AnnotatedType[] getAnnotatedActualTypeArguments() {
            return arguments.clone();
        }
    }

    private static final class Generic implements ParameterizedType {
        private final Class<?> raw;
        private final Type[] arguments;

        Generic(Class<?> raw, Type[] arguments) {
            this.raw = raw;
            this.arguments = arguments;
        }

        @Override
        public Type[] getActualTypeArguments() {
            return arguments.clone();
        }

        @Override
        public Type getRawType() {
            return raw;
        }

        @Override
        public Type getOwnerType() {
            return raw.getDeclaringClass();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Generic && raw == ((Generic) other).raw
                && Arrays.equals(arguments, ((Generic) other).arguments);
        }

        @Override
        public int hashCode() {
            return raw.hashCode() * 31 + Arrays.hashCode(arguments);
        }
    }
}
