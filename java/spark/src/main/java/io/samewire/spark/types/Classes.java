package io.samewire.spark.types;

import io.samewire.pack.Name;
import io.samewire.pack.Tuple;
import io.samewire.pack.schema.SchemaType;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;
import org.objectweb.asm.Type;
import org.objectweb.asm.TypePath;
import org.objectweb.asm.TypeReference;

/**
 * Java classes for a schema that is known when the program runs only. A codec of them writes and reads with generated
 * code, the same bytes as that of any other program. They live as long as what refers to them.
 */
final class Classes {
    private static final String PACKAGE = Classes.class.getPackageName().replace('.', '/') + "/made/";
    private static final String OBJECT = Type.getInternalName(Object.class);
    private static final String ENUM = Type.getInternalName(Enum.class);
    private static final int VERSION = Opcodes.V17;

    private final Map<SchemaType, String> names = new IdentityHashMap<>();
    private final Map<String, byte[]> files = new HashMap<>();
    private final Map<SchemaType, List<String>> unions = new IdentityHashMap<>();
    private final List<SchemaType> left = new ArrayList<>();
    private final Loader loader = new Loader(files);

    /** Defines the classes when they are first named. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> files;

        Loader(Map<String, byte[]> files) {
            super(Classes.class.getClassLoader());
            this.files = files;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] file = files.get(name.replace('.', '/'));
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, file, 0, file.length);
        }
    }

    private final Class<?> holder;

    /** Makes the classes of a type. */
    Classes(SchemaType root) {
        String name = PACKAGE + "Holder";
        collectUnions(root, new ArrayList<>());
        files.put(name, struct(name, List.of(), new ArrayList<>(List.of(
            new SchemaType.Field("value", root, false, List.of()))), false, null));
        while (!left.isEmpty()) {
            SchemaType type = left.remove(left.size() - 1);
            files.put(names.get(type), file(type));
        }
        holder = load(name);
    }

    /** Returns a class that has one field of the root's type, {@code f0}. */
    Class<?> holder() {
        return holder;
    }

    /** Returns the class of a struct, tuple, union or enum. */
    Class<?> of(SchemaType type) {
        return load(names.get(type));
    }

    private Class<?> load(String name) {
        try {
            return Class.forName(name.replace('/', '.'), true, loader);
        } catch (ClassNotFoundException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void collectUnions(SchemaType type, List<SchemaType> seen) {
        if (seen.contains(type)) {
            return;
        }
        seen.add(type);
        if (type instanceof SchemaType.Union union) {
            for (SchemaType.Struct member : union.members) {
                unions.computeIfAbsent(member, key -> new ArrayList<>()).add(name(union));
            }
        }
        type.parts().forEach(part -> collectUnions(part, seen));
    }

    private String name(SchemaType type) {
        String known = names.get(type);
        if (known != null) {
            return known;
        }
        String made = PACKAGE + "C" + names.size();
        names.put(type, made);
        left.add(type);
        return made;
    }

    private byte[] file(SchemaType type) {
        String name = names.get(type);
        if (type instanceof SchemaType.Struct struct) {
            return struct(name, unions.getOrDefault(struct, List.of()), struct.fields, false, struct.name);
        } else if (type instanceof SchemaType.EnumOf symbols) {
            return symbols(name, symbols);
        } else if (type instanceof SchemaType.Union union) {
            ClassWriter out = new ClassWriter(0);
            out.visit(VERSION, Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT, name, null, OBJECT,
                null);
            union.members.forEach(member -> out.visitPermittedSubclass(name(member)));
            out.visitEnd();
            return out.toByteArray();
        }
        List<SchemaType.Field> fields = new ArrayList<>();
        for (SchemaType item : ((SchemaType.TupleOf) type).items) {
            fields.add(new SchemaType.Field("_" + fields.size(), item, false, List.of()));
        }
        return struct(name, List.of(), fields, true, null);
    }

    private byte[] struct(String name, List<String> interfaces, List<SchemaType.Field> fields, boolean tuple,
        String called) {
        ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        List<String> all = new ArrayList<>(interfaces);
        all.add(Type.getInternalName(Fields.class));
        String parent = tuple ? Type.getInternalName(Record.class) : OBJECT;
        out.visit(VERSION, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER
            | (tuple ? Opcodes.ACC_RECORD : 0), name, null, parent, all.toArray(new String[0]));
        if (tuple) {
            out.visitAnnotation(Type.getDescriptor(Tuple.class), true).visitEnd();
        }
        if (called != null) {
            named(out.visitAnnotation(Type.getDescriptor(Name.class), true), called);
        }
        List<JavaForm> forms = new ArrayList<>();
        for (SchemaType.Field field : fields) {
            JavaForm form = JavaForm.of(field.type(), this::name);
            FieldVisitor made = out.visitField(Opcodes.ACC_PUBLIC, "f" + forms.size(), form.descriptor(),
                form.signature(), null);
            named(made.visitAnnotation(Type.getDescriptor(Name.class), true), field.name());
            mark(form, made::visitTypeAnnotation);
            made.visitEnd();
            if (tuple) {
                component(out, name, "f" + forms.size(), form);
            }
            forms.add(form);
        }
        constructor(out, parent, "()V", 0);
        if (tuple) {
            canonical(out, name, forms);
        }
        access(out, name, forms, "get", "(I)Ljava/lang/Object;", false);
        access(out, name, forms, "set", "(ILjava/lang/Object;)V", true);
        out.visitEnd();
        return out.toByteArray();
    }

    /** Where the annotations of a type go. */
    private interface Marked {
        AnnotationVisitor visit(int reference, TypePath path, String descriptor, boolean visible);
    }

    private static void mark(JavaForm form, Marked place) {
        for (JavaForm.Mark mark : form.marks()) {
            place.visit(TypeReference.newTypeReference(TypeReference.FIELD).getValue(),
                mark.path().isEmpty() ? null : TypePath.fromString(mark.path()),
                Type.getDescriptor(mark.annotation()), true).visitEnd();
        }
    }

    /** A component of a tuple, which is a record, with its accessor. */
    private static void component(ClassWriter out, String name, String field, JavaForm form) {
        RecordComponentVisitor made = out.visitRecordComponent(field, form.descriptor(), form.signature());
        mark(form, made::visitTypeAnnotation);
        made.visitEnd();
        MethodVisitor code = out.visitMethod(Opcodes.ACC_PUBLIC, field, "()" + form.descriptor(), null, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitFieldInsn(Opcodes.GETFIELD, name, field, form.descriptor());
        end(code, Opcodes.ARETURN);
    }

    /** The constructor of a record with all its components. */
    private static void canonical(ClassWriter out, String name, List<JavaForm> forms) {
        String parameters = String.join("", forms.stream().map(JavaForm::descriptor).toList());
        MethodVisitor code = out.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(" + parameters + ")V", null, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, Type.getInternalName(Record.class), "<init>", "()V", false);
        for (int i = 0; i < forms.size(); i++) {
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitVarInsn(Opcodes.ALOAD, i + 1);
            code.visitFieldInsn(Opcodes.PUTFIELD, name, "f" + i, forms.get(i).descriptor());
        }
        end(code, Opcodes.RETURN);
    }

    private static void named(AnnotationVisitor annotation, String name) {
        annotation.visit("value", name);
        annotation.visitEnd();
    }

    /** A constructor that hands its parameters, {@code arguments} slots of locals, to its parent's. */
    private static void constructor(ClassWriter out, String parent, String descriptor, int arguments) {
        MethodVisitor code = out.visitMethod(arguments == 0 ? Opcodes.ACC_PUBLIC : Opcodes.ACC_PRIVATE, "<init>",
            descriptor, null, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        if (arguments == 2) {
            code.visitVarInsn(Opcodes.ALOAD, 1);
            code.visitVarInsn(Opcodes.ILOAD, 2);
        }
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, parent, "<init>", descriptor, false);
        end(code, Opcodes.RETURN);
    }

    private static void end(MethodVisitor code, int returns) {
        code.visitInsn(returns);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    /** {@link Fields#get} or {@link Fields#set}. */
    private static void access(ClassWriter out, String name, List<JavaForm> forms, String method, String descriptor,
        boolean sets) {
        MethodVisitor code = out.visitMethod(Opcodes.ACC_PUBLIC, method, descriptor, null, null);
        code.visitCode();
        Label other = new Label();
        Label[] cases = new Label[forms.size()];
        for (int i = 0; i < cases.length; i++) {
            cases[i] = new Label();
        }
        if (cases.length > 0) {
            code.visitVarInsn(Opcodes.ILOAD, 1);
            code.visitTableSwitchInsn(0, cases.length - 1, other, cases);
        }
        for (int i = 0; i < cases.length; i++) {
            String field = forms.get(i).descriptor();
            code.visitLabel(cases[i]);
            code.visitVarInsn(Opcodes.ALOAD, 0);
            if (sets) {
                code.visitVarInsn(Opcodes.ALOAD, 2);
                code.visitTypeInsn(Opcodes.CHECKCAST, Type.getType(field).getInternalName());
                code.visitFieldInsn(Opcodes.PUTFIELD, name, "f" + i, field);
                code.visitInsn(Opcodes.RETURN);
            } else {
                code.visitFieldInsn(Opcodes.GETFIELD, name, "f" + i, field);
                code.visitInsn(Opcodes.ARETURN);
            }
        }
        code.visitLabel(other);
        code.visitTypeInsn(Opcodes.NEW, "java/lang/IndexOutOfBoundsException");
        code.visitInsn(Opcodes.DUP);
        code.visitVarInsn(Opcodes.ILOAD, 1);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/IndexOutOfBoundsException", "<init>", "(I)V", false);
        end(code, Opcodes.ATHROW);
    }

    /** An enum, whose constants have the names {@code s0}, {@code s1} … in Java. */
    private static byte[] symbols(String name, SchemaType.EnumOf type) {
        ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        String own = "L" + name + ";";
        String array = "[" + own;
        out.visit(VERSION, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_ENUM, name,
            "Ljava/lang/Enum<" + own + ">;", ENUM, null);
        named(out.visitAnnotation(Type.getDescriptor(Name.class), true), type.name);
        constructor(out, ENUM, "(Ljava/lang/String;I)V", 2);
        MethodVisitor made = out.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
        made.visitCode();
        made.visitLdcInsn(type.symbols.size());
        made.visitTypeInsn(Opcodes.ANEWARRAY, name);
        for (int i = 0; i < type.symbols.size(); i++) {
            FieldVisitor constant = out.visitField(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL
                | Opcodes.ACC_ENUM, "s" + i, own, null, null);
            named(constant.visitAnnotation(Type.getDescriptor(Name.class), true), type.symbols.get(i));
            constant.visitEnd();
            made.visitInsn(Opcodes.DUP);
            made.visitLdcInsn(i);
            made.visitTypeInsn(Opcodes.NEW, name);
            made.visitInsn(Opcodes.DUP);
            made.visitLdcInsn("s" + i);
            made.visitLdcInsn(i);
            made.visitMethodInsn(Opcodes.INVOKESPECIAL, name, "<init>", "(Ljava/lang/String;I)V", false);
            made.visitInsn(Opcodes.DUP);
            made.visitFieldInsn(Opcodes.PUTSTATIC, name, "s" + i, own);
            made.visitInsn(Opcodes.AASTORE);
        }
        made.visitFieldInsn(Opcodes.PUTSTATIC, name, "all", array);
        end(made, Opcodes.RETURN);
        out.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC, "all",
            array, null, null).visitEnd();
        MethodVisitor values = out.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "values", "()" + array, null,
            null);
        values.visitCode();
        values.visitFieldInsn(Opcodes.GETSTATIC, name, "all", array);
        values.visitMethodInsn(Opcodes.INVOKEVIRTUAL, array, "clone", "()Ljava/lang/Object;", false);
        values.visitTypeInsn(Opcodes.CHECKCAST, array);
        end(values, Opcodes.ARETURN);
        out.visitEnd();
        return out.toByteArray();
    }

    /** A maker of a struct's or tuple's objects. */
    MethodHandle maker(SchemaType type) {
        return maker(of(type));
    }

    static MethodHandle maker(Class<?> made) {
        try {
            return MethodHandles.publicLookup().unreflectConstructor(made.getConstructor())
                .asType(MethodType.methodType(Fields.class));
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
