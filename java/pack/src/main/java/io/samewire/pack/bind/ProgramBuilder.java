package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.wire.ClassDefinition;
import io.samewire.pack.wire.Program;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.Writer;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The class of one program: static methods that call each other, and constants that are handed to it when it is
 * defined. Where no class can be defined, its methods are recorded instead, and interpreted.
 */
final class ProgramBuilder {
    /**
     * Where in a class file a constant of a long or string would not do: objects, in fields that are set when the class
     * is made.
     */
    private record Constant(String name, Class<?> type) {}

    private static final MethodHandles.Lookup.ClassOption[] NO_OPTIONS = {};

    final Access access;
    final String self;
    private final boolean tracing;
    /** Where no class can be defined, a {@link RecordedClass}. */
    private final ClassVisitor made;
    private final List<Object> values = new ArrayList<>();
    private final List<Class<?>> types = new ArrayList<>();
    private int methods;

    /** With {@code tracing}, what native types throw says where; with {@code recorded}, the program is interpreted. */
    ProgramBuilder(Access access, boolean tracing, boolean recorded) {
        this.access = access;
        this.tracing = tracing;
        String home = access.host.lookupClass().getPackageName().replace('.', '/');
        this.self = home.isEmpty() ? "Pack$Program" : home + "/Pack$Program";
        if (recorded) {
            this.made = new RecordedClass(self, values, new Linker(access.host));
            return;
        }
        this.made = new ClassWriter(ClassWriter.COMPUTE_FRAMES | ClassWriter.COMPUTE_MAXS) {
            @Override
            protected String getCommonSuperClass(String one, String other) {
                return "java/lang/Object";
            }
        };
        made.visit(Opcodes.V17, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, self, null, Type.getInternalName(Program.class),
            null);
        MethodVisitor init = made.visitMethod(0, "<init>", "()V", null, null);
        init.visitVarInsn(Opcodes.ALOAD, 0);
        init.visitMethodInsn(Opcodes.INVOKESPECIAL, Type.getInternalName(Program.class), "<init>", "()V", false);
        init.visitInsn(Opcodes.RETURN);
        init.visitMaxs(0, 0);
    }

    /** A name for a new method. */
    String name(String prefix) {
        return prefix + methods++;
    }

    Body method(String name, Class<?> result, Class<?>... parameters) {
        int size = 0;
        for (Class<?> parameter : parameters) {
            size += Type.getType(parameter).getSize();
        }
        int flags = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;
        return new Body(made.visitMethod(flags, name, descriptor(result, parameters), null, null), size, tracing);
    }

    void call(Body body, String name, Class<?> result, Class<?>... parameters) {
        body.code.visitMethodInsn(Opcodes.INVOKESTATIC, self, name, descriptor(result, parameters), false);
    }

    private static String descriptor(Class<?> result, Class<?>... parameters) {
        return MethodType.methodType(result, parameters).toMethodDescriptorString();
    }

    /** Pushes an object that is known now; {@code type} must be a class that everyone can name. */
    void constant(Body body, Object value, Class<?> type) {
        int index = -1;
        for (int i = 0; i < values.size() && index < 0; i++) {
            index = values.get(i) == value && types.get(i) == type ? i : -1;
        }
        if (index < 0) {
            index = values.size();
            values.add(value);
            types.add(type);
            int flags = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
            made.visitField(flags, "k" + index, Type.getDescriptor(type), null, null);
        }
        body.code.visitFieldInsn(Opcodes.GETSTATIC, self, "k" + index, Type.getDescriptor(type));
    }

    /** Calls a handle that lies on the stack below its arguments. */
    void invoke(Body body, MethodHandle handle) {
        body.code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact",
            handle.type().toMethodDescriptorString(), false);
    }

    /**
     * The entry that writes: calls {@code name}, which takes a writer and a {@code type}; without a name it refuses.
     */
    void writeEntry(String name, Class<?> type) {
        String signature = descriptor(void.class, Writer.class, Object.class);
        Body body = new Body(made.visitMethod(Opcodes.ACC_PUBLIC, "write", signature, null, null), 3, tracing);
        if (name == null) {
            body.begin(UnsupportedOperationException.class);
            body.construct(UnsupportedOperationException.class);
            body.op(Opcodes.ATHROW);
        } else {
            body.aload(1);
            body.aload(2);
            if (type.isPrimitive()) {
                body.unbox(type);
            } else {
                body.cast(type);
            }
            call(body, name, void.class, Writer.class, type);
            body.op(Opcodes.RETURN);
        }
        body.end();
    }

    /** The entry that reads: calls {@code name}, which takes a reader and returns an object. */
    void readEntry(String name) {
        MethodVisitor entry = made.visitMethod(Opcodes.ACC_PUBLIC, "read", descriptor(Object.class, Reader.class),
            null, null);
        Body body = new Body(entry, 2, tracing);
        body.aload(1);
        call(body, name, Object.class, Reader.class);
        body.op(Opcodes.ARETURN);
        body.end();
    }

    /**
     * Returns the program; null if it turned out only now that no class can be defined, so that the same code must be
     * given to a new builder.
     */
    Program build() {
        if (made instanceof RecordedClass recorded) {
            return new InterpretedProgram(recorded);
        }
        initializer();
        byte[] code;
        try {
            code = ((ClassWriter) made).toByteArray();
        } catch (MethodTooLargeException | ClassTooLargeException tooLarge) {
            throw new SamewireException(Code.UNSUPPORTED, -1, null, "a schema whose code no class of the JVM can hold",
                tooLarge);
        }
        try {
            MethodHandles.Lookup.ClassOption[] options =
                access.nestMate ? new MethodHandles.Lookup.ClassOption[] {MethodHandles.Lookup.ClassOption.NESTMATE}
                : NO_OPTIONS;
            MethodHandles.Lookup program = access.host.defineHiddenClassWithClassData(code, values.toArray(), true,
                options);
            return (Program) program.findConstructor(program.lookupClass(), MethodType.methodType(void.class)).invoke();
        } catch (Throwable failure) {
            if (ClassDefinition.isForbiddenAfterAll()) {
                return null;
            }
            throw new SamewireException(Code.UNSUPPORTED, -1, null, "this JVM refuses the generated code: " + failure,
                failure);
        }
    }

    private void initializer() {
        if (values.isEmpty()) {
            return;
        }
        Body body = new Body(made.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null), 0, tracing);
        int data = body.local(Object[].class);
        body.callStatic(MethodHandles.class, "lookup", MethodHandles.Lookup.class);
        body.code.visitLdcInsn("_");
        body.code.visitLdcInsn(Type.getType(Object[].class));
        body.callStatic(MethodHandles.class, "classData", Object.class, MethodHandles.Lookup.class, String.class,
            Class.class);
        body.cast(Object[].class);
        body.store(Object[].class, data);
        for (int i = 0; i < types.size(); i++) {
            body.aload(data);
            body.push(i);
            body.op(Opcodes.AALOAD);
            body.cast(types.get(i));
            body.code.visitFieldInsn(Opcodes.PUTSTATIC, self, "k" + i, Type.getDescriptor(types.get(i)));
        }
        body.op(Opcodes.RETURN);
        body.end();
    }
}
