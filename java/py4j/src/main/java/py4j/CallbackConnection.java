package py4j;

import io.samewire.py4j.text.LineReader;
import io.samewire.py4j.text.Sockets;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** A connection to Python's callback server. */
public class CallbackConnection implements Py4JClientConnection {
    /** The milliseconds to wait for an answer that is not used. */
    public static final int DEFAULT_NONBLOCKING_SO_TIMEOUT = 1000;

    private final int port;
    private final InetAddress address;
    private final SocketFactory socketFactory;
    private final int blockingReadTimeout;
    private final int nonBlockingReadTimeout;
    private final String authToken;
    private Socket socket;
    private LineReader reader;
    private BufferedWriter writer;
    private volatile boolean used;

    /** Creates a connection, which is opened by {@link #start}. */
    public CallbackConnection(int port, InetAddress address) {
        this(port, address, SocketFactory.getDefault());
    }

    /** Creates a connection of sockets of a factory. */
    public CallbackConnection(int port, InetAddress address, SocketFactory socketFactory) {
        this(port, address, socketFactory, GatewayServer.DEFAULT_READ_TIMEOUT);
    }

    /** Creates a connection that waits for an answer so many milliseconds, 0 for any time. */
    public CallbackConnection(int port, InetAddress address, SocketFactory socketFactory, int readTimeout) {
        this(port, address, socketFactory, readTimeout, null);
    }

    /** Creates a connection that authenticates, if the token is not null. */
    public CallbackConnection(int port, InetAddress address, SocketFactory socketFactory, int readTimeout,
        String authToken) {
        this.port = port;
        this.address = address;
        this.socketFactory = socketFactory;
        this.blockingReadTimeout = readTimeout;
        this.nonBlockingReadTimeout = readTimeout > 0 ? readTimeout : DEFAULT_NONBLOCKING_SO_TIMEOUT;
        this.authToken = authToken;
    }

    @Override
    public void start() throws IOException {
        socket = socketFactory.createSocket(address, port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(blockingReadTimeout);
        reader = new LineReader(socket.getInputStream(), 0);
        reader.allowAny();
        writer = Sockets.writer(socket);
        if (authToken != null) {
            try {
                Sockets.authenticate(reader, writer, authToken);
            } catch (IOException refused) {
                shutdown(true);
                throw refused;
            }
        }
    }

    @Override
    public String sendCommand(String command) {
        return sendCommand(command, true);
    }

    @Override
    public String sendCommand(String command, boolean blocking) {
        used = true;
        try {
            writer.write(command);
            writer.flush();
        } catch (IOException error) {
            throw new Py4JNetworkException("Error while sending a command: null response: " + command, error,
                Py4JNetworkException.ErrorTime.ERROR_ON_SEND);
        }
        String answer;
        try {
            answer = blocking ? reader.readLine() : readSoon();
        } catch (IOException error) {
            throw new Py4JNetworkException("Error while sending a command: " + command, error,
                Py4JNetworkException.ErrorTime.ERROR_ON_RECEIVE);
        }
        if (answer == null) {
            throw new Py4JNetworkException("Error while sending a command: null response: " + command,
                Py4JNetworkException.ErrorTime.ERROR_ON_RECEIVE);
        }
        return Protocol.isReturnMessage(answer) ? answer.substring(1) : answer;
    }

    private String readSoon() throws IOException {
        socket.setSoTimeout(nonBlockingReadTimeout);
        try {
            return reader.readLine();
        } finally {
            socket.setSoTimeout(blockingReadTimeout);
        }
    }

    @Override
    public void setUsed(boolean isUsed) {
        used = isUsed;
    }

    @Override
    public boolean wasUsed() {
        return used;
    }

    @Override
    public void shutdown() {
        shutdown(false);
    }

    @Override
    public void shutdown(boolean reset) {
        if (reset) {
            Sockets.resetAtEnd(socket);
        }
        Sockets.close(socket);
    }
}
