package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A pool that many threads use, and clear, at once. */
class PoolContentionTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = 5_000;

    private static void together(Callable<Void> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (Future<Void> done : threads.invokeAll(Collections.nCopies(THREADS, work))) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void neverHandsOutABufferTwice() throws Exception {
        BufferPool pool = new BufferPool(1 << 16);
        together(() -> {
            byte mark = (byte) Thread.currentThread().getId();
            for (int i = 0; i < ROUNDS; i++) {
                byte[] mine = pool.take(200 + i % 3 * 300);
                ByteBuffer direct = pool.takeDirect(256);
                mine[0] = mark;
                direct.put(0, mark);
                if (i % 64 == 0) {
                    pool.clear();
                }
                assertEquals(mark, mine[0]);
                assertEquals(mark, direct.get(0));
                pool.give(mine);
                pool.give(direct);
            }
            return null;
        });
        BufferPool.Statistics statistics = pool.statistics();
        assertEquals(2L * THREADS * ROUNDS, statistics.taken());
        assertEquals(statistics.taken(), statistics.given());
        assertTrue(statistics.keptBytes() >= 0 && statistics.keptBytes() <= 1 << 16, statistics::toString);
        pool.clear();
        assertEquals(0, pool.statistics().keptBytes());
    }

    @Test
    void outputsOfOnePool() throws Exception {
        BufferPool pool = new BufferPool(1 << 16);
        Codec<List<String>> codec = Pack.codec(new TypeRef<List<String>>() {});
        together(() -> {
            List<String> value = new ArrayList<>(Collections.nCopies(40, Thread.currentThread().getName()));
            byte[] wanted = codec.encode(value);
            for (int i = 0; i < ROUNDS; i++) {
                try (Output output = new Output(pool, wanted.length)) {
                    codec.encodeInto(value, output);
                    assertEquals(value, codec.decode(output.toByteBuffer()));
                    assertTrue(java.util.Arrays.equals(wanted, output.toByteArray()));
                }
            }
            return null;
        });
        assertEquals((long) THREADS * ROUNDS, pool.statistics().given());
    }

    @Test
    void anOutputThatIsClosedAgainGivesNothingAgain() {
        BufferPool pool = new BufferPool(1 << 16);
        Output output = new Output(pool, 256);
        Pack.codec(String.class).encodeInto("gone with the array", output);
        output.close();
        assertEquals(0, output.length());
        output.close();
        assertEquals(new BufferPool.Statistics(1, 1, 256, 1, 0, 256), pool.statistics());
        Pack.codec(String.class).encodeInto("usable afterwards", output);
        assertEquals("usable afterwards", Pack.codec(String.class).decode(output.toByteArray()));
    }
}
