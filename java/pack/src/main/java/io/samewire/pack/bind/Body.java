package io.samewire.pack.bind;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The body of a static method being generated: instructions, and locals handed out one after another. */
final class Body {
    /** HotSpot's FreqInlineSize. */
    private static final int TOO_LARGE = 325;

    final MethodVisitor code;
    /** Whether what is thrown is to say where: {@link Region}. */
    final boolean tracing;
    private int locals;
    /** Locals that are 1 where a slot was not read whose default its struct's constructor makes, else 0. */
    final Map<CompiledType.Slot, Integer> omitted = new HashMap<>();

    /** Locals below {@code parameters} are taken. */
    Body(MethodVisitor code, int parameters, boolean tracing) {
        this.code = code;
        this.tracing = tracing;
        this.locals = parameters;
        code.visitCode();
    }

    /**
     * Fills the method with code that is never reached, so that it is too large for the JIT to inline it into itself,
     * which it would do once and lose an eighth by it. Belongs behind a return.
     */
    void unreachable() {
        for (int i = 0; i < TOO_LARGE; i++) {
            code.visitInsn(Opcodes.NOP);
        }
        code.visitInsn(Opcodes.ACONST_NULL);
        code.visitInsn(Opcodes.ATHROW);
    }

    void end() {
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    /** A new local for values of a class. */
    int local(Class<?> type) {
        int made = locals;
        locals += Type.getType(type).getSize();
        return made;
    }

    void load(Class<?> type, int local) {
        code.visitVarInsn(Type.getType(type).getOpcode(Opcodes.ILOAD), local);
    }

    void store(Class<?> type, int local) {
        code.visitVarInsn(Type.getType(type).getOpcode(Opcodes.ISTORE), local);
    }

    void aload(int local) {
        code.visitVarInsn(Opcodes.ALOAD, local);
    }

    void iload(int local) {
        code.visitVarInsn(Opcodes.ILOAD, local);
    }

    void istore(int local) {
        code.visitVarInsn(Opcodes.ISTORE, local);
    }

    void op(int opcode) {
        code.visitInsn(opcode);
    }

    void push(int value) {
        if (value >= -1 && value <= 5) {
            code.visitInsn(Opcodes.ICONST_0 + value);
        } else if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) {
            code.visitIntInsn(Opcodes.BIPUSH, value);
        } else if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) {
            code.visitIntInsn(Opcodes.SIPUSH, value);
        } else {
            code.visitLdcInsn(value);
        }
    }

    /** Pushes zero, false or null. */
    void zero(Class<?> type) {
        if (type == long.class) {
            code.visitInsn(Opcodes.LCONST_0);
        } else if (type == float.class) {
            code.visitInsn(Opcodes.FCONST_0);
        } else if (type == double.class) {
            code.visitInsn(Opcodes.DCONST_0);
        } else if (type.isPrimitive()) {
            code.visitInsn(Opcodes.ICONST_0);
        } else {
            code.visitInsn(Opcodes.ACONST_NULL);
            cast(type);
        }
    }

    Label label() {
        return new Label();
    }

    void jump(int opcode, Label to) {
        code.visitJumpInsn(opcode, to);
    }

    void mark(Label label) {
        code.visitLabel(label);
    }

    void cast(Class<?> type) {
        if (type != Object.class) {
            code.visitTypeInsn(Opcodes.CHECKCAST, Type.getInternalName(type));
        }
    }

    /** Calls a public method of ours or of the JDK; {@code parameters} tells overloads apart. */
    void call(Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
        invoke(Opcodes.INVOKEVIRTUAL, owner, name, result, parameters);
    }

    void callStatic(Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
        invoke(Opcodes.INVOKESTATIC, owner, name, result, parameters);
    }

    void callInterface(Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
        invoke(Opcodes.INVOKEINTERFACE, owner, name, result, parameters);
    }

    private void invoke(int opcode, Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
        Type[] types = new Type[parameters.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = Type.getType(parameters[i]);
        }
        code.visitMethodInsn(opcode, Type.getInternalName(owner), name,
            Type.getMethodDescriptor(Type.getType(result), types),
            owner.isInterface());
    }

    void call(Method method) {
        Class<?> owner = method.getDeclaringClass();
        code.visitMethodInsn(owner.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL,
            Type.getInternalName(owner),
            method.getName(), Type.getMethodDescriptor(method), owner.isInterface());
    }

    void get(Field field) {
        field(Opcodes.GETFIELD, field);
    }

    void put(Field field) {
        field(Opcodes.PUTFIELD, field);
    }

    private void field(int opcode, Field field) {
        code.visitFieldInsn(opcode, Type.getInternalName(field.getDeclaringClass()), field.getName(),
            Type.getDescriptor(field.getType()));
    }

    /** Leaves a new object and a copy of its reference, for the constructor to take. */
    void begin(Class<?> made) {
        code.visitTypeInsn(Opcodes.NEW, Type.getInternalName(made));
        code.visitInsn(Opcodes.DUP);
    }

    void construct(Constructor<?> constructor) {
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, Type.getInternalName(constructor.getDeclaringClass()), "<init>",
            Type.getConstructorDescriptor(constructor), false);
    }

    void construct(Class<?> made, Class<?>... parameters) {
        invoke(Opcodes.INVOKESPECIAL, made, "<init>", void.class, parameters);
    }

    /** A primitive on the stack becomes its box; anything else stays. */
    void box(Class<?> primitive) {
        if (primitive.isPrimitive()) {
            callStatic(boxOf(primitive), "valueOf", boxOf(primitive), primitive);
        }
    }

    /** An object on the stack becomes a primitive. */
    void unbox(Class<?> primitive) {
        cast(boxOf(primitive));
        call(boxOf(primitive), primitive.getName() + "Value", primitive);
    }

    static Class<?> boxOf(Class<?> type) {
        return type.isPrimitive() ? java.lang.invoke.MethodType.methodType(type).wrap().returnType() : type;
    }

    static Class<?> primitiveOf(Class<?> type) {
        return java.lang.invoke.MethodType.methodType(type).unwrap().returnType();
    }
}
