package io.samewire.bridge.ring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway's side of a ring, against a client on the same memory within this JVM. */
@Timeout(180)
class RingTransportTest {
    private static final int CAPACITY = Layout.MIN_CAPACITY;
    private static final long GENERATION = 0x0123456789ABCDEFL;

    @TempDir
    Path directory;
    private Path file;
    private SocketChannel clientBell;
    private SocketChannel gatewayBell;
    private Mapping memory;

    @BeforeEach
    void makeMemoryAndBell() throws IOException {
        file = directory.resolve("ring");
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(Layout.memoryBytes(CAPACITY));
            memory = Mapping.of(made.getChannel(), Layout.memoryBytes(CAPACITY));
        }
        ByteBuffer words = memory.buffer();
        words.putLong(0, Layout.MAGIC).putLong(Layout.GENERATION, GENERATION).putInt(Layout.CAPACITY, CAPACITY);
        Path socket = directory.resolve("bell");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            clientBell = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            gatewayBell = server.accept();
        }
        Files.delete(socket);
    }

    @AfterEach
    void closeBells() throws IOException {
        clientBell.close();
        gatewayBell.close();
    }

    private RingTransport gateway(Waiting waiting) throws IOException {
        return RingTransport.open(gatewayBell, file.toString(), CAPACITY, GENERATION, waiting);
    }

    private RingTransport client(Waiting waiting) {
        return RingTransport.client(clientBell, memory, CAPACITY, waiting);
    }

    private static Waiting waiting(String name) {
        return switch (name) {
            case "block" -> Waiting.block();
            case "spin" -> Waiting.spin(5);
            default -> Waiting.adaptive();
        };
    }

    /** Reads exactly so many bytes. */
    private static void readFully(RingTransport from, byte[] into, int length) throws IOException {
        for (int have = 0; have < length;) {
            int count = from.read(into, have, length - have);
            assertTrue(count > 0);
            have += count;
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    /** Runs one side in a thread of its own, the other in this one. */
    private static void both(Work there, Work here) throws Exception {
        AtomicReference<Throwable> failed = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                there.run();
            } catch (Exception | AssertionError thrown) {
                failed.set(thrown);
            }
        });
        thread.start();
        here.run();
        thread.join();
        assertEquals(null, failed.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "spin", "adaptive"})
    void messagesOfAllSizesCrossAndComeBack(String name) throws Exception {
        RingTransport gateway = gateway(waiting(name));
        RingTransport client = client(waiting(name));
        Random random = new Random(4);
        byte[] stream = new byte[3 * CAPACITY];
        random.nextBytes(stream);
        int turns = 3000;
        Random sizes = new Random(5);
        Random same = new Random(5);
        both(() -> {
            byte[] bytes = new byte[stream.length];
            for (int i = 0; i < turns; i++) {
                int size = size(same);
                readFully(gateway, bytes, size);
                gateway.write(bytes, 0, size);
            }
        }, () -> {
            byte[] back = new byte[stream.length];
            for (int i = 0; i < turns; i++) {
                int size = size(sizes);
                int at = random.nextInt(stream.length - size + 1);
                client.write(stream, at, size);
                readFully(client, back, size);
                assertEquals(0, Arrays.compare(stream, at, at + size, back, 0, size));
            }
        });
    }

    /** From a byte to longer than the ring. */
    private static int size(Random random) {
        return 1 + random.nextInt(1 << random.nextInt(18));
    }

    @Test
    void theEndOfTheBellIsTheEndAndWhatWasWrittenIsStillRead() throws Exception {
        RingTransport gateway = gateway(Waiting.adaptive());
        RingTransport client = client(Waiting.block());
        client.write(new byte[] {1, 2, 3}, 0, 3);
        client.close();
        byte[] bytes = new byte[8];
        assertEquals(3, gateway.read(bytes, 0, 8));
        assertArrayEquals(new byte[] {1, 2, 3, 0, 0, 0, 0, 0}, bytes);
        assertEquals(-1, gateway.read(bytes, 0, 8));
        assertThrows(IOException.class, () -> gateway.write(bytes, 0, 8));
    }

    @Test
    void aPeerThatDiesWhileThisSideSleepsIsNoticedAtOnce() throws Exception {
        RingTransport gateway = gateway(Waiting.adaptive());
        long start = System.nanoTime();
        both(() -> {
            Thread.sleep(100);
            clientBell.close();
        }, () -> assertEquals(-1, gateway.read(new byte[8], 0, 8)));
        assertTrue(System.nanoTime() - start < 60_000_000_000L);
    }

    @Test
    void aWriterThatWaitsForRoomIsEndedByAPeerThatDies() throws Exception {
        RingTransport gateway = gateway(Waiting.adaptive());
        both(() -> {
            Thread.sleep(100);
            clientBell.close();
        }, () -> assertThrows(IOException.class, () -> gateway.write(new byte[2 * CAPACITY], 0, 2 * CAPACITY)));
    }

    @Test
    void closingEndsAReadOfAnotherThread() throws Exception {
        RingTransport gateway = gateway(Waiting.adaptive());
        both(() -> {
            Thread.sleep(100);
            gateway.close();
            gateway.close();
        }, () -> assertThrows(IOException.class, () -> gateway.read(new byte[8], 0, 8)));
    }

    @Test
    @Tag("hard")
    void aSideThatWaitsCostsNoProcessorTime() throws Exception {
        RingTransport gateway = gateway(Waiting.adaptive());
        RingTransport client = client(Waiting.adaptive());
        both(() -> {
            byte[] bytes = new byte[8];
            for (int i = 0; i < 1000; i++) {
                client.write(bytes, 0, 8);
                readFully(client, bytes, 8);
            }
            Thread.sleep(500);
            clientBell.close();
        }, () -> {
            byte[] bytes = new byte[8];
            for (int i = 0; i < 1000; i++) {
                readFully(gateway, bytes, 8);
                gateway.write(bytes, 0, 8);
            }
            var threads = ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadCpuTime();
            assertEquals(-1, gateway.read(bytes, 0, 8));
            assertTrue(threads.getCurrentThreadCpuTime() - before < 5_000_000);
        });
    }

    @Test
    void positionsThatLieAreMalformed() throws Exception {
        for (long lie : new long[] {CAPACITY + 1L, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            RingTransport reading = gateway(Waiting.block());
            memory.buffer().putLong(Layout.TO_GATEWAY + Layout.WRITTEN, lie);
            assertEquals(Code.MALFORMED,
                assertThrows(SamewireException.class, () -> reading.read(new byte[8], 0, 8)).code());
            memory.buffer().putLong(Layout.TO_GATEWAY + Layout.WRITTEN, 0);

            RingTransport writing = gateway(Waiting.block());
            memory.buffer().putLong(Layout.TO_CLIENT + Layout.READ, lie);
            assertEquals(Code.MALFORMED, assertThrows(SamewireException.class,
                () -> writing.write(new byte[2 * CAPACITY], 0, 2 * CAPACITY)).code());
            memory.buffer().putLong(Layout.TO_CLIENT + Layout.READ, 0).putLong(Layout.TO_CLIENT + Layout.WRITTEN, 0);
        }
    }

    @Test
    void positionsThatRunBackwardsAreMalformed() throws Exception {
        RingTransport gateway = gateway(Waiting.block());
        memory.buffer().putLong(Layout.TO_GATEWAY + Layout.WRITTEN, 8);
        assertEquals(8, gateway.read(new byte[8], 0, 8));
        memory.buffer().putLong(Layout.TO_GATEWAY + Layout.WRITTEN, 7);
        assertThrows(SamewireException.class, () -> gateway.read(new byte[8], 0, 8));
    }

    @Test
    void memoryThatIsCutOffEndsTheChannelAndNotTheProcess() throws Exception {
        RingTransport gateway = gateway(Waiting.block());
        memory.buffer().putLong(Layout.TO_GATEWAY + Layout.WRITTEN, CAPACITY);
        try (RandomAccessFile liar = new RandomAccessFile(file.toFile(), "rw")) {
            liar.setLength(Layout.BYTES);
        }
        assertThrows(IOException.class, () -> {
            byte[] bytes = new byte[CAPACITY];
            while (gateway.read(bytes, 0, CAPACITY) > 0) {
                // Until a page that is not there any more.
            }
        });
    }

    @Test
    void memoryThatIsFreedIsUnmappedAndTouchedNoMore() throws Exception {
        RingTransport gateway = gateway(Waiting.block());
        RingTransport client = client(Waiting.block());
        gateway.write(new byte[8], 0, 8);
        assertEquals(2, mappings());
        gateway.free();
        gateway.free();
        assertEquals(1, mappings());
        assertThrows(RuntimeException.class, () -> gateway.read(new byte[8], 0, 8));
        assertThrows(RuntimeException.class, () -> gateway.write(new byte[8], 0, 8));
        assertEquals(8, client.read(new byte[8], 0, 8));
    }

    private long mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.endsWith(file.toString())).count();
        }
    }

    @Test
    void anOfferThatIsNoRingIsRefusedAndNotWrittenTo() throws IOException {
        assertThrows(IOException.class,
            () -> RingTransport.open(gatewayBell, file.toString(), CAPACITY, GENERATION + 1, Waiting.block()));
        assertThrows(IOException.class,
            () -> RingTransport.open(gatewayBell, file.toString(), 2 * CAPACITY, GENERATION, Waiting.block()));
        for (int capacity : new int[] {0, -1, 1 << 30, Integer.MIN_VALUE, CAPACITY + 1, CAPACITY / 2}) {
            assertThrows(IOException.class,
                () -> RingTransport.open(gatewayBell, file.toString(), capacity, GENERATION, Waiting.block()));
        }
        String[] paths = {"", "\0", "/dev/zero", "/dev/null", "/proc/self/fd/99999", directory.toString()};
        for (String path : paths) {
            assertThrows(IOException.class,
                () -> RingTransport.open(gatewayBell, path, CAPACITY, GENERATION, Waiting.block()), path);
        }
        Path other = directory.resolve("other");
        Files.write(other, new byte[Layout.memoryBytes(CAPACITY)]);
        assertThrows(IOException.class,
            () -> RingTransport.open(gatewayBell, other.toString(), CAPACITY, 0, Waiting.block()));
        assertArrayEquals(new byte[Layout.memoryBytes(CAPACITY)], Files.readAllBytes(other));
        gateway(Waiting.block()).write(new byte[1], 0, 1);
        assertThrows(IOException.class, () -> gateway(Waiting.block()), "a ring that was used");
    }

    @Test
    void adaptiveWaitsLearn() {
        Patience patience = new Patience(Waiting.adaptive(), 2);
        assertEquals(0, patience.nanos(false));
        assertEquals(0, patience.nanos(false));
        assertEquals(Patience.MOST_SPIN_NANOS, patience.nanos(false));
        for (int i = 0; i < 100; i++) {
            patience.spun(true);
            assertEquals(Patience.MOST_SPIN_NANOS, patience.nanos(false));
            patience.spun(true);
            assertEquals(Patience.MOST_WAKE_NANOS, patience.nanos(true));
        }
        int spins = 0;
        for (int i = 0; i < 100_000; i++) {
            if (patience.nanos(false) > 0) {
                patience.spun(false);
                spins++;
            }
        }
        assertTrue(spins < 330, spins + " of 100000 waits spun in vain");
        Patience alone = new Patience(Waiting.adaptive(), 1);
        for (int i = 0; i < 1000; i++) {
            assertEquals(0, alone.nanos(false));
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "waited too long");
            Thread.sleep(1);
        }
    }

    /** A thread that reads until its bell is closed. */
    private static Thread reading(RingTransport transport) {
        Thread thread = new Thread(() -> assertThrows(IOException.class, () -> transport.read(new byte[1], 0, 1)));
        thread.start();
        return thread;
    }

    @Test
    void theLastThreadThatSpinsHasTheOthersSleep() throws Exception {
        int most = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            threads.add(reading(client(Waiting.spin(1_000_000))));
        }
        await(() -> RingTransport.spinners() == most);
        int stops = RingTransport.stops();
        threads.add(reading(gateway(Waiting.spin(1_000_000))));
        await(() -> memory.buffer().getInt(Layout.TO_CLIENT + Layout.READER_SLEEPS) == 1);
        assertEquals(stops + 1, RingTransport.stops());
        closeBells();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void policiesHaveBounds() {
        assertThrows(IllegalArgumentException.class, () -> Waiting.spin(-1));
        assertThrows(IllegalArgumentException.class, () -> Waiting.spin(1_000_001));
        assertEquals("adaptive", Waiting.adaptive().toString());
        assertEquals("block", Waiting.block().toString());
        assertEquals("spin(7)", Waiting.spin(7).toString());
        assertFalse(Waiting.spin(7).isAdaptive());
    }
}
