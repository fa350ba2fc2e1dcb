package io.samewire.pack.wire;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The bytes inside a {@link String}, where this JVM lets us see them: half again as fast as any other way. {@code
 * sun.misc.Unsafe} is called from a class made here, because the compiler rightly warns of it; JVMs that will take it away
 * (24 and later) are left alone, as are those without compact strings. {@code -Dsamewire.unsafe=false} turns this off;
 * nothing but speed depends on it.
 */
public abstract class RawStrings {
    private static final String NAME = Type.getInternalName(RawStrings.class) + "ByUnsafe";
    private static final int LAST_QUIET_VERSION = 23;

    /** Null where strings cannot be seen into. */
    static final RawStrings RAW = open();

    /** For the class made here. */
    protected RawStrings() {}

    /** The array inside a string: one byte a character, or two in native order. The string is not null. */
    abstract byte[] value(String text);

    /** 0 where {@link #value} holds Latin-1. */
    abstract byte coder(String text);

    private static RawStrings open() {
        if (Runtime.version().feature() > LAST_QUIET_VERSION || ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN
            || !Boolean.parseBoolean(System.getProperty("samewire.unsafe", "true"))) {
            return null;
        }
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Object theUnsafe = instance.get(null);
            var offset = unsafe.getMethod("objectFieldOffset", Field.class);
            Field value = String.class.getDeclaredField("value");
            Field coder = String.class.getDeclaredField("coder");
            if (value.getType() != byte[].class || coder.getType() != byte.class) {
                return null;
            }
            byte[] code = code((long) offset.invoke(theUnsafe, value), (long) offset.invoke(theUnsafe, coder));
            RawStrings made = (RawStrings) MethodHandles.lookup().defineHiddenClass(code, true).lookupClass()
                .getDeclaredConstructor(unsafe).newInstance(theUnsafe);
            return made.works() ? made : null;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError refused) {
            return null;
        }
    }

    private boolean works() {
        return coder("aé") == 0 && value("aé").length == 2 && value("aé")[1] == (byte) 0xe9 && coder("\u0416") == 1
            && value("\u0416").length == 2 && value("\u0416")[0] == 0x16;
    }

    private static byte[] code(long valueOffset, long coderOffset) {
        String unsafe = "sun/misc/Unsafe";
        ClassWriter made = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        made.visit(Opcodes.V17, Opcodes.ACC_FINAL, NAME, null, Type.getInternalName(RawStrings.class), null);
        made.visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL, "unsafe", "L" + unsafe + ";", null, null);

        MethodVisitor init = made.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(L" + unsafe + ";)V", null, null);
        init.visitVarInsn(Opcodes.ALOAD, 0);
        init.visitMethodInsn(Opcodes.INVOKESPECIAL, Type.getInternalName(RawStrings.class), "<init>", "()V", false);
        init.visitVarInsn(Opcodes.ALOAD, 0);
        init.visitVarInsn(Opcodes.ALOAD, 1);
        init.visitFieldInsn(Opcodes.PUTFIELD, NAME, "unsafe", "L" + unsafe + ";");
        init.visitInsn(Opcodes.RETURN);
        init.visitMaxs(0, 0);

        MethodVisitor value = getter(made, "value", "[B", valueOffset, "getObject", "Ljava/lang/Object;");
        value.visitTypeInsn(Opcodes.CHECKCAST, "[B");
        value.visitInsn(Opcodes.ARETURN);
        value.visitMaxs(0, 0);
        MethodVisitor coder = getter(made, "coder", "B", coderOffset, "getByte", "B");
        coder.visitInsn(Opcodes.IRETURN);
        coder.visitMaxs(0, 0);
        return made.toByteArray();
    }

    /** Begins a method that calls a getter of {@code Unsafe} on its argument; the caller ends it with a return. */
    private static MethodVisitor getter(ClassWriter made, String name, String type, long offset, String call, String got) {
        MethodVisitor method = made.visitMethod(0, name, "(Ljava/lang/String;)" + type, null, null);
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitFieldInsn(Opcodes.GETFIELD, NAME, "unsafe", "Lsun/misc/Unsafe;");
        method.visitVarInsn(Opcodes.ALOAD, 1);
        method.visitLdcInsn(offset);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "sun/misc/Unsafe", call, "(Ljava/lang/Object;J)" + got, false);
        return method;
    }
}
