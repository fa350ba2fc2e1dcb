package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that wait for one of few connections. */
@Timeout(120)
class PoolOrderTest {
    private static final long LONG = Duration.ofSeconds(100).toNanos();
    private static final int WAITERS = 8;

    private static RedisClient client(Peer peer) {
        return RedisClient.create(RedisOptions.of(peer.address()).withConnections(1));
    }

    private static Peer peer() {
        return Peer.greeting((connection, read) -> Peer.send(connection, "+PONG\r\n"));
    }

    private static Connection borrow(RedisClient client) {
        return client.borrow(CallTime.within(LONG));
    }

    private static void awaitWaiting(RedisClient client, int count) {
        Threads.await(count + " callers wait", () -> client.poolStatistics().waiting() == count);
    }

    @Test
    void waitersGetTheirsInTheOrderInWhichTheyCame() throws InterruptedException {
        List<Integer> order = new CopyOnWriteArrayList<>();
        try (Peer peer = peer(); RedisClient client = client(peer)) {
            Connection held = borrow(client);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < WAITERS; i++) {
                int number = i;
                Thread thread = new Thread(() -> {
                    Connection own = borrow(client);
                    order.add(number);
                    client.release(own);
                });
                thread.start();
                threads.add(thread);
                awaitWaiting(client, i + 1);
            }
            client.release(held);
            // Whoever gives one back and wants one at once is behind all that wait.
            held = borrow(client);
            order.add(WAITERS);
            client.release(held);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertEquals(IntStream.rangeClosed(0, WAITERS).boxed().toList(), order);
    }

    @Test
    void whoGivesUpLosesNoConnection() throws InterruptedException {
        try (Peer peer = peer(); RedisClient client = client(peer)) {
            for (int i = 0; i < 200; i++) {
                Connection held = borrow(client);
                CountDownLatch over = new CountDownLatch(1);
                Thread thread = new Thread(() -> {
                    try {
                        client.release(borrow(client));
                    } catch (ConnectionException interrupted) {
                        assertEquals(false, interrupted.mayHaveRun());
                    } finally {
                        over.countDown();
                    }
                });
                thread.start();
                awaitWaiting(client, 1);
                thread.interrupt();
                client.release(held);
                over.await();
                assertEquals("PONG", client.execute(io.samewire.redis.command.Connection.ping()));
            }
            assertEquals(1, client.poolStatistics().opened());
            assertEquals(0, client.poolStatistics().waiting());
        }
    }
}
