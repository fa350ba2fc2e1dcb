package py4j;

import java.net.InetAddress;
import java.util.List;

/** A server that carries out Python's commands. */
public interface Py4JJavaServer {
    /** Returns the listeners, which cannot be changed. */
    List<GatewayServerListener> getListeners();

    /** Returns the address on which the server listens. */
    InetAddress getAddress();

    /** Returns the gateway that holds the objects. */
    Gateway getGateway();

    /** Returns the port on which the server listens, -1 if it does not. */
    int getListeningPort();

    /** Returns the port that was asked for, perhaps 0. */
    int getPort();

    /** Returns the address of Python's callback server. */
    InetAddress getPythonAddress();

    /** Returns the port of Python's callback server. */
    int getPythonPort();

    /** Removes a listener. */
    void removeListener(GatewayServerListener listener);

    /** Stops listening, closes all connections, forgets all objects. */
    void shutdown();

    /**
     * Stops listening, closes all connections, forgets all objects.
     *
     * @param shutdownCallbackClient whether to close the connections to Python's callback server too
     */
    void shutdown(boolean shutdownCallbackClient);

    /** Closes the connections of a port of the other side or of this one. */
    void shutdownSocket(String address, int remotePort, int localPort);

    /** Adds a listener, once. */
    void addListener(GatewayServerListener listener);

    /** Listens, and accepts connections in a thread of its own. */
    void start();

    /**
     * Listens, and accepts connections.
     *
     * @param fork whether in a thread of its own; else this returns when the server ends
     * @throws Py4JNetworkException if it cannot listen
     */
    void start(boolean fork);
}
