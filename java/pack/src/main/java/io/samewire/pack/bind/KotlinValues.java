package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Converter;
import io.samewire.pack.bind.CompiledType.CompiledConverted;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;

/**
 * Kotlin's value classes. They are written as what they hold. A slot has either that or an object around it; the
 * class's own constructor checks what is read in both cases.
 */
final class KotlinValues {
    private static final Map<String, Class<?>> UNSIGNED = Map.of("kotlin.UByte", byte.class, "kotlin.UShort",
        short.class, "kotlin.UInt", int.class, "kotlin.ULong", long.class);

    private KotlinValues() {}

    static boolean isValue(Class<?> type) {
        for (Annotation annotation : type.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().equals("kotlin.jvm.JvmInline")) {
                return true;
            }
        }
        return false;
    }

    /** Whether Kotlin's libraries have it, whose constructors are not for others, but for pairs and triples. */
    static boolean isLibrary(Class<?> type) {
        String name = type.getName();
        return name.startsWith("kotlin.") && !name.equals("kotlin.Pair") && !name.equals("kotlin.Triple")
            || name.startsWith("kotlinx.datetime.");
    }

    /** Compiles a value class: {@code raw} is itself, or the class of what it holds. */
    static CompiledType compiled(Class<?> value, Class<?> raw, NativeTypeReader types) {
        types.reach(value);
        Class<?> number = UNSIGNED.get(value.getName());
        if (number == null && isLibrary(value)) {
            throw Refusals.unsupported(value);
        }
        if (value.getTypeParameters().length > 0) {
            throw NativeTypeReader.misuse(value.getName() + " is a value class with type parameters, which its class"
                + " file does not keep: make it a data class, or write it by a Converter");
        }
        Field held = held(value);
        CompiledType inner;
        if (number != null) {
            inner = types.read(boxed(new JavaType(number, List.of(), false, true, false, null)));
        } else {
            KotlinMetadata metadata = KotlinMetadata.of(value);
            KotlinType type = metadata == null || metadata.parameters.isEmpty() ? KotlinType.UNKNOWN
                : metadata.parameters.get(0).type();
            JavaType declared = JavaType.of(held.getAnnotatedType());
            inner = type.unboxed(declared.raw(), value.getClassLoader()) == null
                ? types.read(boxed(type.applied(declared)))
                : KotlinStructReader.compiled(type, declared, value, types);
        }
        types.checkWire(inner, value.getName());
        Converter<Object, Object> converter = new Held(raw == value ? handle(value, "unbox-impl") : null,
            handle(value, "constructor-impl", held.getType()),
            raw == value ? handle(value, "box-impl", held.getType()) : null);
        if (inner instanceof CompiledConverted chained) {
            @SuppressWarnings("unchecked") // It takes what the value class holds.
            Converter<Object, Object> next = (Converter<Object, Object>) chained.converter;
            return new CompiledConverted(raw, chained.wire, new Converters.Chain(converter, next));
        }
        return new CompiledConverted(raw, inner, converter);
    }

    /** What converters make are objects. */
    private static JavaType boxed(JavaType type) {
        return new JavaType(Body.boxOf(type.raw()), type.arguments(), type.nullable(), type.unsigned(), type.shared(),
            type.converter());
    }

    private static Field held(Class<?> value) {
        for (Field field : value.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                return field;
            }
        }
        throw NativeTypeReader.misuse(value.getName() + " is a value class without a field");
    }

    private static MethodHandle handle(Class<?> value, String name, Class<?>... parameters) {
        try {
            Method method = value.getDeclaredMethod(name, parameters);
            return Access.called(method).asType(MethodType.methodType(Object.class, Object.class));
        } catch (NoSuchMethodException none) {
            throw NativeTypeReader.misuse(value.getName() + " has no " + name + ": its compiler is too new for pack, or"
                + " is not Kotlin's; write it by a Converter");
        }
    }

    /** Between a value class and what it holds; without handles to unbox and box, the value is what it holds. */
    private record Held(MethodHandle unbox, MethodHandle construct, MethodHandle box)
        implements Converter<Object, Object> {
        @Override
        public Object encode(Object value) {
            return unbox == null ? value : call(unbox, value);
        }

        @Override
        public Object decode(Object wire) {
            Object checked = call(construct, wire);
            return box == null ? checked : call(box, checked);
        }

        private static Object call(MethodHandle handle, Object value) {
            try {
                return (Object) handle.invokeExact(value);
            } catch (RuntimeException | Error thrown) {
                throw thrown;
            } catch (Throwable checked) {
                throw new SamewireException(Code.TYPE_MISMATCH, -1, null, "a value class failed: " + checked, checked);
            }
        }
    }
}
