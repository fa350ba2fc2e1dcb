package io.samewire.bench.bridge;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Base64;

/**
 * The JVM's side of the floors: replies to messages without reading more than their length, on one connection after the other.
 *
 * <p>A message is a kind and a length, each a long in the machine's byte order, and for TAKE and BASE64 so many bytes. The answer is
 * a long, of GIVE so many bytes, of END none.
 */
public final class FloorMain {
    private static final int TAKE = 1;
    private static final int GIVE = 2;
    private static final int BASE64 = 3;
    private static final int END = 4;

    private FloorMain() {}

    /** {@code tcp}, {@code unix PATH} or {@code ring PATH FILE SPINS}; prints its port, or that it is ready. */
    public static void main(String[] args) throws Exception {
        Thread watch = new Thread(FloorMain::endWithInput);
        watch.setDaemon(true);
        watch.start();
        boolean tcp = args[0].equals("tcp");
        SocketAddress address = tcp ? new InetSocketAddress(InetAddress.getLoopbackAddress(), 0) : UnixDomainSocketAddress.of(Path.of(args[1]));
        ServerSocketChannel server = ServerSocketChannel.open(tcp ? StandardProtocolFamily.INET : StandardProtocolFamily.UNIX);
        server.bind(address);
        System.out.println(tcp ? ((InetSocketAddress) server.getLocalAddress()).getPort() : "ready");
        while (true) {
            try (SocketChannel socket = server.accept()) {
                if (tcp) {
                    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
                serve(args[0].equals("ring") ? new Ring(Path.of(args[2]), Integer.parseInt(args[3]), socket) : new Stream(socket));
            }
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                continue;
            }
        } catch (IOException ended) {
            // As its end.
        }
        Runtime.getRuntime().halt(0);
    }

    private static void serve(Transport transport) throws IOException {
        byte[] header = new byte[16];
        byte[] answer = new byte[8];
        byte[] given = {};
        ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.nativeOrder());
        try {
            while (true) {
                transport.read(header, header.length);
                int length = (int) fields.getLong(8);
                int kind = (int) fields.getLong(0);
                if (kind == TAKE || kind == BASE64) {
                    byte[] data = new byte[length];
                    transport.read(data, length);
                    answer[0] = (kind == BASE64 ? Base64.getDecoder().decode(data) : data)[0];
                }
                if (kind == GIVE) {
                    given = given.length == length ? given : new byte[length];
                    transport.write(given, length);
                } else if (kind == END) {
                    return;
                } else {
                    transport.write(answer, answer.length);
                }
            }
        } catch (EOFException end) {
            // The next connection.
        }
    }
}
