package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

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
    void refusesWhatLiesInItAlready() {
        BufferPool pool = new BufferPool(1 << 20);
        byte[] array = pool.take(256);
        pool.give(array);
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> pool.give(array)).code());
        ByteBuffer direct = pool.takeDirect(512);
        pool.give(direct);
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> pool.give(direct)).code());
        assertEquals(new BufferPool.Statistics(2, 2, 256 + 512, 2, 0, 256 + 512), pool.statistics());
        assertSame(array, pool.take(256));
        assertNotSame(array, pool.take(256));
        pool.give(array);
        pool.give(new byte[256]);
        assertEquals(2 * 256 + 512, pool.statistics().keptBytes(), "equal arrays are not the same");
        assertThrows(SamewireException.class, () -> pool.give(array), "it need not be the last one that came back");
        pool.clear();
        pool.give(array);
        assertEquals(256, pool.statistics().keptBytes());
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
        assertEquals(1, pool.statistics().dropped());
    }

    @Test
    void directBuffersComeBackAsNewOnes() {
        BufferPool pool = new BufferPool(1 << 20);
        ByteBuffer used = pool.takeDirect(256).order(ByteOrder.LITTLE_ENDIAN).limit(9).position(7);
        pool.give(used.asReadOnlyBuffer());
        assertEquals(0, pool.statistics().keptBytes(), "a read-only buffer is of no use to a writer");
        pool.give(used);
        ByteBuffer again = pool.takeDirect(256);
        assertSame(used, again);
        assertEquals(ByteOrder.BIG_ENDIAN, again.order());
        assertEquals(256, again.remaining());
    }

    @Test
    void whatIsLargerThanItsOwnIsAsLargeAsAskedFor() {
        BufferPool pool = new BufferPool(Long.MAX_VALUE);
        int bytes = (1 << 26) + 1;
        byte[] large = pool.take(bytes);
        assertEquals(bytes, large.length);
        pool.give(large);
        assertEquals(new BufferPool.Statistics(1, 1, bytes, 1, 1, 0), pool.statistics());
    }

    @Test
    void sizesBelowZero() {
        BufferPool pool = new BufferPool(0);
        for (Executable wrong
            : List.<Executable>of(() -> new BufferPool(-1), () -> pool.take(-1), () -> pool.takeDirect(-1),
            () -> new Output(-1), () -> new Output(pool, -1))) {
            assertEquals(Code.MISUSE, assertThrows(SamewireException.class, wrong).code());
        }
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
            assertTrue(output.toByteBuffer().isReadOnly());
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
        assertEquals(Code.LIMIT_SIZE, assertThrows(SamewireException.class,
            () -> codec.encodeInto("too long", small)).code());
        assertEquals(0, small.position());
        for (int[] part : new int[][] {{2, 4}, {2, 1}, {-1, 2}, {Integer.MIN_VALUE, Integer.MAX_VALUE}}) {
            assertEquals(Code.MISUSE,
                assertThrows(SamewireException.class, () -> codec.decode(new byte[3], part[0], part[1])).code());
        }
    }

    @Test
    void readsWhatRemainsOfABuffer() {
        Codec<String> codec = Pack.codec(String.class);
        byte[] message = codec.encode("text");
        ByteBuffer heap = ByteBuffer.allocate(100).position(3).slice().position(2).put(message).flip().position(2);
        ByteBuffer direct = ByteBuffer.allocateDirect(100).position(2).put(message).flip().position(2);
        for (ByteBuffer buffer : List.of(heap.asReadOnlyBuffer(), heap, direct)) {
            assertEquals("text", codec.decode(buffer));
            assertFalse(buffer.hasRemaining());
        }
    }

    @Test
    void theCopyOfADirectBufferGoesBackToItsPool() {
        Codec<String> codec = Pack.codec(String.class);
        BufferPool.Statistics before = BufferPool.shared().statistics();
        codec.decode(ByteBuffer.allocateDirect(100).put(codec.encode("text")).flip());
        assertThrows(SamewireException.class, () -> codec.decode(ByteBuffer.allocateDirect(100)));
        BufferPool.Statistics after = BufferPool.shared().statistics();
        assertEquals(before.taken() + 2, after.taken());
        assertEquals(before.given() + 2, after.given());
    }
}
