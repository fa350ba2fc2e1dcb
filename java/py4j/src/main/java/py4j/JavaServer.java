package py4j;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import javax.net.ServerSocketFactory;
import py4j.commands.Command;

/** The server of a {@link ClientServer}: each thread of Python has a connection, and so a thread of its own here. */
public class JavaServer extends GatewayServer {
    /** Creates a server of clients that need not authenticate. */
    public JavaServer(Object entryPoint, int port, int connectTimeout, int readTimeout,
        List<Class<? extends Command>> customCommands, Py4JPythonClientPerThread pythonClient) {
        this(entryPoint, port, connectTimeout, readTimeout, customCommands, pythonClient, null);
    }

    /** Creates a server of clients that must know a token, as it stands in a line; null for none. */
    public JavaServer(Object entryPoint, int port, int connectTimeout, int readTimeout,
        List<Class<? extends Command>> customCommands, Py4JPythonClientPerThread pythonClient, String authToken) {
        this(entryPoint, port, defaultAddress(), connectTimeout, readTimeout, customCommands, pythonClient,
            ServerSocketFactory.getDefault(), authToken);
    }

    JavaServer(Object entryPoint, int port, InetAddress address, int connectTimeout, int readTimeout,
        List<Class<? extends Command>> customCommands, Py4JPythonClientPerThread pythonClient,
        ServerSocketFactory factory, String authToken) {
        super(new Gateway(entryPoint, pythonClient), port, address, connectTimeout, readTimeout, customCommands,
            factory, authToken);
    }

    @Override
    protected Py4JServerConnection createConnection(Gateway gateway, Socket socket) throws IOException {
        ClientServerConnection connection = new ClientServerConnection(gateway, socket, getCustomCommands(),
            (Py4JPythonClientPerThread) getCallbackClient(), this, getReadTimeout(), authToken);
        connection.startServerConnection();
        return connection;
    }
}
