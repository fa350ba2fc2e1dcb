package io.samewire.bridge.program;

import io.samewire.bridge.invoke.MethodCaller;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * The caller of the program's methods. Caller-sensitive methods of the JDK use its class loader: {@code Class.forName}
 * finds classes by it, {@code System.loadLibrary} binds a library to it.
 */
public final class ProgramCaller implements MethodCaller {
    /** Creates a caller. */
    public ProgramCaller() {}

    @Override
    public Object call(Method method, Object receiver, Object[] arguments)
            throws InvocationTargetException, IllegalAccessException {
        return method.invoke(receiver, arguments);
    }

    @Override
    public MethodHandles.Lookup lookup() {
        return MethodHandles.lookup();
    }
}
