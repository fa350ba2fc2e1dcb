package io.samewire.bridge.invoke;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * The caller of the program's methods: a class of the program's class loader, for caller-sensitive methods. A launched
 * gateway itself is loaded by the boot loader, which takes a tenth of the time.
 */
public interface MethodCaller {
    /** Calls a method as {@link Method#invoke} does. */
    Object call(Method method, Object receiver, Object[] arguments)
        throws InvocationTargetException, IllegalAccessException;

    /** Returns a lookup whose handles have this caller. */
    MethodHandles.Lookup lookup();

    /** Returns the caller of this gateway. */
    static MethodCaller ofProgram() {
        return Found.CALLER;
    }

    /** Loaded with the first call. */
    final class Found {
        private static final String NAME = "io.samewire.bridge.program.ProgramCaller";
        private static final MethodCaller CALLER = find();

        private Found() {}

        private static MethodCaller find() {
            ClassLoader ours = MethodCaller.class.getClassLoader();
            ClassLoader program = ours != null ? ours : ClassLoader.getSystemClassLoader();
            try {
                return (MethodCaller) type(program).getConstructor().newInstance();
            } catch (ReflectiveOperationException | IOException broken) {
                throw new LinkageError("the gateway's jar has no class " + NAME, broken);
            }
        }

        private static Class<?> type(ClassLoader program) throws ClassNotFoundException, IOException {
            try {
                return Class.forName(NAME, true, program);
            } catch (ClassNotFoundException onBootPathAlone) {
                return new BelowProgram(program).type();
            }
        }
    }

    /**
     * A loader that delegates to the program's for every class except the caller. It is used if the gateway's jar is
     * only on the boot class path, as in a JVM whose class path is set by others.
     */
    final class BelowProgram extends ClassLoader {
        /** The boot loader does not load classes of multi-release jars, but finds their files. */
        private static final String FILE = "META-INF/versions/17/" + Found.NAME.replace('.', '/') + ".class";

        private BelowProgram(ClassLoader program) {
            super(program);
        }

        private Class<?> type() throws ClassNotFoundException, IOException {
            try (InputStream file = getResourceAsStream(FILE)) {
                if (file == null) {
                    throw new ClassNotFoundException(Found.NAME);
                }
                byte[] code = file.readAllBytes();
                return defineClass(Found.NAME, code, 0, code.length);
            }
        }
    }
}
