package py4j;

import io.samewire.py4j.text.Escapes;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;

/**
 * A server of Python's commands and a client of Python's in one: each thread of Python has a thread of its own here,
 * and what that calls of Python runs on the thread of Python that waits.
 */
@SuppressWarnings("this-escape") // Constructors call what subclasses may override, as Py4J's do.
public class ClientServer {
    /** The port on which the server listens. */
    protected final int javaPort;
    /** The address on which the server listens. */
    protected final InetAddress javaAddress;
    /** The port of Python's callback server. */
    protected final int pythonPort;
    /** The address of Python's callback server. */
    protected final InetAddress pythonAddress;
    /** The milliseconds to wait for a connection, 0 for any time. */
    protected final int connectTimeout;
    /** The milliseconds to wait for a command, 0 for any time. */
    protected final int readTimeout;
    /** What makes the socket that listens. */
    protected final ServerSocketFactory sSocketFactory;
    /** What makes sockets to Python. */
    protected final SocketFactory socketFactory;
    /** The objects that Python knows. */
    protected final Gateway gateway;
    /** What carries out Python's commands. */
    protected final Py4JJavaServer javaServer;
    /** What calls Python. */
    protected final Py4JPythonClientPerThread pythonClient;
    /** Whether the server starts at once. */
    protected final boolean autoStartJavaServer;
    /** Whether Python is notified when this JVM has dropped a proxy of a Python object. */
    protected final boolean enableMemoryManagement;
    /** What both sides must know, as it stands in a line, or null. */
    protected final String authToken;

    /** Starts a server on the default port. */
    public ClientServer(Object entryPoint) {
        this(GatewayServer.DEFAULT_PORT, GatewayServer.defaultAddress(), GatewayServer.DEFAULT_PYTHON_PORT,
            GatewayServer.defaultAddress(), GatewayServer.DEFAULT_CONNECT_TIMEOUT, GatewayServer.DEFAULT_READ_TIMEOUT,
            ServerSocketFactory.getDefault(), SocketFactory.getDefault(), entryPoint);
    }

    /** Starts a server. */
    public ClientServer(int javaPort, InetAddress javaAddress, int pythonPort, InetAddress pythonAddress,
        int connectTimeout, int readTimeout, ServerSocketFactory sSocketFactory, SocketFactory socketFactory,
        Object entryPoint) {
        this(javaPort, javaAddress, pythonPort, pythonAddress, connectTimeout, readTimeout, sSocketFactory,
            socketFactory, entryPoint, true, true);
    }

    /** Creates a server, which starts at once or does not. */
    public ClientServer(int javaPort, InetAddress javaAddress, int pythonPort, InetAddress pythonAddress,
        int connectTimeout, int readTimeout, ServerSocketFactory sSocketFactory, SocketFactory socketFactory,
        Object entryPoint, boolean autoStartJavaServer, boolean enableMemoryManagement) {
        this(javaPort, javaAddress, pythonPort, pythonAddress, connectTimeout, readTimeout, sSocketFactory,
            socketFactory, entryPoint, autoStartJavaServer, enableMemoryManagement, null);
    }

    private ClientServer(int javaPort, InetAddress javaAddress, int pythonPort, InetAddress pythonAddress,
        int connectTimeout, int readTimeout, ServerSocketFactory sSocketFactory, SocketFactory socketFactory,
        Object entryPoint, boolean autoStartJavaServer, boolean enableMemoryManagement, String authToken) {
        this.javaPort = javaPort;
        this.javaAddress = javaAddress;
        this.pythonPort = pythonPort;
        this.pythonAddress = pythonAddress;
        this.connectTimeout = connectTimeout;
        this.readTimeout = readTimeout;
        this.sSocketFactory = sSocketFactory;
        this.socketFactory = socketFactory;
        this.enableMemoryManagement = enableMemoryManagement;
        this.authToken = authToken;
        this.autoStartJavaServer = autoStartJavaServer;
        this.pythonClient = createPythonClient();
        this.javaServer = createJavaServer(entryPoint, pythonClient);
        this.gateway = javaServer.getGateway();
        pythonClient.setGateway(gateway);
        pythonClient.setJavaServer(javaServer);
        if (autoStartJavaServer) {
            javaServer.start();
        } else {
            gateway.startup();
        }
    }

    /** Creates what calls Python. Called by the constructor. */
    protected Py4JPythonClientPerThread createPythonClient() {
        return new PythonClient(null, null, pythonPort, pythonAddress, CallbackClient.DEFAULT_MIN_CONNECTION_TIME,
            TimeUnit.SECONDS, socketFactory, null, enableMemoryManagement, readTimeout, authToken);
    }

    /** Creates what carries out Python's commands. Called by the constructor. */
    protected Py4JJavaServer createJavaServer(Object entryPoint, Py4JPythonClientPerThread client) {
        return new JavaServer(entryPoint, javaPort, javaAddress, connectTimeout, readTimeout, null, client,
            sSocketFactory, authToken);
    }

    /** Returns what carries out Python's commands. */
    public Py4JJavaServer getJavaServer() {
        return javaServer;
    }

    /** Returns what calls Python. */
    public Py4JPythonClient getPythonClient() {
        return pythonClient;
    }

    /** Starts the server in a thread of its own, unless it has started at once. */
    public void startServer() {
        startServer(true);
    }

    /**
     * Starts the server, unless it has started at once.
     *
     * @param fork whether in a thread of its own; else this returns when the server ends
     */
    public void startServer(boolean fork) {
        if (!autoStartJavaServer) {
            javaServer.start(fork);
        }
    }

    /** Stops listening, closes all connections, forgets all objects. */
    public void shutdown() {
        javaServer.shutdown(true);
    }

    /** Returns a proxy of Python's entry point that implements interfaces. */
    public Object getPythonServerEntryPoint(@SuppressWarnings("rawtypes") Class[] interfacesToImplement) {
        return pythonClient.getPythonServerEntryPoint(gateway, interfacesToImplement);
    }

    /** Says how a {@link ClientServer} is to be. */
    public static class ClientServerBuilder {
        private int javaPort = GatewayServer.DEFAULT_PORT;
        private InetAddress javaAddress = GatewayServer.defaultAddress();
        private int pythonPort = GatewayServer.DEFAULT_PYTHON_PORT;
        private InetAddress pythonAddress = GatewayServer.defaultAddress();
        private int connectTimeout = GatewayServer.DEFAULT_CONNECT_TIMEOUT;
        private int readTimeout = GatewayServer.DEFAULT_READ_TIMEOUT;
        private ServerSocketFactory serverSocketFactory = ServerSocketFactory.getDefault();
        private SocketFactory socketFactory = SocketFactory.getDefault();
        private Object entryPoint;
        private boolean autoStartJavaServer = true;
        private boolean enableMemoryManagement = true;
        private String authToken;

        /** Creates a builder of servers without an entry point. */
        public ClientServerBuilder() {}

        /** Creates a builder of servers with an entry point. */
        public ClientServerBuilder(Object entryPoint) {
            this.entryPoint = entryPoint;
        }

        /** Returns a server, started unless the builder says otherwise. */
        public ClientServer build() {
            return new ClientServer(javaPort, javaAddress, pythonPort, pythonAddress, connectTimeout, readTimeout,
                serverSocketFactory, socketFactory, entryPoint, autoStartJavaServer, enableMemoryManagement,
                authToken);
        }

        /** Sets the port; 0 takes a free one. */
        public ClientServerBuilder javaPort(int newPort) {
            javaPort = newPort;
            return this;
        }

        /** Sets the address. */
        public ClientServerBuilder javaAddress(InetAddress newAddress) {
            javaAddress = newAddress;
            return this;
        }

        /** Sets the port of Python's callback server. */
        public ClientServerBuilder pythonPort(int newPort) {
            pythonPort = newPort;
            return this;
        }

        /** Sets the address of Python's callback server. */
        public ClientServerBuilder pythonAddress(InetAddress newAddress) {
            pythonAddress = newAddress;
            return this;
        }

        /** Sets the milliseconds to wait for a connection; 0 for any time. */
        public ClientServerBuilder connectTimeout(int millis) {
            connectTimeout = millis;
            return this;
        }

        /** Sets the milliseconds to wait for a command; 0 for any time. */
        public ClientServerBuilder readTimeout(int millis) {
            readTimeout = millis;
            return this;
        }

        /** Sets what makes the socket that listens. */
        public ClientServerBuilder serverSocketFactory(ServerSocketFactory factory) {
            serverSocketFactory = factory;
            return this;
        }

        /** Sets what makes sockets to Python. */
        public ClientServerBuilder socketFactory(SocketFactory factory) {
            socketFactory = factory;
            return this;
        }

        /** Sets the object that Python finds as the entry point. */
        public ClientServerBuilder entryPoint(Object object) {
            entryPoint = object;
            return this;
        }

        /** Sets whether the server starts at once; the default. */
        public ClientServerBuilder autoStartJavaServer(boolean start) {
            autoStartJavaServer = start;
            return this;
        }

        /** Sets whether Python is notified when this JVM has dropped a proxy of a Python object; the default. */
        public ClientServerBuilder enableMemoryManagement(boolean enable) {
            enableMemoryManagement = enable;
            return this;
        }

        /** Sets what both sides must know; null for nothing. */
        public ClientServerBuilder authToken(String token) {
            authToken = Escapes.escape(token);
            return this;
        }
    }
}
