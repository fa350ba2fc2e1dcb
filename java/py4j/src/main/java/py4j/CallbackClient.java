package py4j;

import io.samewire.py4j.NativeClients;
import io.samewire.py4j.text.Escapes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.SocketFactory;
import py4j.reflection.ReflectionUtil;

/** Sends commands to Python's callback server. A connection serves one command at a time, and is kept for the next. */
@SuppressWarnings("this-escape") // Constructors call what subclasses may override, as Py4J's do.
public class CallbackClient implements Py4JPythonClient {
    /** The address of Python's callback server. */
    public static final String DEFAULT_ADDRESS = "127.0.0.1";
    /** Seconds for which a connection that is not used stays, at least. */
    public static final long DEFAULT_MIN_CONNECTION_TIME = 30;
    /** The unit of {@link #DEFAULT_MIN_CONNECTION_TIME}. */
    public static final TimeUnit DEFAULT_MIN_CONNECTION_TIME_UNIT = TimeUnit.SECONDS;

    /** The port of Python's callback server. */
    protected final int port;
    /** The address of Python's callback server. */
    protected final InetAddress address;
    /** What makes sockets. */
    protected final SocketFactory socketFactory;
    /** Connections that no command uses. */
    protected final Deque<Py4JClientConnection> connections = new ArrayDeque<>();
    /** Guards the connections. */
    protected final Lock lock = new ReentrantLock();
    /** For how long a connection that is not used stays, at least; 0 for no limit. */
    protected final long minConnectionTime;
    /** The unit of that time. */
    protected final TimeUnit minConnectionTimeUnit;
    /** Whether Python is notified when this JVM has dropped a proxy of a Python object. */
    protected final boolean enableMemoryManagement;
    /** The milliseconds to wait for an answer, 0 for any time. */
    protected final int readTimeout;
    /** What Python must know, as it stands in a line, or null. */
    protected final String authToken;
    private ScheduledExecutorService cleaner;
    private boolean ended;

    /** Creates a client of a port of this machine. */
    public CallbackClient(int port) {
        this(port, GatewayServer.defaultAddress());
    }

    /** Creates a client of an address. */
    public CallbackClient(int port, InetAddress address) {
        this(port, address, DEFAULT_MIN_CONNECTION_TIME, DEFAULT_MIN_CONNECTION_TIME_UNIT);
    }

    /** Creates a client that authenticates, if the token is not null. */
    public CallbackClient(int port, InetAddress address, String authToken) {
        this(port, address, authToken, DEFAULT_MIN_CONNECTION_TIME, DEFAULT_MIN_CONNECTION_TIME_UNIT,
            SocketFactory.getDefault(), true, GatewayServer.DEFAULT_READ_TIMEOUT);
    }

    /** Creates a client whose connections stay so long without use, at least. */
    public CallbackClient(int port, InetAddress address, long minConnectionTime, TimeUnit minConnectionTimeUnit) {
        this(port, address, minConnectionTime, minConnectionTimeUnit, SocketFactory.getDefault());
    }

    /** Creates a client of sockets of a factory. */
    public CallbackClient(int port, InetAddress address, long minConnectionTime, TimeUnit minConnectionTimeUnit,
        SocketFactory socketFactory) {
        this(port, address, minConnectionTime, minConnectionTimeUnit, socketFactory, true);
    }

    /** Creates a client that tells Python of dropped proxies or does not. */
    public CallbackClient(int port, InetAddress address, long minConnectionTime, TimeUnit minConnectionTimeUnit,
        SocketFactory socketFactory, boolean enableMemoryManagement) {
        this(port, address, minConnectionTime, minConnectionTimeUnit, socketFactory, enableMemoryManagement,
            GatewayServer.DEFAULT_READ_TIMEOUT);
    }

    /** Creates a client that waits for an answer so many milliseconds, 0 for any time. */
    public CallbackClient(int port, InetAddress address, long minConnectionTime, TimeUnit minConnectionTimeUnit,
        SocketFactory socketFactory, boolean enableMemoryManagement, int readTimeout) {
        this(port, address, null, minConnectionTime, minConnectionTimeUnit, socketFactory, enableMemoryManagement,
            readTimeout);
    }

    /** Creates a client, with all that can be said. */
    public CallbackClient(int port, InetAddress address, String authToken, long minConnectionTime,
        TimeUnit minConnectionTimeUnit, SocketFactory socketFactory, boolean enableMemoryManagement, int readTimeout) {
        this.port = port;
        this.address = address;
        this.minConnectionTime = minConnectionTime;
        this.minConnectionTimeUnit = minConnectionTimeUnit;
        this.socketFactory = socketFactory;
        this.enableMemoryManagement = enableMemoryManagement;
        this.readTimeout = readTimeout;
        this.authToken = Escapes.escape(authToken);
        setupCleaner();
    }

    /** Closes connections that are not used. */
    protected void setupCleaner() {
        if (minConnectionTime > 0) {
            cleaner = Executors.newSingleThreadScheduledExecutor(work -> {
                Thread thread = new Thread(work, "py4j-idle-connections");
                thread.setDaemon(true);
                return thread;
            });
            cleaner.scheduleAtFixedRate(this::periodicCleanup, minConnectionTime, minConnectionTime,
                minConnectionTimeUnit);
        }
    }

    /** Closes the connections that have not been used since the last time. */
    public void periodicCleanup() {
        lock.lock();
        try {
            for (int left = connections.size(); left > 0; left--) {
                Py4JClientConnection connection = connections.pollLast();
                if (connection.wasUsed()) {
                    connection.setUsed(false);
                    connections.addFirst(connection);
                } else {
                    connection.shutdown();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public InetAddress getAddress() {
        return address;
    }

    @Override
    public int getPort() {
        return port;
    }

    @Override
    public int getReadTimeout() {
        return readTimeout;
    }

    @Override
    public boolean isMemoryManagementEnabled() {
        return enableMemoryManagement;
    }

    @Override
    public Py4JPythonClient copyWith(InetAddress pythonAddress, int pythonPort) {
        return new CallbackClient(pythonPort, pythonAddress, authToken, minConnectionTime, minConnectionTimeUnit,
            socketFactory, enableMemoryManagement, readTimeout);
    }

    /** Returns a connection that no command uses, a new one if there is none. Called with the lock. */
    protected Py4JClientConnection getConnection() throws IOException {
        Py4JClientConnection connection = connections.pollLast();
        if (connection == null) {
            connection = new CallbackConnection(port, address, socketFactory, readTimeout, authToken);
            connection.start();
        }
        return connection;
    }

    /** Returns a connection that no command uses; null after the end. */
    protected Py4JClientConnection getConnectionLock() {
        lock.lock();
        try {
            return ended ? null : getConnection();
        } catch (IOException error) {
            throw new Py4JException("Error while obtaining a new communication channel", error);
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a connection for the next command. */
    protected void giveBackConnection(Py4JClientConnection cc) {
        lock.lock();
        try {
            if (ended) {
                cc.shutdown();
            } else {
                connections.addLast(cc);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String sendCommand(String command) {
        return sendCommand(command, true);
    }

    @Override
    public String sendCommand(String command, boolean blocking) {
        while (true) {
            Py4JClientConnection connection = getConnectionLock();
            if (connection == null) {
                throw new Py4JException("Cannot obtain a new communication channel");
            }
            String answer;
            try {
                answer = connection.sendCommand(command, blocking);
            } catch (Py4JNetworkException error) {
                connection.shutdown(error.getCause() instanceof SocketTimeoutException);
                if (shouldRetrySendCommand(connection, error)) {
                    continue;
                }
                throw new Py4JException("Error while sending a command.", error);
            } catch (RuntimeException error) {
                connection.shutdown();
                throw new Py4JException("Error while sending a command.", error);
            }
            giveBackConnection(connection);
            return answer;
        }
    }

    /** Returns whether to send a command again, on another connection: it was not sent. */
    protected boolean shouldRetrySendCommand(Py4JClientConnection cc, Py4JNetworkException pne) {
        return pne.getWhen() == Py4JNetworkException.ErrorTime.ERROR_ON_SEND;
    }

    @Override
    public Object getPythonServerEntryPoint(Gateway gateway,
        @SuppressWarnings("rawtypes") Class[] interfacesToImplement) {
        ClassLoader loader = ReflectionUtil.getClassLoader();
        Object entryPoint = NativeClients.entryPoint(gateway, loader, interfacesToImplement);
        return entryPoint != null ? entryPoint
            : gateway.createProxy(loader, interfacesToImplement, Protocol.ENTRY_POINT_OBJECT_ID);
    }

    @Override
    public void shutdown() {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            for (Py4JClientConnection connection : new ArrayList<>(connections)) {
                connection.shutdown();
            }
            connections.clear();
        } finally {
            lock.unlock();
        }
        if (cleaner != null) {
            cleaner.shutdownNow();
        }
    }
}
