package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Alias;
import io.samewire.pack.Default;
import io.samewire.pack.Name;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import io.samewire.pack.bind.CompiledType.Slot;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The slots of a Kotlin class: the properties in its primary constructor. */
final class KotlinStructReader {
    /** Parameters whose defaults one mask of the synthetic constructor says. */
    private static final int MASK_BITS = 32;
    private static final String MARKER = "kotlin.jvm.internal.DefaultConstructorMarker";

    private KotlinStructReader() {}

    /** Returns whether the class is bound by its constructor or as an object; if not, its fields are, as of Java's. */
    static boolean fill(CompiledStruct compiled, JavaType type, KotlinMetadata metadata, NativeTypeReader types) {
        Field instance = metadata.instance();
        if (instance != null) {
            compiled.singleton = Access.constant(instance);
            return true;
        }
        if (metadata.parameters.isEmpty()) {
            return false;
        }
        Class<?> raw = type.raw();
        List<Field> fields = new ArrayList<>();
        for (KotlinMetadata.Parameter parameter : metadata.parameters) {
            fields.add(field(raw, parameter.name()));
        }
        Class<?>[] erased = fields.stream().map(Field::getType).toArray(Class<?>[]::new);
        compiled.constructor = constructor(raw, erased);
        Constructor<?> annotated = compiled.constructor;
        for (Constructor<?> constructor : raw.getDeclaredConstructors()) {
            Class<?>[] taken = constructor.getParameterTypes();
            int more = taken.length - erased.length;
            if (more < 1 || !taken[taken.length - 1].getName().equals(MARKER) || !startsWith(taken, erased)) {
                continue;
            } else if (more == 1) {
                // What takes value classes is private; the annotations are on the one that others call.
                annotated = constructor;
            } else if (more == 1 + masks(erased.length) && takesMasks(taken, erased.length)) {
                compiled.defaulting = constructor;
            }
        }
        Annotation[][] given = annotated.getParameterAnnotations();
        for (int i = 0; i < fields.size(); i++) {
            KotlinMetadata.Parameter parameter = metadata.parameters.get(i);
            Field field = fields.get(i);
            Name named = annotation(Name.class, given[i], field);
            String name = named == null ? parameter.name() : named.value();
            types.enter(name);
            JavaType declared = JavaType.of(field.getAnnotatedType(), type.variables());
            CompiledType inner = compiled(parameter.type(), declared, raw, types);
            types.leave();
            Alias alias = annotation(Alias.class, given[i], field);
            Default text = annotation(Default.class, given[i], field);
            compiled.add(new Slot(name, inner, getter(field), text == null ? null : text.value(),
                alias == null ? List.of() : List.of(alias.value()),
                text == null && parameter.hasDefault() && compiled.defaulting != null, null));
        }
        return true;
    }

    static int masks(int parameters) {
        return (parameters + MASK_BITS - 1) / MASK_BITS;
    }

    /** Whether ints come from there to the marker; those of another constructor with value classes may be as many. */
    private static boolean takesMasks(Class<?>[] types, int from) {
        return Arrays.stream(types, from, types.length - 1).allMatch(type -> type == int.class);
    }

    private static boolean startsWith(Class<?>[] types, Class<?>[] first) {
        return Arrays.equals(types, 0, first.length, first, 0, first.length);
    }

    private static Field field(Class<?> raw, String name) {
        try {
            return raw.getDeclaredField(name);
        } catch (NoSuchFieldException none) {
            throw NativeTypeReader.misuse("the parameter " + name + " of " + raw.getName() + "'s constructor is not"
                + " kept: put val or var before it, or write the class by a Converter");
        }
    }

    /** The field, or the method that gets its property where only public members are in reach, as of Kotlin's Pair. */
    private static Member getter(Field field) {
        if (Access.isOpen(field.getDeclaringClass())) {
            return field;
        }
        String name = field.getName();
        String getter = "get" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        for (Method method : field.getDeclaringClass().getMethods()) {
            if (method.getParameterCount() == 0 && method.getReturnType() == field.getType()
                && (method.getName().equals(getter) || name.startsWith("is") && method.getName().equals(name))) {
                return method;
            }
        }
        return field;
    }

    private static Constructor<?> constructor(Class<?> raw, Class<?>[] parameters) {
        try {
            return raw.getDeclaredConstructor(parameters);
        } catch (NoSuchMethodException none) {
            throw new SamewireException(Code.UNSUPPORTED, -1, null, raw.getName() + " has no constructor that takes "
                + Arrays.toString(parameters) + ", as its Kotlin metadata says: write the class by a Converter", none);
        }
    }

    private static <A extends Annotation> A annotation(Class<A> type, Annotation[] given, Field field) {
        for (Annotation each : given) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
        }
        return field.getAnnotation(type);
    }

    /** Compiles a type as Java's compiler would see it together with what Kotlin's says. */
    static CompiledType compiled(KotlinType kotlin, JavaType java, Class<?> owner, NativeTypeReader types) {
        Class<?> value = kotlin.unboxed(java.raw(), owner.getClassLoader());
        if (value == null || java.converter() != null) {
            return types.read(kotlin.applied(java));
        }
        CompiledType inner = KotlinValues.compiled(value, java.raw(), types);
        return kotlin.nullable() ? new CompiledOption(java.raw(), inner) : inner;
    }
}
