package py4j;

import io.samewire.py4j.GatewayMain;
import io.samewire.py4j.Listeners;
import io.samewire.py4j.NativeClients;
import io.samewire.py4j.Strangers;
import io.samewire.py4j.text.Escapes;
import io.samewire.py4j.text.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ServerSocketFactory;
import py4j.commands.Command;

/**
 * Lets Python programs use the objects of this JVM: each of their connections is served by a thread of its own. Calls
 * of Python go to its callback server.
 *
 * <pre>{@code
 * GatewayServer server = new GatewayServer.GatewayServerBuilder(entryPoint).authToken(token).build();
 * server.start();
 * }</pre>
 */
@SuppressWarnings("this-escape") // Constructors call what subclasses may override, as Py4J's do.
public class GatewayServer extends DefaultGatewayServerListener implements Py4JJavaServer, Runnable {
    /** The default address of a server. */
    public static final String DEFAULT_ADDRESS = "127.0.0.1";
    /** The default IPv6 address of a server. */
    public static final String DEFAULT_IPv6_ADDRESS = "::1";
    /** The default port of a server. */
    public static final int DEFAULT_PORT = 25333;
    /** The default port of Python's callback server. */
    public static final int DEFAULT_PYTHON_PORT = 25334;
    /** Clients may take any time to connect. */
    public static final int DEFAULT_CONNECT_TIMEOUT = 0;
    /** Clients may take any time between commands. */
    public static final int DEFAULT_READ_TIMEOUT = 0;
    /** The id of the server among the objects. */
    public static final String GATEWAY_SERVER_ID = Protocol.GATEWAY_SERVER_ID;
    /** The logger of this package. */
    public static final Logger PY4J_LOGGER = Logger.getLogger("py4j");

    static {
        turnLoggingOff();
    }

    /** What clients must know, as it stands in a line, or null. */
    protected final String authToken;
    private final InetAddress address;
    private final int port;
    private final Gateway gateway;
    private final int connectTimeout;
    private final int readTimeout;
    private final Set<Py4JServerConnection> connections = new LinkedHashSet<>();
    private final List<Class<? extends Command>> customCommands;
    private final CopyOnWriteArrayList<GatewayServerListener> listeners = new CopyOnWriteArrayList<>();
    private final ServerSocketFactory factory;
    private final Lock lock = new ReentrantLock();
    private volatile int pythonPort;
    private volatile InetAddress pythonAddress;
    private volatile ServerSocket listening;
    private volatile boolean ended;
    private boolean ending;

    /** Creates a server without an entry point. */
    public GatewayServer() {
        this(null);
    }

    /** Creates a server on the default port. */
    public GatewayServer(Object entryPoint) {
        this(entryPoint, DEFAULT_PORT);
    }

    /** Creates a server on a port of this machine. */
    public GatewayServer(Object entryPoint, int port) {
        this(entryPoint, port, DEFAULT_CONNECT_TIMEOUT, DEFAULT_READ_TIMEOUT);
    }

    /** Creates a server on an address, with Python's callback server on another. */
    public GatewayServer(Object entryPoint, int port, int pythonPort, InetAddress address, InetAddress pythonAddress,
        int connectTimeout, int readTimeout, List<Class<? extends Command>> customCommands) {
        this(entryPoint, port, address, connectTimeout, readTimeout, customCommands,
            new CallbackClient(pythonPort, pythonAddress), ServerSocketFactory.getDefault());
    }

    /** Creates a server with bounds on its waiting, in milliseconds; 0 for none. */
    public GatewayServer(Object entryPoint, int port, int connectTimeout, int readTimeout) {
        this(entryPoint, port, DEFAULT_PYTHON_PORT, connectTimeout, readTimeout, null);
    }

    /** Creates a server with commands of one's own, or null. */
    public GatewayServer(Object entryPoint, int port, int pythonPort, int connectTimeout, int readTimeout,
        List<Class<? extends Command>> customCommands) {
        this(entryPoint, port, defaultAddress(), connectTimeout, readTimeout, customCommands,
            new CallbackClient(pythonPort, defaultAddress()), ServerSocketFactory.getDefault());
    }

    /** Creates a server on a port of this machine that calls Python by a client of one's own. */
    public GatewayServer(Object entryPoint, int port, int connectTimeout, int readTimeout,
        List<Class<? extends Command>> customCommands, Py4JPythonClient cbClient) {
        this(entryPoint, port, defaultAddress(), connectTimeout, readTimeout, customCommands, cbClient,
            ServerSocketFactory.getDefault());
    }

    /** Creates a server on an address that calls Python by a client of one's own. */
    public GatewayServer(Object entryPoint, int port, InetAddress address, int connectTimeout, int readTimeout,
        List<Class<? extends Command>> customCommands, Py4JPythonClient cbClient) {
        this(entryPoint, port, address, connectTimeout, readTimeout, customCommands, cbClient,
            ServerSocketFactory.getDefault());
    }

    /** Creates a server of sockets of a factory. */
    public GatewayServer(Object entryPoint, int port, InetAddress address, int connectTimeout, int readTimeout,
        List<Class<? extends Command>> customCommands, Py4JPythonClient cbClient,
        ServerSocketFactory sSocketFactory) {
        this(new Gateway(entryPoint, cbClient), port, address, connectTimeout, readTimeout, customCommands,
            sSocketFactory, null);
    }

    /** Creates a server of a gateway of one's own. */
    public GatewayServer(Gateway gateway, int port, InetAddress address, int connectTimeout, int readTimeout,
        List<Class<? extends Command>> customCommands, ServerSocketFactory sSocketFactory) {
        this(gateway, port, address, connectTimeout, readTimeout, customCommands, sSocketFactory, null);
    }

    GatewayServer(Gateway gateway, int port, InetAddress address, int connectTimeout, int readTimeout,
        List<Class<? extends Command>> customCommands, ServerSocketFactory factory, String authToken) {
        this.port = port;
        this.address = address;
        this.connectTimeout = connectTimeout;
        this.readTimeout = readTimeout;
        this.gateway = gateway;
        this.pythonPort = gateway.getCallbackClient().getPort();
        this.pythonAddress = gateway.getCallbackClient().getAddress();
        this.customCommands = customCommands != null ? customCommands : new ArrayList<>();
        this.factory = factory;
        this.authToken = authToken;
        gateway.putObject(GATEWAY_SERVER_ID, this);
    }

    /** Has everything logged. Nothing is, by default. */
    public static void turnAllLoggingOn() {
        PY4J_LOGGER.setLevel(Level.ALL);
    }

    /** Has nothing logged, the default. */
    public static void turnLoggingOff() {
        PY4J_LOGGER.setLevel(Level.OFF);
    }

    /** Has logged what is of level INFO or above. Nothing is, by default. */
    public static void turnLoggingOn() {
        PY4J_LOGGER.setLevel(Level.INFO);
    }

    /** Returns 127.0.0.1. */
    public static InetAddress defaultAddress() {
        return named(DEFAULT_ADDRESS);
    }

    /** Returns ::1. */
    public static InetAddress defaultIPv6Address() {
        return named(DEFAULT_IPv6_ADDRESS);
    }

    private static InetAddress named(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException error) {
            throw new Py4JNetworkException(error);
        }
    }

    /**
     * Starts a server, and prints its port, then its token if there is one.
     *
     * @param args {@code [--die-on-broken-pipe] [--enable-auth] [port]}
     */
    public static void main(String[] args) {
        GatewayMain.run(args, DEFAULT_PORT, (port, token) -> {
            GatewayServer server = new GatewayServerBuilder().javaPort(port).authToken(token).build();
            server.start();
            return server.getListeningPort();
        });
    }

    @Override
    public void start() {
        start(true);
    }

    @Override
    public void start(boolean fork) {
        startSocket();
        if (fork) {
            new Thread(this, "py4j-accept").start();
        } else {
            run();
        }
    }

    /** Listens. */
    protected void startSocket() throws Py4JNetworkException {
        try {
            listening = factory.createServerSocket();
            listening.setSoTimeout(connectTimeout);
            listening.setReuseAddress(true);
            listening.bind(new InetSocketAddress(address, port), -1);
        } catch (IOException error) {
            throw new Py4JNetworkException("Failed to bind to " + address + ":" + port, error);
        }
    }

    @Override
    public void run() {
        try {
            gateway.startup();
            Listeners.tell(listeners, GatewayServerListener::serverStarted);
            addListener(this);
            while (!ended) {
                Strangers.HERE.awaitPlace();
                processSocket(listening.accept());
            }
        } catch (IOException | RuntimeException error) {
            if (!ended) {
                PY4J_LOGGER.log(Level.SEVERE, "Gateway Server Error", error);
                Listeners.tell(listeners, listener -> listener.serverError(error));
            }
        }
        Listeners.tell(listeners, GatewayServerListener::serverStopped);
        removeListener(this);
    }

    /** Serves a connection that was accepted. One that fails keeps no other from being served. */
    protected void processSocket(Socket socket) {
        lock.lock();
        try {
            if (ended) {
                Sockets.close(socket);
                return;
            }
            // An answer is one write: nothing is gained by waiting for more.
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(readTimeout);
            if (authToken != null) {
                Strangers.HERE.arrive(socket);
            }
            Py4JServerConnection connection = createConnection(gateway, socket);
            connections.add(connection);
            Listeners.tell(listeners, listener -> listener.connectionStarted(connection));
        } catch (IOException | RuntimeException | OutOfMemoryError error) {
            Sockets.close(socket);
            Strangers.HERE.leave(socket);
            PY4J_LOGGER.log(Level.SEVERE, "Connection Error", error);
            Exception told = error instanceof Exception exception ? exception : new IOException(error);
            Listeners.tell(listeners, listener -> listener.connectionError(told));
        } finally {
            lock.unlock();
        }
    }

    /** Begins to serve a connection. */
    protected Py4JServerConnection createConnection(Gateway served, Socket socket) throws IOException {
        GatewayConnection connection = new GatewayConnection(served, socket, authToken, customCommands, listeners);
        connection.startConnection();
        return connection;
    }

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
    public void shutdown() {
        shutdown(true);
    }

    @Override
    public void shutdown(boolean shutdownCallbackClient) {
        Listeners.tell(listeners, GatewayServerListener::serverPreShutdown);
        lock.lock();
        try {
            if (ending) {
                // A listener that shuts down too.
                return;
            }
            ended = true;
            ending = true;
            Sockets.close(listening);
            for (Py4JServerConnection connection : new ArrayList<>(connections)) {
                connection.shutdown();
            }
            connections.clear();
            gateway.shutdown(shutdownCallbackClient);
            NativeClients.close(gateway);
        } finally {
            ending = false;
            lock.unlock();
        }
        Listeners.tell(listeners, GatewayServerListener::serverPostShutdown);
    }

    @Override
    public void shutdownSocket(String otherAddress, int remotePort, int localPort) {
        lock.lock();
        try {
            for (Py4JServerConnection connection : new ArrayList<>(connections)) {
                Socket socket = connection.getSocket();
                if (socket != null && (socket.getPort() == remotePort || socket.getLocalPort() == localPort)) {
                    connection.shutdown();
                    connections.remove(connection);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Calls Python at another address from now on. No two threads may do so at a time. */
    public void resetCallbackClient(InetAddress newAddress, int newPort) {
        gateway.resetCallbackClient(newAddress, newPort);
        pythonPort = newPort;
        pythonAddress = newAddress;
    }

    /** Returns a proxy of Python's entry point that implements interfaces. */
    public Object getPythonServerEntryPoint(@SuppressWarnings("rawtypes") Class[] interfacesToImplement) {
        return getCallbackClient().getPythonServerEntryPoint(gateway, interfacesToImplement);
    }

    @Override
    public void addListener(GatewayServerListener listener) {
        listeners.addIfAbsent(listener);
    }

    @Override
    public void removeListener(GatewayServerListener listener) {
        listeners.remove(listener);
    }

    @Override
    public List<GatewayServerListener> getListeners() {
        return Collections.unmodifiableList(listeners);
    }

    /** Returns commands beside the usual ones; the list cannot be changed. */
    public List<Class<? extends Command>> getCustomCommands() {
        return Collections.unmodifiableList(customCommands);
    }

    @Override
    public InetAddress getAddress() {
        return address;
    }

    /** Returns what calls Python. */
    public Py4JPythonClient getCallbackClient() {
        return gateway.getCallbackClient();
    }

    /** Returns the milliseconds to wait for a connection, 0 for any time. */
    public int getConnectTimeout() {
        return connectTimeout;
    }

    /** Returns the milliseconds to wait for a command, 0 for any time. */
    public int getReadTimeout() {
        return readTimeout;
    }

    @Override
    public Gateway getGateway() {
        return gateway;
    }

    @Override
    public int getListeningPort() {
        ServerSocket open = listening;
        return open != null && open.isBound() ? open.getLocalPort() : -1;
    }

    @Override
    public int getPort() {
        return port;
    }

    @Override
    public InetAddress getPythonAddress() {
        return pythonAddress;
    }

    @Override
    public int getPythonPort() {
        return pythonPort;
    }

    /** Says how a {@link GatewayServer} is to be. */
    public static class GatewayServerBuilder {
        private int javaPort = DEFAULT_PORT;
        private InetAddress javaAddress = defaultAddress();
        private int connectTimeout = DEFAULT_CONNECT_TIMEOUT;
        private int readTimeout = DEFAULT_READ_TIMEOUT;
        private Gateway gateway;
        private ServerSocketFactory serverSocketFactory = ServerSocketFactory.getDefault();
        private Object entryPoint;
        private Py4JPythonClient callbackClient;
        private List<Class<? extends Command>> customCommands;
        private String authToken;

        /** Creates a builder of servers without an entry point. */
        public GatewayServerBuilder() {}

        /** Creates a builder of servers with an entry point. */
        public GatewayServerBuilder(Object entryPoint) {
            this.entryPoint = entryPoint;
        }

        /** Returns a server, which has not started. */
        public GatewayServer build() {
            if (gateway == null && callbackClient == null) {
                callbackClient = new CallbackClient(DEFAULT_PYTHON_PORT);
            }
            return new GatewayServer(gateway != null ? gateway : new Gateway(entryPoint, callbackClient), javaPort,
                javaAddress, connectTimeout, readTimeout, customCommands, serverSocketFactory, authToken);
        }

        /** Sets the gateway, which has an entry point and a callback client of its own. */
        public GatewayServerBuilder gateway(Gateway newGateway) {
            gateway = newGateway;
            return this;
        }

        /** Sets the port; 0 takes a free one. */
        public GatewayServerBuilder javaPort(int newPort) {
            javaPort = newPort;
            return this;
        }

        /** Sets the address. */
        public GatewayServerBuilder javaAddress(InetAddress newAddress) {
            javaAddress = newAddress;
            return this;
        }

        /** Sets where Python's callback server is. */
        public GatewayServerBuilder callbackClient(int pythonPort, InetAddress pythonAddress) {
            return callbackClient(new CallbackClient(pythonPort, pythonAddress));
        }

        /** Sets where Python's callback server is, and the token to authenticate with; null for none. */
        public GatewayServerBuilder callbackClient(int pythonPort, InetAddress pythonAddress, String token) {
            return callbackClient(new CallbackClient(pythonPort, pythonAddress, token));
        }

        /** Sets what calls Python. */
        public GatewayServerBuilder callbackClient(CallbackClient client) {
            callbackClient = client;
            return this;
        }

        /** Sets the milliseconds to wait for a connection; 0 for any time. */
        public GatewayServerBuilder connectTimeout(int millis) {
            connectTimeout = millis;
            return this;
        }

        /** Sets the milliseconds to wait for a command; 0 for any time. */
        public GatewayServerBuilder readTimeout(int millis) {
            readTimeout = millis;
            return this;
        }

        /** Sets what makes the socket that listens. */
        public GatewayServerBuilder serverSocketFactory(ServerSocketFactory newFactory) {
            serverSocketFactory = newFactory;
            return this;
        }

        /** Sets the object that Python finds as the entry point. */
        public GatewayServerBuilder entryPoint(Object object) {
            entryPoint = object;
            return this;
        }

        /** Sets commands beside the usual ones. */
        public GatewayServerBuilder customCommands(List<Class<? extends Command>> commands) {
            customCommands = commands;
            return this;
        }

        /** Sets what clients must know; null for nothing. */
        public GatewayServerBuilder authToken(String token) {
            authToken = Escapes.escape(token);
            return this;
        }
    }
}
