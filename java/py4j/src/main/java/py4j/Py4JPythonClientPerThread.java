package py4j;

/** Sends commands to Python on one connection for each thread. */
public interface Py4JPythonClientPerThread extends Py4JPythonClient {
    /** Returns the calling thread's connection, or null. */
    ClientServerConnection getPerThreadConnection();

    /** Sets the calling thread's connection. */
    void setPerThreadConnection(ClientServerConnection clientServerConnection);

    /** Returns the gateway whose objects Python names. */
    Gateway getGateway();

    /** Sets the gateway whose objects Python names. */
    void setGateway(Gateway gateway);

    /** Returns the server beside this client. */
    Py4JJavaServer getJavaServer();

    /** Sets the server beside this client. */
    void setJavaServer(Py4JJavaServer javaServer);
}
