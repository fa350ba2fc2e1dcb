package io.samewire.bridge.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A TCP port with TLS. */
public final class TlsListener implements Listener {
    private static final int BACKLOG = 4096;

    private final ServerSocket server;
    private final SSLContext context;

    private TlsListener(ServerSocket server, SSLContext context) {
        this.server = server;
        this.context = context;
    }

    /** Listens on a port of an address; 0 takes a free one. */
    public static TlsListener open(SSLContext context, InetAddress host, int port) throws IOException {
        return new TlsListener(new ServerSocket(port, BACKLOG, host), context);
    }

    @Override
    public Transport accept() throws IOException {
        Socket plain = server.accept();
        try {
            plain.setTcpNoDelay(true);
            // The first read makes the handshake, within the time limit of a hello.
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, plain.getPort(), true);
            socket.setUseClientMode(false);
            return new TlsTransport(plain, socket);
        } catch (IOException error) {
            plain.close();
            throw error;
        }
    }

    @Override
    public String address() {
        return "tls://" + TcpListener.text(server.getInetAddress()) + ":" + server.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException error) {
            // The socket is not used any more, even if closing fails.
            return;
        }
    }
}
