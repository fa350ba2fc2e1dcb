package io.samewire.bridge.ring;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * A mapped file that can be unmapped explicitly, before garbage collection.
 *
 * <p>A heap that is little used is rarely collected: 10,000 clients, one after the other, would leave as many mappings,
 * and a process may have 65,530. From version 22 on the JDK unmaps on demand by arenas; before, only by {@code
 * sun.misc.Unsafe}, which warns from version 24 on. Both are called by reflection, since this is compiled for 17, and a
 * runtime without the module {@code jdk.unsupported} has no {@code Unsafe}: it leaves mappings to the collector.
 */
final class Mapping {
    private static final int ARENAS_SINCE = 22;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private ByteBuffer buffer;
    /** The arena that unmaps it; null before version 22. */
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

    /** Unmaps it: no thread may use it now or later. Idempotent. */
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
            // The collector will unmap it.
            return;
        }
    }

    /** Loaded only when the first client is gone, so that no client waits for it. */
    private static final class UnsafeCleaner {
        private UnsafeCleaner() {
        }

        static void clean(ByteBuffer mapped) throws ReflectiveOperationException {
            Class<?> kind = Class.forName("sun.misc.Unsafe");
            java.lang.reflect.Field only = kind.getDeclaredField("theUnsafe");
            only.setAccessible(true);
            // It refuses slices and duplicates, which do not own the mapping.
            kind.getMethod("invokeCleaner", ByteBuffer.class).invoke(only.get(null), mapped);
        }
    }
}
