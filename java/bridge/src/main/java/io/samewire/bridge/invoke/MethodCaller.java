package io.samewire.bridge.invoke;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Who calls the program's methods: a class of the program's own class loader, for methods that ask who calls them. A
 * launched gateway is itself loaded by the boot loader, which takes a tenth of the time.
 */
public interface MethodCaller {
    /** Calls a method as {@link Method#invoke} does. */
    Object call(Method method, Object receiver, Object[] arguments)
        throws InvocationTargetException, IllegalAccessException;

    /** Returns what makes handles whose caller is this one. */
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
     * Where the gateway's jar is on the boot class path alone, as in a JVM whose class path others write: a loader that
     * asks the program's for every class but the caller.
     */
    final class BelowProgram extends ClassLoader {
        /** The boot loader looks for no classes of releases, but finds their files. */
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
