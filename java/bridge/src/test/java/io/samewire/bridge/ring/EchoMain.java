package io.samewire.bridge.ring;

import io.samewire.bridge.transport.Transport;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The Java side of the ring's own measurement: replies to requests of a fixed head, over a ring or the bare socket.
 *
 * <p>usage: EchoMain SOCKET (block | adaptive | MICROS). A client says first, in a line, what it offers: {@code - 0 0}
 * for the bare socket, or path, capacity and generation of a ring. A request is two i32, how many bytes follow and how
 * many the reply has, and the bytes.
 */
final class EchoMain {
    private EchoMain() {
    }

    public static void main(String[] arguments) throws IOException {
        Waiting waiting = switch (arguments[1]) {
            case "block" -> Waiting.block();
            case "adaptive" -> Waiting.adaptive();
            default -> Waiting.spin(Integer.parseInt(arguments[1]));
        };
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(Path.of(arguments[0])));
            System.out.println("ready");
            for (;;) {
                SocketChannel socket = server.accept();
                Thread thread = new Thread(() -> serve(socket, waiting));
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void serve(SocketChannel socket, Waiting waiting) {
        try (socket) {
            StringBuilder line = new StringBuilder();
            ByteBuffer one = ByteBuffer.allocate(1);
            while (socket.read(one) > 0 && one.get(0) != '\n') {
                line.append((char) one.get(0));
                one.clear();
            }
            String[] offer = line.toString().split(" ");
            Transport stream = offer[0].equals("-") ? new BareSocket(socket) : RingTransport.open(socket, offer[0],
                Integer.parseInt(offer[1]), Long.parseLong(offer[2]), waiting);
            socket.write(ByteBuffer.wrap("y".getBytes(StandardCharsets.US_ASCII)));
            echo(stream);
        } catch (IOException gone) {
            // A client that ends a measurement just goes.
        }
    }

    /** The floor: a socket through direct buffers, one call of the system for each read and write. */
    private static final class BareSocket implements Transport {
        private final SocketChannel socket;
        private final ByteBuffer in = ByteBuffer.allocateDirect(256 << 10);
        private final ByteBuffer out = ByteBuffer.allocateDirect(256 << 10);

        BareSocket(SocketChannel socket) {
            this.socket = socket;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            in.clear().limit(Math.min(length, in.capacity()));
            int count = socket.read(in);
            if (count > 0) {
                in.get(0, into, from, count);
            }
            return count;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            for (int at = from; at < from + length;) {
                int count = Math.min(from + length - at, out.capacity());
                out.clear().put(bytes, at, count).flip();
                while (out.hasRemaining()) {
                    socket.write(out);
                }
                at += count;
            }
        }

        @Override
        public void close() {
        }
    }

    private static void echo(Transport stream) throws IOException {
        byte[] head = new byte[64 << 10];
        byte[] reply = new byte[64 << 10];
        ByteBuffer view = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        int have = 0;
        for (;;) {
            while (have < 8) {
                int count = stream.read(head, have, head.length - have);
                if (count < 0) {
                    return;
                }
                have += count;
            }
            int length = view.getInt(0);
            int back = view.getInt(4);
            if (length + 8 > head.length) {
                byte[] body = new byte[length];
                System.arraycopy(head, 8, body, 0, have - 8);
                for (int at = have - 8; at < length;) {
                    at += stream.read(body, at, length - at);
                }
            } else {
                while (have < 8 + length) {
                    have += stream.read(head, have, head.length - have);
                }
            }
            have = 0;
            if (back > reply.length) {
                reply = new byte[back];
            }
            stream.write(reply, 0, back);
        }
    }
}
