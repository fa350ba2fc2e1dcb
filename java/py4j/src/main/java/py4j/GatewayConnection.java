package py4j;

import io.samewire.py4j.CommandLoop;
import io.samewire.py4j.Listeners;
import io.samewire.py4j.commands.BaseCommands;
import io.samewire.py4j.text.Sockets;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import py4j.commands.Command;

/** A client's connection to a {@link GatewayServer}, served by a thread of its own. */
@SuppressWarnings("this-escape") // Constructors call what subclasses may override, as Py4J's do.
public class GatewayConnection implements Runnable, Py4JServerConnection {
    /** The connection's socket. */
    protected final Socket socket;
    /** What the client must know, as it stands in a line, or null. */
    protected final String authToken;
    /** Who learns that the connection has ended. */
    protected final List<GatewayServerListener> listeners;
    private final CommandLoop loop;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Creates a connection of a client that need not authenticate. */
    public GatewayConnection(Gateway gateway, Socket socket) throws IOException {
        this(gateway, socket, null, new ArrayList<>());
    }

    /** Creates a connection of a client that need not authenticate, with commands of one's own. */
    public GatewayConnection(Gateway gateway, Socket socket, List<Class<? extends Command>> customCommands,
        List<GatewayServerListener> listeners) throws IOException {
        this(gateway, socket, null, customCommands, listeners);
    }

    /** Creates a connection of a client that must know a token, as it stands in a line. */
    public GatewayConnection(Gateway gateway, Socket socket, String authToken,
        List<Class<? extends Command>> customCommands, List<GatewayServerListener> listeners) throws IOException {
        this.socket = socket;
        this.authToken = authToken;
        this.listeners = listeners;
        this.loop = new CommandLoop(gateway, this, socket, authToken, customCommands);
    }

    /** Returns the kinds of commands that each connection knows. */
    public static List<Class<? extends Command>> getBaseCommands() {
        return BaseCommands.KINDS;
    }

    /** Begins to serve the client, in a thread of its own. */
    public void startConnection() {
        new Thread(this, "py4j-connection").start();
    }

    @Override
    public Socket getSocket() {
        return socket;
    }

    @Override
    public void run() {
        CommandLoop.End end = CommandLoop.End.RESET;
        try {
            end = loop.run();
        } finally {
            if (end == CommandLoop.End.HANDED_OVER) {
                // The socket is no longer this connection's to close.
                stopped();
            } else {
                shutdown(end == CommandLoop.End.RESET);
            }
        }
    }

    @Override
    public void shutdown() {
        shutdown(false);
    }

    /** Closes the connection; the second time does nothing. */
    @Override
    public void shutdown(boolean reset) {
        if (reset) {
            Sockets.resetAtEnd(socket);
        }
        Sockets.close(socket);
        stopped();
    }

    private void stopped() {
        if (ended.compareAndSet(false, true)) {
            fireConnectionStopped();
        }
    }

    /** Tells the listeners that the connection has ended. */
    protected void fireConnectionStopped() {
        Listeners.tell(listeners, listener -> listener.connectionStopped(this));
    }
}
