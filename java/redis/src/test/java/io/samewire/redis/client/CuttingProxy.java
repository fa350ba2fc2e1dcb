package io.samewire.redis.client;

import java.io.IOException;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy whose connections end after a random number of bytes, counted both ways. */
final class CuttingProxy implements AutoCloseable {
    private final Random random;
    private final Peer peer;

    /** most: bytes after which a connection ends at the latest. */
    CuttingProxy(int port, long seed, int most) {
        random = new Random(seed);
        peer = Peer.start(client -> serve(client, port, most));
    }

    private void serve(Socket client, int port, int most) throws IOException {
        AtomicInteger left;
        synchronized (random) {
            left = new AtomicInteger(1 + random.nextInt(most));
        }
        try (Socket server = new Socket("127.0.0.1", port)) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Thread back = new Thread(() -> carry(server, client, left), "proxy");
            back.setDaemon(true);
            back.start();
            carry(client, server, left);
        }
    }

    private static void carry(Socket from, Socket to, AtomicInteger left) {
        byte[] bytes = new byte[65_536];
        try (from; to) {
            for (int came = from.getInputStream().read(bytes); came > 0; came = from.getInputStream().read(bytes)) {
                int before = left.getAndAdd(-came);
                if (before > 0) {
                    to.getOutputStream().write(bytes, 0, Math.min(came, before));
                }
                if (before <= came) {
                    return;
                }
            }
        } catch (IOException cut) {
            return;
        }
    }

    Address address() {
        return peer.address();
    }

    @Override
    public void close() {
        peer.close();
    }
}
