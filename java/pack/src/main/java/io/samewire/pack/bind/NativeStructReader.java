package io.samewire.pack.bind;

import io.samewire.pack.Alias;
import io.samewire.pack.Default;
import io.samewire.pack.bind.CompiledType.Slot;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The slots of a struct. A record has its components. A class with a constructor without parameters has its fields,
 * those of its parents first, as they are declared; any other class has the parameters of its only constructor, each of
 * which must have a field of its name.
 */
final class NativeStructReader {
    private NativeStructReader() {}

    static void fill(CompiledStruct compiled, JavaType type, NativeTypeReader types) {
        KotlinMetadata kotlin = KotlinMetadata.of(type.raw());
        if (!type.raw().isRecord()) {
            checkStatic(type.raw());
        }
        boolean filled = kotlin == null ? ScalaStructReader.fill(compiled, type, types)
            : KotlinStructReader.fill(compiled, type, kotlin, types);
        if (!filled) {
            if (type.raw().isRecord()) {
                ofRecord(compiled, type, types);
            } else {
                ofClass(compiled, type, kotlin, types);
            }
        }
        Set<String> names = new HashSet<>();
        for (Slot slot : compiled.slots) {
            if (!names.add(slot.name)) {
                throw NativeTypeReader.misuse(type.raw() + " has two fields called " + slot.name + " in the schema:"
                    + " give one another @Name");
            }
        }
    }

    private static String defaultText(AnnotatedElement element) {
        Default given = element.getAnnotation(Default.class);
        return given == null ? null : given.value();
    }

    private static void ofRecord(CompiledStruct compiled, JavaType type, NativeTypeReader types) {
        Map<String, JavaType> known = type.variables();
        List<Class<?>> parameters = new ArrayList<>();
        for (RecordComponent component : type.raw().getRecordComponents()) {
            parameters.add(component.getType());
            String name = NativeTypeReader.name(component, component.getName());
            types.enter(name);
            CompiledType inner = types.read(JavaType.of(component.getAnnotatedType(), known));
            types.leave();
            compiled.add(new Slot(name, inner, component.getAccessor(), null, defaultText(component),
                NativeTypeReader.aliases(component)));
        }
        try {
            compiled.constructor = type.raw().getDeclaredConstructor(parameters.toArray(new Class<?>[0]));
        } catch (NoSuchMethodException impossible) {
            throw NativeTypeReader.misuse(type.raw() + " has no canonical constructor");
        }
    }

    private static void checkStatic(Class<?> raw) {
        if (raw.isLocalClass()) {
            throw NativeTypeReader.misuse(raw + " is declared in a method: declare it outside");
        } else if (raw.isMemberClass() && !Modifier.isStatic(raw.getModifiers())) {
            throw NativeTypeReader.misuse(raw + " needs an object around it: make it "
                + (KotlinMetadata.of(raw) == null ? "static" : "a class without inner"));
        }
    }

    private static void ofClass(CompiledStruct compiled, JavaType type, KotlinMetadata kotlin,
        NativeTypeReader types) {
        Class<?> raw = type.raw();
        Constructor<?>[] constructors = raw.getDeclaredConstructors();
        for (Constructor<?> constructor : constructors) {
            if (constructor.getParameterCount() == 0) {
                compiled.constructor = constructor;
                byFields(compiled, type, kotlin, types);
                return;
            }
        }
        if (constructors.length != 1) {
            throw NativeTypeReader.misuse(raw + " has " + constructors.length + " constructors, and needs one, or one"
                + " without parameters: make it a record, or add one without parameters");
        }
        compiled.constructor = constructors[0];
        byConstructor(compiled, type, types);
    }

    /** Fields with the meaning of their class's type variables, parents' first. */
    private static Map<Field, Map<String, JavaType>> fields(JavaType type) {
        Map<Field, Map<String, JavaType>> fields = new LinkedHashMap<>();
        Class<?> parent = type.raw().getSuperclass();
        if (parent != null && parent != Object.class) {
            fields.putAll(fields(type.as(parent)));
        }
        for (Field field : type.raw().getDeclaredFields()) {
            if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0 && !field.isSynthetic()) {
                fields.put(field, type.variables());
            }
        }
        return fields;
    }

    private static void byFields(CompiledStruct compiled, JavaType type, KotlinMetadata kotlin,
        NativeTypeReader types) {
        for (Map.Entry<Field, Map<String, JavaType>> entry : fields(type).entrySet()) {
            Field field = entry.getKey();
            String name = NativeTypeReader.name(field, field.getName());
            types.enter(name);
            if (Modifier.isFinal(field.getModifiers())) {
                throw NativeTypeReader.misuse(field + " is final: make it transient, or let a constructor take it");
            }
            JavaType declared = JavaType.of(field.getAnnotatedType(), entry.getValue());
            KotlinType told = kotlin == null ? null : kotlin.properties.get(field.getName());
            CompiledType inner = told == null ? types.read(declared)
                : KotlinStructReader.compiled(told, declared, type.raw(), types);
            types.leave();
            compiled.add(new Slot(name, inner, field, field, defaultText(field), NativeTypeReader.aliases(field)));
        }
    }

    private static void byConstructor(CompiledStruct compiled, JavaType type, NativeTypeReader types) {
        Map<String, Field> byName = new LinkedHashMap<>();
        Map<Field, Map<String, JavaType>> fields = fields(type);
        for (Field field : fields.keySet()) {
            byName.put(field.getName(), field);
        }
        for (Parameter parameter : compiled.constructor.getParameters()) {
            Field field = byName.get(parameter.getName());
            if (!parameter.isNamePresent() || field == null || field.getType() != parameter.getType()) {
                throw NativeTypeReader.misuse("the parameter " + parameter + " of the constructor of "
                    + type.raw().getName() + " has no field of its name and type: compile with -parameters and name it"
                    + " as its field, or make the class a record");
            }
            AnnotatedElement source = parameter.isAnnotationPresent(Default.class) ? parameter : field;
            String name = NativeTypeReader.name(parameter, NativeTypeReader.name(field, field.getName()));
            types.enter(name);
            CompiledType inner = types.read(JavaType.of(field.getAnnotatedType(), fields.get(field)));
            types.leave();
            AnnotatedElement alias = parameter.isAnnotationPresent(Alias.class) ? parameter : field;
            compiled.add(new Slot(name, inner, field, null, defaultText(source), NativeTypeReader.aliases(alias)));
        }
    }
}
