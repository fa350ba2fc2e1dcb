package py4j;

/** Learns what happens to a server and its connections. Its exceptions are logged, and go no further. */
public interface GatewayServerListener {
    /** Called when a connection was accepted and could not be served. */
    void connectionError(Exception e);

    /** Called when a connection has started. */
    void connectionStarted(Py4JServerConnection gatewayConnection);

    /** Called when a connection has ended. */
    void connectionStopped(Py4JServerConnection gatewayConnection);

    /** Called when the server stops because of an error; perhaps at the same time as {@link #serverPostShutdown}. */
    void serverError(Exception e);

    /** Called after a shutdown; perhaps at the same time as {@link #serverStopped}. */
    void serverPostShutdown();

    /** Called before a shutdown. */
    void serverPreShutdown();

    /** Called when the server accepts connections. */
    void serverStarted();

    /** Called when the server accepts connections no longer. */
    void serverStopped();
}
