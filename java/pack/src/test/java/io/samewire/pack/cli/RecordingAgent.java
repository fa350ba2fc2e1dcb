package io.samewire.pack.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.function.BiConsumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * An agent that records which classes this library looks at by reflection: lines of {@code KIND CLASS CALLER} in the
 * file that is its argument.
 */
public final class RecordingAgent implements BiConsumer<Object, Object> {
    /** Under which the methods of the JDK find the recorder: they see no class of ours. */
    private static final String KEY = "samewire.recorder";
    private static final Map<String, String> OF_CLASS = Map.ofEntries(
        Map.entry("forName", "class"), Map.entry("getRecordComponents", "components"),
        Map.entry("getPermittedSubclasses", "subclasses"), Map.entry("getDeclaredField", "fields"),
        Map.entry("getDeclaredFields", "fields"), Map.entry("getField", "fields"), Map.entry("getFields", "fields"),
        Map.entry("getDeclaredMethod", "methods"), Map.entry("getDeclaredMethods", "methods"),
        Map.entry("getMethod", "methods"), Map.entry("getMethods", "methods"),
        Map.entry("getDeclaredConstructor", "constructors"), Map.entry("getDeclaredConstructors", "constructors"),
        Map.entry("getConstructor", "constructors"), Map.entry("getConstructors", "constructors"));
    private static final Map<String, String> OF_LOOKUP = Map.of("findVirtual", "methods", "findStatic", "methods",
        "findConstructor", "constructors", "findGetter", "fields", "findSetter", "fields", "findStaticGetter",
        "fields");
    private static final Map<String, String> OF_ARRAY = Map.of("newInstance", "array");

    private final PrintStream out;
    private final ThreadLocal<Boolean> busy = ThreadLocal.withInitial(() -> false);

    private RecordingAgent(String file) throws IOException {
        this.out = new PrintStream(file, StandardCharsets.UTF_8);
    }

    /** Rewrites the methods of reflection. */
    public static void premain(String file, Instrumentation instrumentation) throws Exception {
        System.getProperties().put(KEY, new RecordingAgent(file));
        Map<String, Map<String, String>> recorded = Map.of("java/lang/Class", OF_CLASS,
            "java/lang/invoke/MethodHandles$Lookup", OF_LOOKUP, "java/lang/reflect/Array", OF_ARRAY);
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain,
                byte[] code) {
                return recorded.containsKey(name) ? rewritten(code, recorded.get(name)) : null;
            }
        }, true);
        instrumentation.retransformClasses(Class.class, MethodHandles.Lookup.class, Array.class);
    }

    private static byte[] rewritten(byte[] code, Map<String, String> kinds) {
        ClassReader from = new ClassReader(code);
        ClassWriter to = new ClassWriter(from, ClassWriter.COMPUTE_MAXS);
        boolean lookup = kinds == OF_LOOKUP;
        from.accept(new ClassVisitor(Opcodes.ASM9, to) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                String[] exceptions) {
                MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
                if (!kinds.containsKey(name) || (access & Opcodes.ACC_PUBLIC) == 0
                    || descriptor.startsWith("(Ljava/lang/Module;")) {
                    return method;
                }
                return new MethodVisitor(Opcodes.ASM9, method) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        record(mv, kinds.get(name), lookup ? 1 : 0);
                    }
                };
            }
        }, 0);
        return to.toByteArray();
    }

    /** What a method begins with: it hands over the class, or the name of one, in a local variable. */
    private static void record(MethodVisitor method, String kind, int local) {
        method.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "getProperties", "()Ljava/util/Properties;",
            false);
        method.visitLdcInsn(KEY);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/util/Properties", "get",
            "(Ljava/lang/Object;)Ljava/lang/Object;", false);
        method.visitTypeInsn(Opcodes.CHECKCAST, "java/util/function/BiConsumer");
        method.visitLdcInsn(kind);
        method.visitVarInsn(Opcodes.ALOAD, local);
        method.visitMethodInsn(Opcodes.INVOKEINTERFACE, "java/util/function/BiConsumer", "accept",
            "(Ljava/lang/Object;Ljava/lang/Object;)V", true);
    }

    @Override
    public void accept(Object kind, Object named) {
        if (busy.get()) {
            return;
        }
        busy.set(true);
        try {
            // Of this method and of the JDK's.
            String caller = new Throwable().getStackTrace()[2].getClassName();
            if (caller.startsWith("io.samewire.") && !caller.startsWith("io.samewire.pack.cli.")) {
                out.println(kind + " " + (named instanceof Class<?> type ? type.getName() : named) + " " + caller);
                out.flush();
            }
        } finally {
            busy.set(false);
        }
    }
}
