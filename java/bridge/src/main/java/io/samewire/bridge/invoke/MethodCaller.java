package io.samewire.bridge.invoke;

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
            try {
                Class<?> type = Class.forName(NAME, true, ours != null ? ours : ClassLoader.getSystemClassLoader());
                return (MethodCaller) type.getConstructor().newInstance();
            } catch (ReflectiveOperationException broken) {
                throw new LinkageError("the gateway's jar is on the boot class path alone, not on the class path",
                    broken);
            }
        }
    }
}
