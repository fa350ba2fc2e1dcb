package py4j;

import io.samewire.py4j.CommandLoop;
import io.samewire.py4j.Listeners;
import io.samewire.py4j.text.Sockets;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import py4j.commands.Command;

/**
 * A connection on which both sides send commands, of one thread of each: while the one waits for an answer it carries
 * out the commands of the other.
 */
@SuppressWarnings("this-escape") // Constructors call what subclasses may override, as Py4J's do.
public class ClientServerConnection implements Py4JServerConnection, Py4JClientConnection, Runnable {
    /** The connection's socket; null once it has been shut down. */
    protected volatile Socket socket;
    /** Who learns that the connection has ended. */
    protected final Py4JJavaServer javaServer;
    /** What calls Python from the thread of this connection. */
    protected final Py4JPythonClientPerThread pythonClient;
    /** The milliseconds to wait for an answer, 0 for any time. */
    protected final int blockingReadTimeout;
    /** The milliseconds to wait for an answer that is not used. */
    protected final int nonBlockingReadTimeout;
    /** What both sides must know, as it stands in a line, or null. */
    protected final String authToken;
    private final CommandLoop loop;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean used;
    private volatile boolean fromHere;
    private volatile Thread thread;

    /** Creates a connection without a token. */
    public ClientServerConnection(Gateway gateway, Socket socket, List<Class<? extends Command>> customCommands,
        Py4JPythonClientPerThread pythonClient, Py4JJavaServer javaServer, int readTimeout) throws IOException {
        this(gateway, socket, customCommands, pythonClient, javaServer, readTimeout, null);
    }

    /** Creates a connection. */
    public ClientServerConnection(Gateway gateway, Socket socket, List<Class<? extends Command>> customCommands,
        Py4JPythonClientPerThread pythonClient, Py4JJavaServer javaServer, int readTimeout, String authToken)
        throws IOException {
        this.socket = socket;
        this.javaServer = javaServer;
        this.pythonClient = pythonClient;
        this.blockingReadTimeout = readTimeout;
        this.nonBlockingReadTimeout = readTimeout > 0 ? readTimeout : CallbackConnection.DEFAULT_NONBLOCKING_SO_TIMEOUT;
        this.authToken = authToken;
        this.loop = new CommandLoop(gateway, this, socket, authToken, customCommands);
    }

    /** Begins to carry out Python's commands, in a thread of its own. */
    public void startServerConnection() throws IOException {
        thread = new Thread(this, "py4j-connection");
        thread.start();
    }

    @Override
    public void run() {
        pythonClient.setPerThreadConnection(this);
        waitForCommands();
    }

    /** Carries out commands until the connection ends. */
    public void waitForCommands() {
        CommandLoop.End end = CommandLoop.End.RESET;
        try {
            end = loop.run();
        } finally {
            if (end == CommandLoop.End.HANDED_OVER) {
                // It is no longer this connection's to close.
                socket = null;
            }
            shutdown(end == CommandLoop.End.RESET);
        }
    }

    @Override
    public Socket getSocket() {
        return socket;
    }

    @Override
    public String sendCommand(String command) {
        return sendCommand(command, true);
    }

    @Override
    public String sendCommand(String command, boolean blocking) {
        try {
            BufferedWriter writer = loop.writer();
            writer.write(command);
            writer.flush();
        } catch (IOException error) {
            throw new Py4JNetworkException("Error while sending a command: " + command, error,
                Py4JNetworkException.ErrorTime.ERROR_ON_SEND);
        }
        try {
            while (true) {
                String line = blocking ? loop.reader().readLine() : readSoon();
                if (Protocol.isEmpty(line)) {
                    throw new Py4JException("Received empty command");
                }
                if (Protocol.isReturnMessage(line)) {
                    return line.substring(1);
                }
                if (loop.knows(line)) {
                    loop.execute(line);
                }
            }
        } catch (IOException | RuntimeException error) {
            throw new Py4JNetworkException("Error while sending a command: " + command, error,
                Py4JNetworkException.ErrorTime.ERROR_ON_RECEIVE);
        }
    }

    private String readSoon() throws IOException {
        Socket open = socket;
        if (open == null) {
            return null;
        }
        open.setSoTimeout(nonBlockingReadTimeout);
        try {
            return loop.reader().readLine();
        } finally {
            open.setSoTimeout(blockingReadTimeout);
        }
    }

    @Override
    public void start() throws IOException {
        if (authToken != null) {
            try {
                Sockets.authenticate(loop.reader(), loop.writer(), authToken);
                loop.trust();
            } catch (IOException refused) {
                shutdown(true);
                throw refused;
            }
        }
    }

    @Override
    public void shutdown() {
        shutdown(false);
    }

    /** Closes the connection, and interrupts what its thread does; the second time does nothing. */
    @Override
    public void shutdown(boolean reset) {
        Socket open = socket;
        socket = null;
        if (reset) {
            Sockets.resetAtEnd(open);
        }
        Sockets.close(open);
        if (ended.compareAndSet(false, true)) {
            if (!fromHere) {
                fireConnectionStopped();
            }
            Thread serving = thread;
            if (serving != null && serving != Thread.currentThread()) {
                serving.interrupt();
            }
        }
    }

    /** Tells the listeners that the connection has ended. */
    protected void fireConnectionStopped() {
        Listeners.tell(javaServer.getListeners(), listener -> listener.connectionStopped(this));
    }

    @Override
    public void setUsed(boolean isUsed) {
        used = isUsed;
    }

    @Override
    public boolean wasUsed() {
        return used;
    }

    /** Returns whether this JVM opened the connection. */
    public boolean isInitiatedFromClient() {
        return fromHere;
    }

    /** Sets whether this JVM opened the connection. */
    public void setInitiatedFromClient(boolean initiatedFromClient) {
        fromHere = initiatedFromClient;
    }
}
