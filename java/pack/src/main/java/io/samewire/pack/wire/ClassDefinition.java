package io.samewire.pack.wire;

import java.lang.invoke.MethodHandles;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Whether classes can be defined at run time. They cannot in a native image of GraalVM and on Android, nor anywhere
 * under {@code -Dsamewire.pack.interpret=true}. Programs are interpreted there.
 */
public final class ClassDefinition {
    private static final String PROPERTY = "samewire.pack.interpret";
    /** Set in native images: {@code runtime}, and {@code buildtime} while one is built. */
    private static final String NATIVE_IMAGE = "org.graalvm.nativeimage.imagecode";
    private static final boolean KNOWN_TO_BE_FORBIDDEN = Boolean.getBoolean(PROPERTY)
        || System.getProperty(NATIVE_IMAGE) != null || "Dalvik".equals(System.getProperty("java.vm.name"));

    private static volatile boolean refused;

    private ClassDefinition() {}

    /** Whether it is known by now that no class can be defined. */
    public static boolean isForbidden() {
        return KNOWN_TO_BE_FORBIDDEN || refused;
    }

    /**
     * Returns {@link #isForbidden} after a definition has failed: tries it with an empty class, and remembers if that
     * fails, too. Where classes can be defined, this costs nothing until one is at fault itself.
     */
    public static boolean isForbiddenAfterAll() {
        if (!isForbidden()) {
            ClassWriter empty = new ClassWriter(0);
            empty.visit(Opcodes.V17, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER,
                ClassDefinition.class.getPackageName().replace('.', '/') + "/Empty", null, "java/lang/Object", null);
            try {
                MethodHandles.lookup().defineHiddenClass(empty.toByteArray(), false);
            } catch (VirtualMachineError exhausted) {
                throw exhausted;
            } catch (Exception | Error forbidden) {
                // An error of the runtime's own in native images, a NoSuchMethodError where the method is not there.
                refused = true;
            }
        }
        return isForbidden();
    }
}
