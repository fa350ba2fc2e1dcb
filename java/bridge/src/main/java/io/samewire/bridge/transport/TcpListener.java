package io.samewire.bridge.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A TCP port on loopback. Other addresses are served only with TLS. */
public final class TcpListener implements Listener {
    private static final int BACKLOG = 4096;

    private final ServerSocketChannel server;
    private final String address;

    private TcpListener(ServerSocketChannel server, String address) {
        this.server = server;
        this.address = address;
    }

    /** Listens on a port of an address; 0 takes a free one. */
    public static TcpListener open(InetAddress host, int port) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.bind(new InetSocketAddress(host, port), BACKLOG);
            int bound = ((InetSocketAddress) server.getLocalAddress()).getPort();
            return new TcpListener(server, "tcp://" + text(host) + ":" + bound);
        } catch (IOException error) {
            server.close();
            throw error;
        }
    }

    static String text(InetAddress host) {
        String text = host.getHostAddress();
        return text.indexOf(':') < 0 ? text : "[" + text + "]";
    }

    @Override
    public Transport accept() throws IOException {
        SocketChannel channel = server.accept();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new SocketTransport(channel);
    }

    @Override
    public String address() {
        return address;
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
