package py4j;

import java.io.IOException;

/** A connection on which this JVM sends commands to Python. */
public interface Py4JClientConnection {
    /** Sends a command and returns the answer without its leading {@code !}. */
    String sendCommand(String command);

    /**
     * Sends a command and returns the answer without its leading {@code !}.
     *
     * @param blocking whether to wait for the answer as long as it takes
     */
    String sendCommand(String command, boolean blocking);

    /** Closes the connection. */
    void shutdown();

    /**
     * Closes the connection.
     *
     * @param reset whether the other side's reads and writes fail at once
     */
    void shutdown(boolean reset);

    /** Connects, and authenticates if there is a token. */
    void start() throws IOException;

    /** Sets whether the connection has been used since the last look at idle ones. */
    void setUsed(boolean used);

    /** Returns whether the connection has been used since the last look at idle ones. */
    boolean wasUsed();
}
