package io.samewire.pack.bind;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * How many parameters a case class has in its first list. Reflection shows its fields, of which those of the parameters
 * come first, and its constructors, of which the user may have declared some. The number itself is the constant that
 * {@code productArity} returns, and no instance is there yet to ask.
 */
final class ScalaArity {
    private ScalaArity() {}

    static int of(Class<?> type) {
        String name = type.getName();
        try (InputStream file = type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            if (file != null) {
                Arity arity = new Arity();
                new ClassReader(file).accept(arity, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
                if (arity.found >= 0) {
                    return arity.found;
                }
            }
        } catch (IOException | IllegalArgumentException unreadable) {
            // Of a class file that is not there, or newer than ASM, the methods say it if the user has no copy.
            return ofCopy(type);
        }
        return ofCopy(type);
    }

    /** The compiler's own {@code copy} has a default for each parameter. */
    private static int ofCopy(Class<?> type) {
        int parameters = 0;
        for (Method method : type.getDeclaredMethods()) {
            parameters += method.getName().startsWith("copy$default$") && !method.isBridge() ? 1 : 0;
        }
        return parameters;
    }

    /** Finds the last constant before {@code productArity} returns. */
    private static final class Arity extends ClassVisitor {
        private int found = -1;

        Arity() {
            super(Opcodes.ASM9);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
            String[] exceptions) {
            if (!name.equals("productArity") || !descriptor.equals("()I")) {
                return null;
            }
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitInsn(int opcode) {
                    if (opcode >= Opcodes.ICONST_0 && opcode <= Opcodes.ICONST_5) {
                        found = opcode - Opcodes.ICONST_0;
                    }
                }

                @Override
                public void visitIntInsn(int opcode, int operand) {
                    found = operand;
                }
            };
        }
    }
}
