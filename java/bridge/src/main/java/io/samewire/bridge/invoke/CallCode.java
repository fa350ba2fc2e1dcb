package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.value.Primitives;
import io.samewire.bridge.value.ValueWriter;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The code of one site, as a hidden class: reads each argument by its kind, invokes the member, writes the result.
 * The handle of the member is a constant to the JIT, which compiles all of it as one piece. Types are erased to
 * those that the hidden class can access.
 */
final class CallCode {
    private static final String SELF = "io/samewire/bridge/invoke/Site";
    private static final String INPUT = Type.getInternalName(Input.class);
    private static final String OUTPUT = Type.getInternalName(Output.class);
    private static final String CHANNEL = Type.getInternalName(Channel.class);
    private static final int CHANNEL_LOCAL = 1;
    private static final int INPUT_LOCAL = 2;
    private static final int OUTPUT_LOCAL = 3;

    private final Call call;
    private final ClassWriter made;
    private final List<Object> constants = new ArrayList<>();
    private final List<Class<?>> constantTypes = new ArrayList<>();
    private int locals = 4;
    private int returnedLocal;

    private CallCode(Call call) {
        this.call = call;
        this.made = new ClassWriter(ClassWriter.COMPUTE_FRAMES | ClassWriter.COMPUTE_MAXS) {
            @Override
            protected String getCommonSuperClass(String one, String other) {
                return "java/lang/Object";
            }
        };
    }

    /** Returns the code of a call; null if its member cannot be reached by a handle. */
    static Invocation of(Call call) {
        try {
            return new CallCode(call).make();
        } catch (IllegalAccessException | LinkageError | IllegalArgumentException refused) {
            // For example, too many parameters for a handle: the call stays on reflection.
            return null;
        }
    }

    /** How an argument is read, by a method of {@link Input} or by its reader; and the resulting type on the stack. */
    private static final class Argument {
        final ArgumentReader reader;
        final String direct;
        final Class<?> type;
        int local;

        Argument(ArgumentReader reader, String direct, Class<?> type) {
            this.reader = reader;
            this.direct = direct;
            this.type = type;
        }
    }

    private static Argument argument(ArgumentReader reader) {
        Class<?> natural = ArgumentTypes.plain(reader.kind());
        Class<?> declared = reader.target().raw();
        if (natural != null && (natural.isPrimitive() && declared.isPrimitive() ? Primitives.widens(natural, declared)
            : declared.isAssignableFrom(Primitives.boxed(natural)))) {
            return new Argument(reader, method(reader.kind().form()), natural);
        }
        return new Argument(reader, null, declared.isPrimitive() ? Primitives.boxed(declared) : Object.class);
    }

    private static String method(Kind.Form form) {
        switch (form) {
            case BOOL:
                return "bool";
            case I8:
                return "i8";
            case I16:
                return "i16";
            case I32:
                return "i32";
            case I64:
                return "i64";
            case F32:
                return "f32";
            case F64:
                return "f64";
            case CHAR:
                return "character";
            case STRING:
                return "string";
            default:
                return "bytes";
        }
    }

    private Invocation make() throws IllegalAccessException {
        List<Argument> arguments = new ArrayList<>();
        for (ArgumentReader reader : call.arguments()) {
            arguments.add(argument(reader));
        }
        Class<?> result = returned();
        MethodHandle handle = handle(arguments, result);
        made.visit(Opcodes.V17, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, SELF, null, "java/lang/Object",
            new String[] {Type.getInternalName(Invocation.class)});
        constructor();
        result(constant(call.writer().kind(), Kind.class));
        invoke(arguments, handle, result);
        initializer();
        try {
            MethodHandles.Lookup site = MethodHandles.lookup().defineHiddenClassWithClassData(made.toByteArray(),
                constants.toArray(), true);
            return (Invocation) site.findConstructor(site.lookupClass(), MethodType.methodType(void.class)).invoke();
        } catch (RuntimeException | Error | IllegalAccessException failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The handle's return type: erased to Object, unless the value is written directly. */
    private Class<?> returned() {
        Member member = call.callee().member();
        Class<?> declared = member instanceof Method ? ((Method) member).getReturnType()
            : member instanceof Field ? ((Field) member).getType() : member.getDeclaringClass();
        return declared.isPrimitive() || declared == String.class ? declared : Object.class;
    }

    private MethodHandle handle(List<Argument> arguments, Class<?> result) throws IllegalAccessException {
        Member member = call.callee().member();
        MethodHandles.Lookup lookup = MethodCaller.ofProgram().lookup();
        MethodHandle handle = member instanceof Method ? lookup.unreflect((Method) member)
            : member instanceof Field ? lookup.unreflectGetter((Field) member)
            : lookup.unreflectConstructor((Constructor<?>) member);
        handle = handle.asFixedArity();
        if (call.receiver() != null && Modifier.isStatic(member.getModifiers())) {
            handle = MethodHandles.dropArguments(handle, 0, Object.class);
        }
        int receiver = call.receiver() == null ? 0 : 1;
        if (call.isSpread()) {
            int fixed = handle.type().parameterCount() - 1;
            handle = handle.asCollector(handle.type().parameterType(fixed), arguments.size() + receiver - fixed);
        }
        MethodType type = MethodType.methodType(result);
        if (receiver != 0) {
            type = type.appendParameterTypes(Object.class);
        }
        for (Argument argument : arguments) {
            type = type.appendParameterTypes(argument.type);
        }
        return handle.asType(type);
    }

    private String constant(Object value, Class<?> type) {
        String name = "k" + constants.size();
        constants.add(value);
        constantTypes.add(type);
        made.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL, name, Type.getDescriptor(type),
            null, null);
        return name;
    }

    private void load(MethodVisitor code, String name, Class<?> type) {
        code.visitFieldInsn(Opcodes.GETSTATIC, SELF, name, Type.getDescriptor(type));
    }

    private static String descriptor(Class<?> result, Class<?>... parameters) {
        return MethodType.methodType(result, parameters).toMethodDescriptorString();
    }

    private void constructor() {
        MethodVisitor code = made.visitMethod(0, "<init>", "()V", null, null);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
    }

    private void result(String kind) {
        MethodVisitor code = made.visitMethod(Opcodes.ACC_PUBLIC, "result", descriptor(Kind.class), null, null);
        load(code, kind, Kind.class);
        code.visitInsn(Opcodes.ARETURN);
        code.visitMaxs(0, 0);
    }

    private int local(Class<?> type) {
        int at = locals;
        locals += Type.getType(type).getSize();
        return at;
    }

    private void invoke(List<Argument> arguments, MethodHandle handle, Class<?> result) {
        MethodVisitor code = made.visitMethod(Opcodes.ACC_PUBLIC, "invoke",
            descriptor(void.class, Channel.class, Input.class, Output.class), null,
            new String[] {"java/lang/Throwable"});
        int receiver = call.receiver() == null ? 0 : local(Object.class);
        if (receiver != 0) {
            read(code, constant(call.receiver(), ArgumentReader.class));
            code.visitVarInsn(Opcodes.ASTORE, receiver);
        }
        List<String> readers = new ArrayList<>();
        for (Argument argument : arguments) {
            String reader = null;
            if (argument.direct != null) {
                code.visitVarInsn(Opcodes.ALOAD, INPUT_LOCAL);
                code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, INPUT, argument.direct, descriptor(argument.type), false);
                argument.local = local(argument.type);
                code.visitVarInsn(Type.getType(argument.type).getOpcode(Opcodes.ISTORE), argument.local);
            } else {
                reader = constant(argument.reader, ArgumentReader.class);
                read(code, reader);
                argument.local = local(Object.class);
                code.visitVarInsn(Opcodes.ASTORE, argument.local);
            }
            readers.add(reader);
        }
        code.visitVarInsn(Opcodes.ALOAD, INPUT_LOCAL);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, INPUT, "finish", "()V", false);
        convert(code, arguments, readers);
        if (receiver != 0) {
            code.visitVarInsn(Opcodes.ALOAD, receiver);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, Type.getInternalName(HotCode.class), "receiver",
                descriptor(Object.class, Object.class), false);
            code.visitVarInsn(Opcodes.ASTORE, receiver);
        }
        exact(code, arguments, receiver, handle, result);
        write(code, result);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
    }

    private void read(MethodVisitor code, String reader) {
        load(code, reader, ArgumentReader.class);
        code.visitVarInsn(Opcodes.ALOAD, CHANNEL_LOCAL);
        code.visitVarInsn(Opcodes.ALOAD, INPUT_LOCAL);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, Type.getInternalName(ArgumentReader.class), "read",
            descriptor(Object.class, Channel.class, Input.class), false);
    }

    private void convert(MethodVisitor code, List<Argument> arguments, List<String> readers) {
        String session = null;
        for (int i = 0; i < readers.size(); i++) {
            if (readers.get(i) == null) {
                continue;
            }
            session = session == null ? constant(call.session(), Session.class) : session;
            load(code, readers.get(i), ArgumentReader.class);
            load(code, session, Session.class);
            code.visitVarInsn(Opcodes.ALOAD, arguments.get(i).local);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, Type.getInternalName(ArgumentReader.class), "convert",
                descriptor(Object.class, Session.class, Object.class), false);
            code.visitVarInsn(Opcodes.ASTORE, arguments.get(i).local);
        }
    }

    /** Invokes the member; only its exceptions, and no others, are passed to the channel. */
    private void exact(MethodVisitor code, List<Argument> arguments, int receiver, MethodHandle handle,
        Class<?> result) {
        Label from = new Label();
        Label to = new Label();
        Label failed = new Label();
        Label after = new Label();
        code.visitTryCatchBlock(from, to, failed, "java/lang/Throwable");
        load(code, constant(handle, MethodHandle.class), MethodHandle.class);
        if (receiver != 0) {
            code.visitVarInsn(Opcodes.ALOAD, receiver);
        }
        for (Argument argument : arguments) {
            code.visitVarInsn(Type.getType(argument.type).getOpcode(Opcodes.ILOAD), argument.local);
            if (argument.direct == null && argument.type != Object.class) {
                code.visitTypeInsn(Opcodes.CHECKCAST, Type.getInternalName(argument.type));
            }
        }
        code.visitLabel(from);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact",
            handle.type().toMethodDescriptorString(), false);
        code.visitLabel(to);
        code.visitJumpInsn(Opcodes.GOTO, after);
        code.visitLabel(failed);
        code.visitVarInsn(Opcodes.ALOAD, CHANNEL_LOCAL);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, Type.getInternalName(HotCode.class), "threw",
            descriptor(void.class, Throwable.class, Channel.class), false);
        code.visitInsn(Opcodes.RETURN);
        code.visitLabel(after);
        if (result != void.class) {
            int at = local(result);
            code.visitVarInsn(Type.getType(result).getOpcode(Opcodes.ISTORE), at);
            returnedLocal = at;
        }
    }

    private void write(MethodVisitor code, Class<?> result) {
        Label single = new Label();
        code.visitVarInsn(Opcodes.ALOAD, CHANNEL_LOCAL);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CHANNEL, "batching", "()Z", false);
        code.visitJumpInsn(Opcodes.IFEQ, single);
        code.visitVarInsn(Opcodes.ALOAD, CHANNEL_LOCAL);
        box(code, result);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CHANNEL, "keep", "(Ljava/lang/Object;)V", false);
        code.visitLabel(single);
        Kind.Form form = call.writer().kind().form();
        if (form == Kind.Form.VOID) {
            return;
        }
        String direct = direct(form, result);
        if (direct != null) {
            code.visitVarInsn(Opcodes.ALOAD, OUTPUT_LOCAL);
            code.visitVarInsn(Type.getType(result).getOpcode(Opcodes.ILOAD), returnedLocal);
            Class<?> wide = result == byte.class || result == short.class || result == char.class ? int.class : result;
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, OUTPUT, direct, descriptor(void.class, wide), false);
        } else if (result == String.class && call.writer().kind().text().equals("option<string>")) {
            code.visitVarInsn(Opcodes.ALOAD, OUTPUT_LOCAL);
            code.visitVarInsn(Opcodes.ALOAD, returnedLocal);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, Type.getInternalName(HotCode.class), "text",
                descriptor(void.class, Output.class, String.class), false);
        } else {
            load(code, constant(call.writer(), ValueWriter.class), ValueWriter.class);
            load(code, constant(call.session(), Session.class), Session.class);
            code.visitVarInsn(Opcodes.ALOAD, OUTPUT_LOCAL);
            box(code, result);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, Type.getInternalName(ValueWriter.class), "write",
                descriptor(void.class, Session.class, Output.class, Object.class), false);
        }
    }

    /** The method of {@link Output} that writes a primitive as its own kind; null if there is none. */
    private static String direct(Kind.Form form, Class<?> result) {
        switch (form) {
            case BOOL:
                return result == boolean.class ? "bool" : null;
            case I8:
                return result == byte.class ? "u8" : null;
            case I16:
                return result == short.class ? "i16" : null;
            case CHAR:
                return result == char.class ? "i16" : null;
            case I32:
                return result == int.class ? "i32" : null;
            case I64:
                return result == long.class ? "i64" : null;
            case F32:
                return result == float.class ? "f32" : null;
            case F64:
                return result == double.class ? "f64" : null;
            default:
                return null;
        }
    }

    /** Boxes the returned value. */
    private void box(MethodVisitor code, Class<?> result) {
        if (result == void.class) {
            code.visitInsn(Opcodes.ACONST_NULL);
            return;
        }
        code.visitVarInsn(Type.getType(result).getOpcode(Opcodes.ILOAD), returnedLocal);
        if (result.isPrimitive()) {
            Class<?> boxed = Primitives.boxed(result);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, Type.getInternalName(boxed), "valueOf",
                descriptor(boxed, result), false);
        }
    }

    private void initializer() {
        MethodVisitor code = made.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/invoke/MethodHandles", "lookup",
            descriptor(MethodHandles.Lookup.class), false);
        code.visitLdcInsn("_");
        code.visitLdcInsn(Type.getType(Object[].class));
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/invoke/MethodHandles", "classData",
            descriptor(Object.class, MethodHandles.Lookup.class, String.class, Class.class), false);
        code.visitTypeInsn(Opcodes.CHECKCAST, "[Ljava/lang/Object;");
        code.visitVarInsn(Opcodes.ASTORE, 0);
        for (int i = 0; i < constants.size(); i++) {
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitIntInsn(Opcodes.SIPUSH, i);
            code.visitInsn(Opcodes.AALOAD);
            code.visitTypeInsn(Opcodes.CHECKCAST, Type.getInternalName(constantTypes.get(i)));
            code.visitFieldInsn(Opcodes.PUTSTATIC, SELF, "k" + i, Type.getDescriptor(constantTypes.get(i)));
        }
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
    }
}
