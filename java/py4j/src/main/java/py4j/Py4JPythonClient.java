package py4j;

import java.net.InetAddress;

/** Sends commands to Python's callback server. */
public interface Py4JPythonClient {
    /** Sends a command and returns the answer without its leading {@code !}. */
    String sendCommand(String command);

    /**
     * Sends a command and returns the answer without its leading {@code !}.
     *
     * @param blocking whether to wait for the answer as long as it takes
     */
    String sendCommand(String command, boolean blocking);

    /** Closes all connections to Python. */
    void shutdown();

    /** Returns a client like this one for another address of Python. */
    Py4JPythonClient copyWith(InetAddress pythonAddress, int pythonPort);

    /** Returns whether Python is notified when this JVM has dropped a proxy of a Python object. */
    boolean isMemoryManagementEnabled();

    /** Returns the port of Python's callback server. */
    int getPort();

    /** Returns the milliseconds to wait for an answer, 0 for any time. */
    int getReadTimeout();

    /** Returns the address of Python's callback server. */
    InetAddress getAddress();

    /** Returns a proxy of Python's entry point. */
    Object getPythonServerEntryPoint(Gateway gateway, @SuppressWarnings("rawtypes") Class[] interfacesToImplement);
}
