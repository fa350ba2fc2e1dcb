package io.samewire.py4j;

/** Python's entry point: an object of Python's implements it to be called by the names of any interface's methods. */
public interface PythonEntryPoint {
    /** Calls a method of Python's entry point, and returns its value. */
    Object call(String method, Object[] arguments);
}
