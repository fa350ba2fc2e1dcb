package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server that other tests use. */
@Timeout(180)
class ValkeyServerTest {
    private static String ping(SocketChannel channel) throws IOException {
        channel.write(ByteBuffer.wrap("PING\r\n".getBytes(StandardCharsets.UTF_8)));
        ByteBuffer reply = ByteBuffer.allocate(7);
        while (reply.hasRemaining() && channel.read(reply) > 0) {
            continue;
        }
        return new String(reply.array(), StandardCharsets.UTF_8);
    }

    @Test
    void repliesAndIsKilledAndStartsAgainAtItsPort() throws IOException {
        try (ValkeyServer server = ValkeyServer.start()) {
            InetSocketAddress address = new InetSocketAddress("127.0.0.1", server.port());
            try (SocketChannel channel = SocketChannel.open(address)) {
                assertEquals("+PONG\r\n", ping(channel));
            }
            server.kill();
            assertThrows(ConnectException.class, () -> SocketChannel.open(address));
            server.launch();
            try (SocketChannel channel = SocketChannel.open(address)) {
                assertEquals("+PONG\r\n", ping(channel));
            }
        }
    }

    @Test
    void listensOnAUnixSocketThatGoesWithIt() throws IOException {
        ValkeyServer server = ValkeyServer.startUnix();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(server.socket()))) {
            assertEquals("+PONG\r\n", ping(channel));
        } finally {
            server.close();
        }
        assertFalse(Files.exists(server.socket().getParent()));
    }
}
