package io.samewire.bridge.ring;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * A mapped file that can be unmapped before the collector finds it.
 *
 * <p>A heap that is hardly used is hardly collected: 10,000 clients, one after the other, would leave as many mappings,
 * and a process may have 65,530. The JDK unmaps on demand since version 22, with arenas; before that with
 * {@code sun.misc.Unsafe} alone, which warns from version 24 on. Both are called by reflection: 17 compiles this, and a
 * runtime without the module {@code jdk.unsupported} has no {@code Unsafe}, and leaves mappings to its collector.
 */
final class Mapping {
    private static final int ARENAS_SINCE = 22;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private ByteBuffer buffer;
    /** What unmaps it; null before version 22. */
    private final AutoCloseable arena;

    private Mapping(ByteBuffer buffer, AutoCloseable arena) {
        this.buffer = buffer.order(ByteOrder.LITTLE_ENDIAN);
        this.arena = arena;
    }

    /** Maps the first bytes of a file, little-endian. */
    static Mapping of(FileChannel channel, int length) throws IOException {
        FileChannel.MapMode mode = FileChannel.MapMode.READ_WRITE;
        if (Runtime.version().feature() < ARENAS_SINCE) {
            return new Mapping(channel.map(mode, 0, length), null);
        }
        try {
            Class<?> kind = Class.forName("java.lang.foreign.Arena");
            AutoCloseable arena = (AutoCloseable) kind.getMethod("ofShared").invoke(null);
            Object segment = FileChannel.class
                .getMethod("map", FileChannel.MapMode.class, long.class, long.class, kind)
                .invoke(channel, mode, 0L, (long) length, arena);
            Object buffer = Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer").invoke(segment);
            return new Mapping((ByteBuffer) buffer, arena);
        } catch (InvocationTargetException failed) {
            throw new IOException(failed.getCause());
        } catch (ReflectiveOperationException other) {
            throw new IOException(other);
        }
    }

    /** Returns the memory; an empty one if it is unmapped. */
    synchronized ByteBuffer buffer() {
        return buffer;
    }

    /** Unmaps it: no thread may be at work in it, or begin. Does nothing the second time. */
    synchronized void unmap() {
        ByteBuffer mapped = buffer;
        buffer = NOTHING;
        if (mapped == NOTHING) {
            return;
        }
        try {
            if (arena != null) {
                arena.close();
            } else {
                UnsafeCleaner.clean(mapped);
            }
        } catch (Exception left) {
            // It is left to the collector.
            return;
        }
    }

    /** Loaded when the first client is gone, and not while one waits. */
    private static final class UnsafeCleaner {
        private UnsafeCleaner() {
        }

        static void clean(ByteBuffer mapped) throws ReflectiveOperationException {
            Class<?> kind = Class.forName("sun.misc.Unsafe");
            java.lang.reflect.Field only = kind.getDeclaredField("theUnsafe");
            only.setAccessible(true);
            // Refuses what is a slice or a duplicate of the mapping, whose collection unmaps nothing.
            kind.getMethod("invokeCleaner", ByteBuffer.class).invoke(only.get(null), mapped);
        }
    }
}
