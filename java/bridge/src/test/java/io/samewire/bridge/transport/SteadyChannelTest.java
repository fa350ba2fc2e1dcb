package io.samewire.bridge.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An interrupt leaves a connection open, and the thread interrupted. */
@Timeout(60)
class SteadyChannelTest {
    private static final int MUCH = 8 << 20;

    private SocketChannel near;
    private SocketChannel far;
    private SteadyChannel steady;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near = SocketChannel.open(server.getLocalAddress());
            far = server.accept();
        }
        steady = new SteadyChannel(near);
    }

    @AfterEach
    void close() throws IOException {
        steady.close();
        far.close();
    }

    private CompletableFuture<Integer> reading() {
        CompletableFuture<Integer> read = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                Thread.currentThread().interrupt();
                int count = steady.read(ByteBuffer.allocate(8));
                assertTrue(Thread.currentThread().isInterrupted());
                read.complete(count);
            } catch (IOException | AssertionError error) {
                read.completeExceptionally(error);
            }
        });
        thread.start();
        // Whenever it comes: before the wait, or in it.
        thread.interrupt();
        return read;
    }

    @Test
    void anInterruptedThreadReads() throws Exception {
        CompletableFuture<Integer> read = reading();
        far.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertEquals(3, read.get());
    }

    @Test
    void anInterruptedThreadWritesMoreThanThereIsRoomFor() throws Exception {
        CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> {
            ByteBuffer into = ByteBuffer.allocate(MUCH);
            try {
                while (into.hasRemaining() && far.read(into) >= 0) {
                    Thread.onSpinWait();
                }
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
            return into.position();
        });
        Thread.currentThread().interrupt();
        try {
            ByteBuffer bytes = ByteBuffer.allocate(MUCH);
            while (bytes.hasRemaining()) {
                steady.write(bytes);
            }
        } finally {
            assertTrue(Thread.interrupted());
        }
        assertEquals(MUCH, read.get());
    }

    @Test
    void theEndAndAClosedConnectionEndAWait() throws Exception {
        CompletableFuture<Integer> first = reading();
        far.close();
        assertEquals(-1, first.get());
        connect();
        CompletableFuture<Integer> second = reading();
        steady.close();
        Throwable thrown = assertThrows(ExecutionException.class, second::get).getCause();
        assertTrue(thrown instanceof IOException, thrown.toString());
    }

    @Test
    void aClosedConnectionIsWaitedForNoMore() throws Exception {
        reading();
        steady.close();
        // A key would keep its descriptor.
        assertFalse(near.isRegistered());
        connect();
        near.close();
        assertTrue(near.isRegistered());
        steady.closeIfClosed();
        assertFalse(near.isRegistered());
    }
}
