package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Server;
import io.samewire.redis.command.Strings;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RedisLockTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static ValkeyServer server;
    private static RedisClient client;

    @BeforeAll
    static void start() {
        server = ValkeyServer.start();
        client = RedisClient.connect(server.uri());
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @BeforeEach
    void empty() {
        client.execute(Server.flushall());
    }

    private static RedisLock lock() {
        return client.lock("orders").withPause(Duration.ofMillis(5));
    }

    private static Code refused(Runnable call) {
        return assertThrows(SamewireException.class, call::run).code();
    }

    @Test
    void oneHoldsALockAtATime() {
        RedisLock.Held held = lock().tryAcquire().orElseThrow();
        assertTrue(held.isOwned() && lock().isLocked());
        assertEquals(Optional.empty(), lock().tryAcquire());
        assertEquals(Optional.empty(), lock().tryAcquire(Duration.ofMillis(20)));
        held.release();
        assertFalse(held.isOwned() || lock().isLocked());
        lock().tryAcquire().orElseThrow().close();
        assertFalse(lock().isLocked());
    }

    @Test
    void acquireWaitsUntilTheLockIsFree() {
        RedisLock.Held held = lock().acquire();
        CompletableFuture<RedisLock.Held> next = CompletableFuture.supplyAsync(() -> lock().acquire());
        CompletableFuture<Optional<RedisLock.Held>> later = next.thenApplyAsync(got -> {
            got.close();
            return lock().tryAcquire(MINUTE);
        });
        assertFalse(next.isDone());
        held.release();
        assertTrue(later.join().orElseThrow().isOwned());
    }

    @Test
    void threadsExcludeEachOther() {
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        AtomicBoolean inside = new AtomicBoolean();
        for (int i = 0; i < 4; i++) {
            threads.add(CompletableFuture.runAsync(() -> {
                for (int j = 0; j < 10; j++) {
                    try (RedisLock.Held held = client.lock("orders").withPause(Duration.ofMillis(1)).acquire()) {
                        assertTrue(inside.compareAndSet(false, true) && held.isOwned());
                        inside.set(false);
                    }
                }
            }));
        }
        threads.forEach(CompletableFuture::join);
    }

    @Test
    void aHolderWhoseTimeIsOverCannotTouchTheLockOfTheNextOne() {
        RedisLock.Held first = lock().withTimeout(Duration.ofMillis(20)).acquire();
        RedisLock.Held second = lock().withTimeout(MINUTE).acquire();
        assertFalse(first.isOwned());
        assertEquals(Code.CLOSED, refused(() -> first.extend(MINUTE)));
        RedisLock.Held other = lock().held(first.token());
        assertEquals(Code.CLOSED, refused(other::release));
        assertTrue(second.isOwned());
        assertTrue(client.execute(Keys.pttl("orders")) <= MINUTE.toMillis());
    }

    @Test
    void aLockIsExtendedAndReacquired() {
        RedisLock.Held held = lock().withTimeout(MINUTE).acquire();
        held.extend(Duration.ofHours(1));
        assertTrue(client.execute(Keys.pttl("orders")) > Duration.ofHours(1).toMillis());
        held.reacquire();
        assertTrue(client.execute(Keys.pttl("orders")) <= MINUTE.toMillis());
        held.close();
        held.close();
    }

    @Test
    void aLockWithoutATimeHasNoneToChange() {
        RedisLock.Held held = lock().acquire();
        assertEquals(-1, client.execute(Keys.pttl("orders")));
        assertEquals(Code.MISUSE, refused(() -> held.extend(MINUTE)));
        assertEquals(Code.MISUSE, refused(held::reacquire));
        assertTrue(held.isOwned());
    }

    @Test
    void refusesWrongTimesAndWhatIsNotHeld() {
        assertEquals(Code.MISUSE, refused(() -> lock().withTimeout(Duration.ofNanos(1)).name()));
        assertEquals(Code.MISUSE, refused(() -> lock().withPause(Duration.ZERO).name()));
        assertEquals(Duration.ofMillis(5), lock().pause());
        assertEquals(Code.MISUSE, refused(() -> lock().tryAcquire(Duration.ZERO)));
        RedisLock.Held held = lock().withTimeout(MINUTE).acquire();
        held.release();
        assertEquals(Code.MISUSE, refused(held::release));
        assertEquals(Code.MISUSE, refused(() -> held.extend(MINUTE)));
    }

    @Test
    void aHolderHandsItsLockOverByTheToken() {
        RedisLock.Held held = lock().acquire();
        assertEquals(Optional.of(held.token()), client.execute(Strings.get("orders")));
        lock().held(held.token()).release();
        assertEquals(Code.CLOSED, refused(held::release));
    }

    @Test
    void anInterruptEndsTheWait() throws InterruptedException {
        RedisLock.Held held = lock().acquire();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiter = new Thread(() -> lock().withPause(MINUTE).acquire());
        waiter.setUncaughtExceptionHandler((thread, failed) -> thrown.set(failed));
        waiter.start();
        while (waiter.getState() != Thread.State.TIMED_WAITING) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        waiter.interrupt();
        waiter.join();
        assertEquals(Code.CLOSED, ((SamewireException) thrown.get()).code());
        assertTrue(held.isOwned());
    }

    @Test
    void anInterruptedThreadGivesBackWhatItMayHaveGot() throws InterruptedException {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        AtomicReference<String> token = new AtomicReference<>();
        AtomicBoolean interrupted = new AtomicBoolean();
        CompletableFuture<String> released = new CompletableFuture<>();
        try (Peer peer = Peer.greeting((connection, read) -> {
            String[] lines = read.split("\r\n");
            if (read.contains("\r\nSET\r\n")) {
                token.set(lines[6]);
                waiter.get().interrupt();
            } else if (read.contains("\r\nEVALSHA\r\n")) {
                released.complete(lines[10]);
                Peer.send(connection, ":1\r\n");
            }
        }); RedisClient stalled = RedisClient.create(RedisOptions.of(peer.address()))) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            waiter.set(new Thread(() -> {
                try {
                    stalled.lock("orders").acquire();
                } finally {
                    interrupted.set(Thread.currentThread().isInterrupted());
                }
            }));
            waiter.get().setUncaughtExceptionHandler((thread, failed) -> thrown.set(failed));
            waiter.get().start();
            waiter.get().join();
            assertEquals(Code.CLOSED, ((ConnectionException) thrown.get()).code());
            assertTrue(interrupted.get());
            assertEquals(token.get(), released.orTimeout(60, TimeUnit.SECONDS).join());
        }
    }

    /** What the server replies to the first command with a certain word is lost with its connection. */
    private static Peer losing(String word) {
        AtomicBoolean lost = new AtomicBoolean();
        return Peer.start(from -> {
            AtomicBoolean here = new AtomicBoolean();
            try (Socket to = new Socket("127.0.0.1", server.port())) {
                Thread back = new Thread(() -> carry(to, from, here), "back");
                back.setDaemon(true);
                back.start();
                byte[] bytes = new byte[65_536];
                for (int came = from.getInputStream().read(bytes); came > 0; came = from.getInputStream().read(bytes)) {
                    String text = new String(bytes, 0, came, StandardCharsets.ISO_8859_1);
                    if (text.contains(word) && lost.compareAndSet(false, true)) {
                        here.set(true);
                    }
                    to.getOutputStream().write(bytes, 0, came);
                }
            }
        });
    }

    private static void carry(Socket from, Socket to, AtomicBoolean lost) {
        byte[] bytes = new byte[65_536];
        try (from; to) {
            for (int came = from.getInputStream().read(bytes); came > 0 && !lost.get();
                came = from.getInputStream().read(bytes)) {
                to.getOutputStream().write(bytes, 0, came);
            }
        } catch (IOException closed) {
            return;
        }
    }

    @Test
    void aLockWhoseReplyIsLostIsTheCallers() {
        try (Peer proxy = losing("\r\nNX\r\n");
                RedisClient lossy = RedisClient.connect(RedisOptions.of(proxy.address()))) {
            RedisLock.Held held = lossy.lock("orders").tryAcquire().orElseThrow();
            assertTrue(held.isOwned());
            assertFalse(lock().tryAcquire().isPresent());
        }
    }

    @Test
    void aLockMayBeTakenAlthoughNobodyCanBeAsked() {
        AtomicReference<Peer> gone = new AtomicReference<>();
        try (Peer peer = Peer.greeting((connection, read) -> gone.get().close());
                RedisClient lossy = RedisClient.create(RedisOptions.of(peer.address()).withRetry(Retry.NONE))) {
            gone.set(peer);
            assertTrue(assertThrows(ConnectionException.class, () -> lossy.lock("orders").tryAcquire()).mayHaveRun());
        }
    }

    @Test
    void aReleaseWhoseReplyIsLostTellsSo() {
        try (Peer proxy = losing("\r\nEVALSHA\r\n");
                RedisClient lossy = RedisClient.connect(RedisOptions.of(proxy.address()))) {
            lock().acquire().release();
            RedisLock.Held held = lossy.lock("orders").acquire();
            assertTrue(assertThrows(ConnectionException.class, held::release).mayHaveRun());
            assertFalse(lock().isLocked());
            assertEquals(Code.CLOSED, refused(held::close));
        }
    }
}
