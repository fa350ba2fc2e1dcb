package io.samewire.pack.bind;

import io.samewire.pack.Converter;
import io.samewire.pack.bind.CompiledType.CompiledConverted;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * Scala's value classes, which extend {@code AnyVal}. A field that is declared as one has in the class file the class
 * of what it holds; in options and collections stand objects. Both are written as what they hold.
 */
final class ScalaValues {
    private ScalaValues() {}

    /** Compiles a value class; null for other classes. */
    static CompiledConverted compiled(JavaType type, NativeTypeReader types) {
        Class<?> raw = type.raw();
        Field held = raw.isRecord() || !Modifier.isFinal(raw.getModifiers()) ? null : held(raw);
        if (held == null || !isValue(raw)) {
            return null;
        }
        Method accessor = ScalaStructReader.accessor(raw, held);
        AnnotatedType declared = accessor == null ? held.getAnnotatedType() : accessor.getAnnotatedReturnType();
        JavaType plain = ScalaTypes.named(declared, type.variables(), null, raw.getName() + "." + held.getName());
        CompiledType inner = types.read(new JavaType(Body.boxOf(plain.raw()), plain.arguments(), plain.nullable(),
            plain.unsigned(), plain.shared(), plain.converter()));
        types.checkWire(inner, raw.getName());
        Converter<Object, Object> converter = Held.of(raw, held, accessor);
        if (inner instanceof CompiledConverted chained) {
            @SuppressWarnings("unchecked") // It takes what the value class holds.
            Converter<Object, Object> next = (Converter<Object, Object>) chained.converter;
            return new CompiledConverted(raw, chained.wire, new Converters.Chain(converter, next));
        }
        return new CompiledConverted(raw, inner, converter);
    }

    /** The compiler moves each method of a value class to its companion, and lets the class forward to it. */
    private static boolean isValue(Class<?> type) {
        for (Method method : type.getDeclaredMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && method.getName().equals("hashCode$extension")) {
                return true;
            }
        }
        return false;
    }

    /** The only field; null if there are none or several. */
    private static Field held(Class<?> type) {
        Field held = null;
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                if (held != null) {
                    return null;
                }
                held = field;
            }
        }
        return held;
    }

    /** Between a value class and what it holds. */
    private record Held(MethodHandle unwrap, MethodHandle wrap) implements Converter<Object, Object> {
        static Held of(Class<?> raw, Field held, Method accessor) {
            try {
                Constructor<?> constructor = raw.getDeclaredConstructor(held.getType());
                return new Held(Access.reflective(accessor == null ? held : accessor), Access.reflective(constructor));
            } catch (NoSuchMethodException none) {
                throw NativeTypeReader.misuse(raw.getName() + " has no constructor that takes what it holds alone:"
                    + " write it by a Converter");
            }
        }

        @Override
        public Object encode(Object value) {
            return ScalaTypes.call(unwrap, value);
        }

        @Override
        public Object decode(Object wire) {
            return ScalaTypes.call(wrap, wire);
        }
    }
}
