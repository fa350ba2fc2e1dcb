package py4j;

import java.net.Socket;

/** A connection that a client opened to a server of this JVM. */
public interface Py4JServerConnection {
    /** Returns the connection's socket, null once it has been shut down if the client is of {@link ClientServer}. */
    Socket getSocket();

    /** Closes the connection. */
    void shutdown();

    /**
     * Closes the connection.
     *
     * @param reset whether the other side's reads and writes fail at once
     */
    void shutdown(boolean reset);
}
