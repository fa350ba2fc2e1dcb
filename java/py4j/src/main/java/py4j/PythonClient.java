package py4j;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import py4j.commands.Command;

/** Calls Python on the connection of the calling thread: the one on which Python called it, or one of its own. */
@SuppressWarnings("this-escape") // Constructors call what subclasses may override, as Py4J's do.
public class PythonClient extends CallbackClient implements Py4JPythonClientPerThread, GatewayServerListener {
    /** The gateway whose objects Python names. */
    protected Gateway gateway;
    /** Commands beside the usual ones, or null. */
    protected List<Class<? extends Command>> customCommands;
    /** The server beside this client. */
    protected Py4JJavaServer javaServer;
    /** The connection of each thread. */
    protected ThreadLocal<WeakReference<ClientServerConnection>> threadConnection = new ThreadLocal<>();

    /** Creates a client of default options. */
    public PythonClient(Gateway gateway, List<Class<? extends Command>> customCommands, int pythonPort,
        InetAddress pythonAddress, long minConnectionTime, TimeUnit minConnectionTimeUnit, SocketFactory socketFactory,
        Py4JJavaServer javaServer) {
        this(gateway, customCommands, pythonPort, pythonAddress, minConnectionTime, minConnectionTimeUnit,
            socketFactory, javaServer, true, GatewayServer.DEFAULT_READ_TIMEOUT);
    }

    /** Creates a client that does not authenticate. */
    public PythonClient(Gateway gateway, List<Class<? extends Command>> customCommands, int pythonPort,
        InetAddress pythonAddress, long minConnectionTime, TimeUnit minConnectionTimeUnit, SocketFactory socketFactory,
        Py4JJavaServer javaServer, boolean enableMemoryManagement, int readTimeout) {
        this(gateway, customCommands, pythonPort, pythonAddress, minConnectionTime, minConnectionTimeUnit,
            socketFactory, javaServer, enableMemoryManagement, readTimeout, null);
    }

    /** Creates a client, with all that can be said. */
    public PythonClient(Gateway gateway, List<Class<? extends Command>> customCommands, int pythonPort,
        InetAddress pythonAddress, long minConnectionTime, TimeUnit minConnectionTimeUnit, SocketFactory socketFactory,
        Py4JJavaServer javaServer, boolean enableMemoryManagement, int readTimeout, String authToken) {
        super(pythonPort, pythonAddress, authToken, minConnectionTime, minConnectionTimeUnit, socketFactory,
            enableMemoryManagement, readTimeout);
        this.gateway = gateway;
        this.customCommands = customCommands;
        this.javaServer = javaServer;
        listen();
    }

    private void listen() {
        if (javaServer != null) {
            javaServer.addListener(this);
        }
    }

    @Override
    public ClientServerConnection getPerThreadConnection() {
        WeakReference<ClientServerConnection> connection = threadConnection.get();
        return connection == null ? null : connection.get();
    }

    @Override
    public void setPerThreadConnection(ClientServerConnection clientServerConnection) {
        threadConnection.set(new WeakReference<>(clientServerConnection));
    }

    @Override
    public Gateway getGateway() {
        return gateway;
    }

    @Override
    public void setGateway(Gateway newGateway) {
        gateway = newGateway;
    }

    @Override
    public Py4JJavaServer getJavaServer() {
        return javaServer;
    }

    @Override
    public void setJavaServer(Py4JJavaServer newServer) {
        javaServer = newServer;
        listen();
    }

    /** Does nothing: a thread's connection stays while the thread does. */
    @Override
    protected void setupCleaner() {}

    /** Opens a socket to Python. */
    protected Socket startClientSocket() throws IOException {
        Socket socket = socketFactory.createSocket(address, port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(readTimeout);
        return socket;
    }

    @Override
    protected Py4JClientConnection getConnection() throws IOException {
        ClientServerConnection connection = getPerThreadConnection();
        if (connection != null) {
            connections.remove(connection);
            if (connection.getSocket() != null) {
                return connection;
            }
        }
        connection = new ClientServerConnection(gateway, startClientSocket(), customCommands, this, javaServer,
            readTimeout, authToken);
        connection.setInitiatedFromClient(true);
        connection.start();
        setPerThreadConnection(connection);
        return connection;
    }

    /** Keeps a connection that this JVM opened, to close it at the end; Python's own are the server's to close. */
    @Override
    protected void giveBackConnection(Py4JClientConnection cc) {
        if (cc instanceof ClientServerConnection connection && connection.isInitiatedFromClient()) {
            super.giveBackConnection(cc);
        }
    }

    @Override
    protected boolean shouldRetrySendCommand(Py4JClientConnection cc, Py4JNetworkException pne) {
        boolean ofThread = cc instanceof ClientServerConnection connection && !connection.isInitiatedFromClient();
        return super.shouldRetrySendCommand(cc, pne) && !ofThread;
    }

    /**
     * Returns a client for another address, which does not authenticate, as Py4J's does not: PySpark's callback server
     * has no token, and refuses who sends one.
     */
    @Override
    public Py4JPythonClient copyWith(InetAddress pythonAddress, int pythonPort) {
        PythonClient copy = new PythonClient(gateway, customCommands, pythonPort, pythonAddress, minConnectionTime,
            minConnectionTimeUnit, socketFactory, javaServer, enableMemoryManagement, readTimeout);
        // A thread that Python has called answers on its own connection, even after a change of the address.
        copy.threadConnection = threadConnection;
        return copy;
    }

    @Override
    public void connectionError(Exception e) {}

    @Override
    public void connectionStarted(Py4JServerConnection gatewayConnection) {}

    @Override
    public void connectionStopped(Py4JServerConnection gatewayConnection) {
        lock.lock();
        try {
            connections.remove(gatewayConnection);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void serverError(Exception e) {}

    @Override
    public void serverPostShutdown() {}

    @Override
    public void serverPreShutdown() {}

    @Override
    public void serverStarted() {}

    @Override
    public void serverStopped() {}
}
