package io.samewire.bridge;

/**
 * A Python object. All proxies of Python objects implement this: those of interfaces, and those of objects that are
 * passed where no interface is declared. {@code equals}, {@code hashCode} and {@code toString} call Python.
 */
public interface PythonObject {
    /**
     * Calls a method of the object.
     *
     * @param member the name of a callable attribute
     * @param arguments numbers, texts and bytes go by value, other objects by reference
     * @return numbers, texts, bytes and containers by value; another Python object as a {@code PythonObject}
     * @throws PythonException if Python raised an exception; a Java exception that it raised is thrown itself
     * @throws io.samewire.core.SamewireException {@code closed} if Python is gone
     */
    Object callPython(String member, Object... arguments);
}
