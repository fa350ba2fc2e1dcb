package io.samewire.pack.bind;

import io.samewire.pack.Alias;
import io.samewire.pack.Default;
import io.samewire.pack.Erased;
import io.samewire.pack.Name;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import io.samewire.pack.bind.CompiledType.Slot;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The slots of a case class of Scala's: its first parameters, which have fields in their order, and accessors of their
 * names, of which only the latter keep their type arguments in Scala 3.
 */
final class ScalaStructReader {
    private ScalaStructReader() {}

    /** Returns whether it is a case class with parameters, or an object. */
    static boolean fill(CompiledStruct compiled, JavaType type, NativeTypeReader types) {
        Class<?> raw = type.raw();
        if (!ScalaTypes.isProduct(raw)) {
            return false;
        }
        Field module = ScalaTypes.module(raw);
        if (module != null) {
            compiled.singleton = Access.constant(module);
            compiled.constructor = raw.getDeclaredConstructors()[0];
            return true;
        }
        int parameters = ScalaArity.of(raw);
        if (parameters == 0) {
            return false;
        }
        List<Field> fields = fields(raw, parameters);
        if (fields.size() < parameters) {
            throw NativeTypeReader.misuse(raw.getName() + " has parameters without a field: leave out those of Unit,"
                + " Null and Nothing");
        }
        Class<?>[] erased = fields.stream().map(Field::getType).toArray(Class<?>[]::new);
        try {
            compiled.constructor = raw.getDeclaredConstructor(erased);
        } catch (NoSuchMethodException none) {
            throw NativeTypeReader.misuse(raw.getName() + " has no constructor that takes " + Arrays.toString(erased)
                + " alone, as its fields: declare it without implicit and further parameter lists");
        }
        Annotation[][] given = compiled.constructor.getParameterAnnotations();
        Object companion = companion(raw);
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            Member getter = field;
            AnnotatedType declared = field.getAnnotatedType();
            Method accessor = accessor(raw, field);
            if (accessor != null) {
                getter = accessor;
                declared = accessor.getAnnotatedReturnType();
            }
            Name named = annotation(Name.class, given[i], field);
            String name = named == null ? ScalaTypes.decoded(raw, field.getName()) : named.value();
            Erased erasure = annotation(Erased.class, given[i], field);
            types.enter(name);
            CompiledType inner = types.read(ScalaTypes.named(declared, type.variables(),
                erasure == null ? null : erasure.value(), raw.getName() + "." + field.getName()));
            types.leave();
            Alias alias = annotation(Alias.class, given[i], field);
            Default text = annotation(Default.class, given[i], field);
            compiled.add(new Slot(name, inner, getter,
                text == null ? null : text.value(), alias == null ? List.of() : List.of(alias.value()), false,
                text == null && companion != null ? maker(companion, i + 1) : null));
        }
        return true;
    }

    /** Those of the parameters, which come before those of the body. */
    private static List<Field> fields(Class<?> raw, int parameters) {
        List<Field> fields = new ArrayList<>();
        for (Field field : raw.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && fields.size() < parameters) {
                fields.add(field);
            }
        }
        return fields;
    }

    /** The method that gets a field; null if there is none. */
    static Method accessor(Class<?> raw, Field field) {
        try {
            Method accessor = raw.getDeclaredMethod(field.getName());
            return accessor.getReturnType() == field.getType() ? accessor : null;
        } catch (NoSuchMethodException isPrivate) {
            return null;
        }
    }

    private static Object companion(Class<?> raw) {
        try {
            Field module = ScalaTypes.module(Class.forName(raw.getName() + "$", false, raw.getClassLoader()));
            return module == null ? null : Access.constant(module);
        } catch (ClassNotFoundException none) {
            return null;
        }
    }

    /** What makes the default of a parameter; null if it has none. */
    private static MethodHandle maker(Object companion, int parameter) {
        try {
            Method method = companion.getClass().getDeclaredMethod("$lessinit$greater$default$" + parameter);
            return Access.called(method).bindTo(companion).asType(MethodType.methodType(Object.class));
        } catch (NoSuchMethodException none) {
            return null;
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
}
