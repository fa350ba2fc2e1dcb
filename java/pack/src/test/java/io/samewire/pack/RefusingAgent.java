package io.samewire.pack;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** An agent that makes a JVM refuse to define classes by a lookup, as a native image does, except to the JDK itself. */
public final class RefusingAgent {
    private RefusingAgent() {}

    /** Rewrites the methods of {@link MethodHandles.Lookup} that define classes. */
    public static void premain(String arguments, Instrumentation instrumentation) throws Exception {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain,
                byte[] code) {
                return name.equals("java/lang/invoke/MethodHandles$Lookup") ? rewritten(code) : null;
            }
        }, true);
        instrumentation.retransformClasses(MethodHandles.Lookup.class);
    }

    private static byte[] rewritten(byte[] code) {
        ClassReader from = new ClassReader(code);
        ClassWriter to = new ClassWriter(from, ClassWriter.COMPUTE_MAXS);
        from.accept(new ClassVisitor(Opcodes.ASM9, to) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                String[] exceptions) {
                MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
                if (!name.startsWith("define") || (access & Opcodes.ACC_PUBLIC) == 0) {
                    return method;
                }
                return new MethodVisitor(Opcodes.ASM9, method) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        refuse(mv);
                    }
                };
            }
        }, 0);
        return to.toByteArray();
    }

    /** What a method begins with: it throws if its caller is of this library. The JDK's lambdas call it as well. */
    private static void refuse(MethodVisitor method) {
        Label allowed = new Label();
        method.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;",
            false);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Thread", "getStackTrace",
            "()[Ljava/lang/StackTraceElement;", false);
        // Below getStackTrace and the method.
        method.visitInsn(Opcodes.ICONST_2);
        method.visitInsn(Opcodes.AALOAD);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/StackTraceElement", "getClassName",
            "()Ljava/lang/String;", false);
        method.visitLdcInsn("io.samewire.");
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/String", "startsWith", "(Ljava/lang/String;)Z",
            false);
        method.visitJumpInsn(Opcodes.IFEQ, allowed);
        method.visitTypeInsn(Opcodes.NEW, "java/lang/LinkageError");
        method.visitInsn(Opcodes.DUP);
        method.visitLdcInsn("classes cannot be defined here");
        method.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/LinkageError", "<init>", "(Ljava/lang/String;)V",
            false);
        method.visitInsn(Opcodes.ATHROW);
        method.visitLabel(allowed);
        method.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    }
}
