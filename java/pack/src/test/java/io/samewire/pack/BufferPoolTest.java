package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pools, outputs and buffers. */
class BufferPoolTest {
    @Test
    void handsOutWhatCameBack() {
        BufferPool pool = new BufferPool(1 << 20);
        byte[] first = pool.take(1000);
        assertEquals(1024, first.length);
        pool.give(first);
        assertSame(first, pool.take(600));
        assertNotSame(first, pool.take(600));
        ByteBuffer direct = pool.takeDirect(5000);
        assertTrue(direct.isDirect());
        direct.putInt(1);
        pool.give(direct);
        ByteBuffer again = pool.takeDirect(8000);
        assertSame(direct, again);
        assertEquals(8192, again.remaining());
        assertEquals(new BufferPool.Statistics(5, 3, 1024 * 2 + 8192, 2, 0, 0), pool.statistics());
    }

    @Test
    void keepsNoMoreThanItMay() {
        BufferPool pool = new BufferPool(4096);
        pool.give(new byte[4096]);
        pool.give(new byte[256]);
        pool.give(new byte[1000]);
        pool.give(ByteBuffer.allocate(256));
        BufferPool.Statistics statistics = pool.statistics();
        assertEquals(2, statistics.dropped(), "one too many, and one of a size that is not the pool's own");
        assertEquals(4096, statistics.keptBytes());
        pool.clear();
        assertEquals(0, pool.statistics().keptBytes());
    }

    @Test
    void canBeTurnedOff() {
        BufferPool pool = new BufferPool(1 << 20);
        pool.give(pool.take(256));
        pool.enabled(false);
        byte[] fresh = pool.take(256);
        pool.give(fresh);
        assertNotSame(fresh, pool.take(256));
        assertEquals(0, pool.statistics().keptBytes());
        assertEquals(3, pool.statistics().misses());
    }

    @Test
    void outputsGrowAndAreUsedAgain() throws IOException {
        Codec<List<String>> codec = Pack.codec(new TypeRef<List<String>>() {});
        Codec<double[]> bulk = Pack.codec(double[].class);
        BufferPool pool = new BufferPool(1 << 20);
        try (Output output = new Output(pool, 256)) {
            byte[] array = output.array();
            codec.encodeInto(List.of("a", "bb"), output);
            assertSame(array, output.array());
            assertEquals(List.of("a", "bb"), codec.decode(output.toByteBuffer()));
            output.clear();
            int length = bulk.encodeInto(new double[1000], output);
            assertEquals(length, output.length());
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            output.writeTo(stream);
            assertArrayEquals(bulk.encode(new double[1000]), stream.toByteArray());
        }
        assertEquals(1, pool.statistics().given());
    }

    @Test
    void readsAndWritesPartsAndDirectBuffers() {
        Codec<String> codec = Pack.codec(String.class);
        ByteBuffer direct = ByteBuffer.allocateDirect(100).position(3);
        codec.encodeInto("direct", direct);
        assertEquals("direct", codec.decode(direct.flip().position(3)));
        ByteBuffer small = ByteBuffer.allocate(4);
        assertEquals(Code.LIMIT_SIZE, org.junit.jupiter.api.Assertions.assertThrows(PackException.class,
            () -> codec.encodeInto("too long", small)).code());
        assertEquals(0, small.position());
        assertEquals(Code.MISUSE, org.junit.jupiter.api.Assertions.assertThrows(PackException.class,
            () -> codec.decode(new byte[3], 2, 4)).code());
    }
}
