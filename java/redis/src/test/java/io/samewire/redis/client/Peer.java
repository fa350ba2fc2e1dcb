package io.samewire.redis.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A peer on loopback that treats each connection in a way of its own, in a thread for each. */
final class Peer implements AutoCloseable {
    /** What a server replies to the handshake: HELLO and CLIENT SETINFO. */
    static final String GREETING = "%1\r\n$5\r\nproto\r\n:3\r\n+OK\r\n";

    /** What a peer does with a connection, which is closed afterwards. */
    interface Serve {
        void serve(Socket connection) throws IOException;
    }

    /** What a peer does with what came in one read, after it has greeted. */
    interface Reply {
        void reply(Socket connection, String read) throws IOException;
    }

    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private Peer(Serve serve) throws IOException {
        listening = new ServerSocket(0, 128, InetAddress.getByName("127.0.0.1"));
        start(() -> {
            while (true) {
                Socket connection = listening.accept();
                // Else a second small piece waits until the client's kernel has acknowledged the first: 40 ms.
                connection.setTcpNoDelay(true);
                open.add(connection);
                if (closed) {
                    // A thread that waits in accept takes one connection more while the socket is being closed.
                    connection.close();
                    return;
                }
                start(() -> {
                    try (connection) {
                        serve.serve(connection);
                    } finally {
                        open.remove(connection);
                    }
                });
            }
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                return;
            }
        }, "peer");
        thread.setDaemon(true);
        thread.start();
    }

    static Peer start(Serve serve) {
        try {
            return new Peer(serve);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A peer that greets as a server does, then hands over what it reads. */
    static Peer greeting(Reply reply) {
        return start(connection -> {
            InputStream in = connection.getInputStream();
            byte[] bytes = new byte[1 << 20];
            in.read(bytes);
            send(connection, GREETING);
            for (int came = in.read(bytes); came > 0; came = in.read(bytes)) {
                reply.reply(connection, new String(bytes, 0, came, StandardCharsets.ISO_8859_1));
            }
        });
    }

    static void send(Socket connection, String text) throws IOException {
        OutputStream out = connection.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    /** How many connections are open. */
    int connections() {
        return open.size();
    }

    int port() {
        return listening.getLocalPort();
    }

    Address address() {
        return Address.tcp("127.0.0.1", port());
    }

    /** Closes the connections; others can be made. */
    void drop() {
        for (Socket connection : open) {
            try {
                connection.close();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            listening.close();
            drop();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
