package io.samewire.bridge;

/**
 * An object of Python's. Every implementation of an interface by a Python object is one; so is a Python object that is
 * passed where no interface is declared. {@code equals}, {@code hashCode} and {@code toString} are Python's.
 */
public interface PythonObject {
    /**
     * Calls a method of the object.
     *
     * @param member the name of an attribute that can be called
     * @param arguments numbers, texts and bytes go by value, other objects by reference
     * @return numbers, texts, bytes and containers by value; another object of Python's as a {@code PythonObject}
     * @throws PythonException what Python raised, unless it is an exception of Java's, which is thrown itself
     * @throws io.samewire.core.SamewireException {@code closed} if Python is gone
     */
    Object callPython(String member, Object... arguments);
}
